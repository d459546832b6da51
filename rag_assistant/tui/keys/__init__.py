"""Which keys act now, and what all of them do."""
