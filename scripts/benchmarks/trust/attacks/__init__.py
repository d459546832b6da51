"""Attacks that hostile documents make on whoever answers from them, and how far they come."""
