"""The built-in model: no weights, no network; it searches, reads and answers with quotes."""
