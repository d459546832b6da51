"""Lists with a cursor, a filter and a line to edit, which several screens are made of."""
