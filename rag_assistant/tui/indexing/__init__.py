"""Folders indexed and watched beside all screens, and how far they are."""
