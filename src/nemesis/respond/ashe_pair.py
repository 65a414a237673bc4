"""ASHE with two pairs of estimators: one for opponents who fold, one for those who hardly ever do.

One pair of estimators serves two masters. Against somebody who never folds the rule, which sees no chips that come later,
plays best when it is misled; against somebody who folds that costs money, and evolution settles for something in between
(docs/explanation/ashe.md). So here are two, evolved separately from the same beginnings (recipes `ashe-tight` and
`ashe-loose`), and the simplest statistic of the trees decides before every hand which one plays it: the share of hands in
which the opponent has folded. Rule, trees and networks are ASHE's.
"""

from __future__ import annotations

from nemesis.respond.ashe import COMPACT, Ashe, unpacked_genes
from nemesis.respond.champion import SHIPPED, read_champion
from nemesis.rules.game import Game

FIRST, SECOND = "ashe-tight", "ashe-loose"
SWITCH = 0.25


def ashe_pair(game: Game, switch: float = SWITCH) -> Ashe:
    """ASHE with a second pair of estimators for opponents who have folded in less than `switch` of the hands so far."""
    if not 0.0 <= switch <= 1.0:
        raise ValueError(f"ashe-pair changes over at a share of hands from 0 to 1, not {switch}")
    first, second = (unpacked_genes(read_champion(SHIPPED / f"{name}.json")["genome"]) for name in (FIRST, SECOND))
    return Ashe(game, COMPACT, first, second=second, switch=switch, name="ashe-pair")
