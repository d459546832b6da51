"""The databases and their folders: adding, indexing, watching."""
