"""Text in markup: HTML, XML, LaTeX and text with outlines."""
