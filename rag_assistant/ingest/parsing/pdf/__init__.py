"""Pages of PDF: lines, columns, headings, notes, running heads and feet, what is hidden, tables."""
