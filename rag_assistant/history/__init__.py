"""Conversations kept on disk: written while they happen, found, shown, resumed, replayed."""
