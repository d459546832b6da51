"""Making a question set from the documents of a database."""
