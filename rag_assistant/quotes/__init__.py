"""Words of a model looked up in the words of an entry: found, nearly found, or not there."""
