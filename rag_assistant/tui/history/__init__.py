"""The conversations kept on disk."""
