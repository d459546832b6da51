"""Where secrets stand in a text: by the form they are written in, or by the words beside them."""
