"""The interface in a browser on this machine. Importing this package loads no server."""

PAGE_DRIVER = "rag_assistant.tui.terminal.page_driver:PageDriver"
"""What TEXTUAL_DRIVER names in a process whose screen is a page."""
