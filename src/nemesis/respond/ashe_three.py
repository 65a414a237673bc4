"""ASHE with three pairs of estimators: for opponents who fold when they should, who pay with weak hands, who never fold.

One pair of estimators serves too many masters. Against somebody who pays with anything the rule, which sees no chips that
come later, plays best when it is misled; against somebody who folds that costs money, and evolution settles for something
in between (docs/explanation/ashe.md). So here are three, evolved separately (recipes `ashe-tight`, `ashe-loose` and
`ashe-wild`). Before every hand two plain statistics decide which one plays it: the share of hands in which the opponent
has folded, and the share in which he has shown a weak hand in a large pot. Rule, trees and networks are ASHE's.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from nemesis.respond.ashe import COMPACT, Ashe, Special
from nemesis.respond.ashe_file import unpacked_genes
from nemesis.respond.champion import SHIPPED, read_champion
from nemesis.rules.game import Game

CHAMPIONS = ("ashe-tight", "ashe-loose", "ashe-wild")
"""Of the usual estimators, those against payers and those against stayers."""
WEAK, FOLDS = 0.025, 0.25


def ashe_three(game: Game, weak: float = WEAK, folds: float = FOLDS) -> Ashe:
    """ASHE with special estimators for opponents who pay with weak hands and for those who hardly ever fold.

    A payer has shown a weak hand in a large pot in more than `weak` of the hands so far; who hardly ever folds has done so
    in less than `folds` of them.
    """
    for what, share in (("weak hands shown", weak), ("folds", folds)):
        if not 0.0 <= share <= 1.0:
            raise ValueError(f"ashe-three changes over at a share of {what} from 0 to 1, not {share}")
    return ashe_joined(game, (SHIPPED / f"{name}.json" for name in CHAMPIONS), weak, folds)


def ashe_joined(game: Game, champions: Iterable[Path], weak: float = WEAK, folds: float = FOLDS) -> Ashe:
    """The same of any three champion files, in the order of `CHAMPIONS`."""
    usual, loose, wild = (unpacked_genes(read_champion(path)["genome"]) for path in champions)
    return Ashe(game, COMPACT, usual, payers=Special(loose, weak), stayers=Special(wild, folds), name="ashe-three")
