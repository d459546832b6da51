"""Whether the interface ever makes a person wait."""
