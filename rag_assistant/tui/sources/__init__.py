"""The sources of an answer beside it, opened at the quoted words."""
