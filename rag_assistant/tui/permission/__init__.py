"""Asking before a tool does more than read."""
