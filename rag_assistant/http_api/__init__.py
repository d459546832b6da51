"""Documents and answers for other programs, over HTTP on this machine."""
