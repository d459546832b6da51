"""What several loaders share: containers, trees, tables and text on their way to a `Document`.

Nothing here reads a format by itself: that is for the modules of `loaders`, one for each.
"""
