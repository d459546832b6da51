"""The first screen where a folder is to be indexed."""
