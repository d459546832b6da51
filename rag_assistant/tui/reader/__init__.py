"""Reading a whole document."""
