"""The box a question is written in, and what it offers."""
