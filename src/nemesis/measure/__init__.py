"""How we know: the loop that plays hands, matches, intervals, results."""
