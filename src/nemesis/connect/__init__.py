"""How we meet other programs: the wire of the Annual Computer Poker Competition, PettingZoo, OpenSpiel."""
