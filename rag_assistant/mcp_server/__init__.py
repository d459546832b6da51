"""The server of the Model Context Protocol: other programs search, read and ask by it.

The client of that protocol, by which models here use other programs' tools, is `tools/mcp_client`.
"""
