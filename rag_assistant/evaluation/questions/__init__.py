"""Question sets: what is asked, what is right for it, and the files that say so."""
