"""Small models that are fetched once, kept in the home, and run on this machine's processor."""
