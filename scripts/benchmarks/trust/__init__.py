"""How far answers can be trusted: what is cited, refused, found and stopped."""
