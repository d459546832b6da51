"""The agents: the main loop that answers, and the RetrievalAgent that condenses entries."""
