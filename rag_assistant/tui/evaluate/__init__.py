"""Question sets and what their runs say."""
