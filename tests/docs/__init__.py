"""README and the pages of docs/ are true: their commands, links, lists and figures."""
