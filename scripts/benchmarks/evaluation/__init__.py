"""What answers are worth, by `eval`, and what measuring them costs."""
