"""What an index and its users are given: the sdist, the wheel, and how the project is described."""
