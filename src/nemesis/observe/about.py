"""What the source of a hand tells of it beside the hand itself: a row of where it is from and where its payoffs are from."""

from __future__ import annotations

import numpy as np

from nemesis.rules.game import MAX_SEATS

UNKNOWN, FROM_STACKS, FROM_WINNINGS, FROM_RULES = range(4)
"""Where a hand's payoffs come from: nowhere (they are 0), its source's stacks, its winnings, or the replayed pots."""
NO_TIME = np.int64(-(2**62))

ABOUT_ROW = np.dtype(
    (
        np.record,
        [
            ("key", np.uint64),  # of the hand wherever it is read from
            ("file", np.int64),  # which of the files
            ("line", np.int64),  # the first of its lines there
            ("time", np.int64),  # seconds since 1970 by the source's own clock, or NO_TIME
            ("room", np.int64),  # which of the labels
            ("table", np.int64),
            ("currency", np.int64),
            ("scale", np.int64),  # chips to the source's unit
            ("big_blind", np.int64),  # the stakes: the smallest bet, whatever was straddled
            ("result", np.int64),  # where the payoffs come from
            ("decided", np.int64),  # whether `replayed` is known
            ("posts", np.int64),  # positions that posted to come in, as bits
            ("free_folds", np.int64),  # folds where checking was free
            ("live", np.int64),  # positions that never folded, as bits
            ("spent", np.int64, (MAX_SEATS,)),  # chips put in, those that nobody called included
            ("uncalled", np.int64, (MAX_SEATS,)),  # chips that nobody called
            ("replayed", np.int64, (MAX_SEATS,)),  # the payoffs by the rules, without rake
        ],
    )
)
