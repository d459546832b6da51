"""What a run comes to, as a table, JSON, Markdown and a page."""
