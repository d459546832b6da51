"""A local assistant for a person's own documents: index folders, ask, get cited answers."""

__version__ = "0.1.0"
