"""What a model may do: tools as values, their validation, and the tools of a database."""
