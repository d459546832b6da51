"""Tables of PDF files whose content is known: what they say, who draws them, how they compare."""
