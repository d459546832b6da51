"""What documents of office programs share: their containers, numbers, notes, comments, drawings."""
