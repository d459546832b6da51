"""What may leave this machine, what is taken out of it before, and the record of what left."""
