"""The conversation: questions, their answers as they come in, and what their keys do."""
