"""The tool that looks rows of tables up by conditions, and computes with their columns by code."""
