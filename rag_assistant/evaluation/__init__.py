"""Measuring search and answers on sets of questions whose right answers are known."""
