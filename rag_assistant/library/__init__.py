"""Named databases on disk: made and kept in step with their folders, searched and read."""
