"""How a player is raised: recipes, evolution runs, the choice of a champion."""
