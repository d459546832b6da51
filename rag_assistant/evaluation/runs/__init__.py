"""Runs of a question set: what was asked of what, what came back, and where that is kept."""
