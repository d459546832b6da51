"""Text laid out and drawn: cleaned, literal, never markup."""
