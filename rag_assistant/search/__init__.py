"""Finding entries: any text becomes a legal query, candidates are ranked, places are shown."""
