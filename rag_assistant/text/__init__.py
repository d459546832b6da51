"""Rules on text that several rooms need: each piece of knowledge stands here once."""
