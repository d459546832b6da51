"""`detect_bounding_box`: a model that sees marks objects in an image, on a copy of it.

`files` decides which images may be looked at, `replies` checks the model's coordinates, `drawing`
opens images within limits and draws, and `provider` makes a tool of it.
"""
