"""What the parts share: figures and tables, texts to measure with, clocks, processes."""
