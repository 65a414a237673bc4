"""How it runs fast and safely: compiled kernels and their cache, files that are replaced whole, chance by counter."""
