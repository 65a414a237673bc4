"""The turns of a PHH hand walked through the betting engine by compiled code, an action row each."""

from __future__ import annotations

from typing import Any

import numpy as np

from nemesis.observe.phh_actions import CALLS, FOLDS, RAISES
from nemesis.observe.phh_sheet import Scratch, Sheet
from nemesis.observe.toml_bytes import scanning, scanning_inlined
from nemesis.rules.betting import CALL, FOLD, RAISE, pass_turn, post_and_open, take


@scanning_inlined
def play_turns(sheet: Sheet, row: int, d: Any, b: Any) -> Any:
    """Play the turns; False where the engine would not. Writes the action rows, the hand's record and `free_folds`."""
    scratch = sheet.scratch
    r = scratch.rules[0]
    h = scratch.hand[0]
    d.first = sheet.place[0].actions
    b.free_folds = 0
    post_and_open(r, scratch.stacks, h)
    for t in range(d.actions):
        position, board = scratch.turns[t, 0], scratch.turns[t, 3]
        if h.over != 0 or h.actor != position or (0 if h.street == 0 else 2 + h.street) != board:
            return False
        a = sheet.actions[d.first + t]
        pot = h.pot
        a.hand = row
        a.position = position
        a.seat = d.seat[position]
        a.street = h.street
        a.to_call = h.to_call
        a.pot = pot
        a.win = np.nan
        a.strength = np.nan
        wager = h.wager[position]
        if scratch.turns[t, 1] == FOLDS and h.to_call == 0:
            leave(r, h)
            b.free_folds += 1
            a.action = FOLD
        else:
            chosen = choice(scratch, t)
            if take(r, h, chosen) != chosen:
                return False
            a.action = min(chosen, RAISE)
        a.amount = h.pot - pot
        a.to = wager + h.pot - pot
    b.live = h.live
    return h.over != 0


@scanning_inlined
def choice(scratch: Scratch, t: int) -> Any:
    """A turn as the engine's action."""
    code = scratch.turns[t, 1]
    if code == RAISES:
        return max(np.int64(RAISE), scratch.turns[t, 2] // scratch.reading[0].parts)
    return np.int64(CALL) if code == CALLS else np.int64(FOLD)


@scanning
def leave(r: Any, h: Any) -> None:
    """Fold where a check is free, which `take` would turn into a check. Writes `h`."""
    bit = 1 << h.actor
    h.live &= ~bit
    h.pending &= ~bit
    h.acted |= bit
    pass_turn(r, h)
