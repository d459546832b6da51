"""What other programs are let at, whichever way they ask: the one place that knows the rule."""
