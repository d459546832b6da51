"""What touches the terminal and the system around it: guards, themes, copying, other programs."""
