"""Pictures: their size, and the words in them."""
