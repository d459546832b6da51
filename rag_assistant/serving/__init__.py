"""What every server of this program shares: it listens on this machine alone, knows by which names
it may be asked, and bounds each connection. Importing this package loads no server."""
