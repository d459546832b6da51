"""A source as text: read in threads, drawn, and named beside words taken from it."""
