"""Tools of other programs, by the Model Context Protocol.

Servers, what they offer and what they answer are untrusted: whatever one of them does ends in a
note or in a failed result, never in the end of a run. Only `provider.py`, and what it imports at
the top, loads without the extra `mcp`.
"""
