"""Documents as they are read: a text laid out by what it is, with every character's place kept."""
