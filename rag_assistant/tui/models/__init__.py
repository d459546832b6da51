"""Choosing and testing what answers."""
