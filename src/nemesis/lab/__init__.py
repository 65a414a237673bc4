"""Where people look: the web laboratory."""
