"""Tables of PDF pages, by where words stand and what is drawn around them.

`detect` tries, in this order: a lattice of rules, tiled fills, verticals alone, bands of rules, and
blocks of aligned words with their heads looked up upwards. All of it is arithmetic over boxes.
"""
