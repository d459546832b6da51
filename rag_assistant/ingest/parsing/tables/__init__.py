"""Rows and cells of tables in any format."""
