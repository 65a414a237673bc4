"""ASHE with three pairs of estimators: for opponents who fold when they should, who pay with weak hands, who never fold.

One pair of estimators serves too many masters. Against somebody who pays with anything the rule, which sees no chips that
come later, plays best when it is misled; against somebody who folds that costs money, and evolution settles for something
in between (docs/explanation/ashe.md). So here are three. Before every hand two plain statistics decide which one plays it:
the share of hands in which the opponent has folded, and the share in which he has shown a weak hand in a large pot. Rule,
trees and networks are ASHE's.

The special pairs are evolved first, each by itself (recipes `ashe-loose` and `ashe-wild`). The usual pair is evolved with
them beside it (recipe `ashe-three`), so that it learns to find out soon who pays.
"""

from __future__ import annotations

from numpy.typing import ArrayLike

from nemesis.respond.ashe import Payers, Stayers

BESIDE = ("ashe-loose", "ashe-wild")
"""The champions whose estimators are the special ones: against payers and against stayers."""
WEAK, FEW, NONE = 0.006, 0.25, 0.05
"""A payer has shown a weak hand in a large pot in more than the first share of the hands so far, or folded in less than the
second; a stayer has folded in less than the third."""


def special(loose: ArrayLike, wild: ArrayLike) -> tuple[Payers, Stayers]:
    """What an `Ashe` is given beside its own genome, so that these play against payers and against stayers."""
    return Payers(loose, WEAK, FEW), Stayers(wild, NONE)
