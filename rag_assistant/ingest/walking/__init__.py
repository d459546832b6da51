"""What `walk` asks on its way through a folder: which paths are read, which are not, and why."""
