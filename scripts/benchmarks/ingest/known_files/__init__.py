"""Files of every format, written from texts and tables whose content is known."""
