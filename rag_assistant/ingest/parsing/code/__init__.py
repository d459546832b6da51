"""Source code as functions and classes."""
