"""How fast our pieces are, next to the peers that do the same work, measured in one run on one machine."""
