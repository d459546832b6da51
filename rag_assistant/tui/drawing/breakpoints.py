"""The widths at which every screen changes its layout."""

WIDTHS = [(0, "-narrow"), (80, "-medium"), (110, "-wide")]
"""Columns from which a screen has each class; for `HORIZONTAL_BREAKPOINTS` of the application."""


def class_at(columns: int) -> str:
    """Give the class that a screen has at a width."""
    return max((least, name) for least, name in WIDTHS if columns >= least)[1]
