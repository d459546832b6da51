"""Choosing which databases, folders and files are asked."""
