"""Words of a model looked up in the words of an entry: quotes, sentences, values and names."""
