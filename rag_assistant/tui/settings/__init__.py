"""All settings in one list."""
