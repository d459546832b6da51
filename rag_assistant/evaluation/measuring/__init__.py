"""What the outcomes of a run are worth, each alone and all together."""
