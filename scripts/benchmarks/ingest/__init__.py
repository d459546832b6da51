"""What it takes to read folders, and what is left of them after a fault."""
