"""The panel of sources beside a conversation: what an answer cites, opened at the quoted words."""
