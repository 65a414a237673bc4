"""What is true: cards, strength of hands, games, deals and the one betting engine."""
