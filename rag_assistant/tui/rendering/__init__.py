"""Documents as they are read: their text laid out by what it is, and every character's place kept."""
