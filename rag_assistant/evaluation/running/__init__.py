"""Putting the questions of a set to search, to the helper model and to the assistant."""
