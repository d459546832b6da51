"""Judges an answer by what was read: confidence, refusal, contradictions, later changes."""
