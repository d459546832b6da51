"""The widths at which every screen changes its layout."""

WIDTHS = [(0, "-narrow"), (80, "-medium"), (110, "-wide")]
"""Columns from which a screen has each class; for `HORIZONTAL_BREAKPOINTS` of the application."""
