"""Plain PHH text to rows of hands and actions in compiled code: the fast path of `observe.history`.

`read_on` walks through texts line by line, finds the fields of each hand (`phh_fields`), and reads stakes, actions, rules,
cards and source, each in a file of its own; the betting engine plays the turns and the pots are divided. It takes only
what it fully understands. Every other hand is marked odd, with the place of its text, and the complete reader
(`observe.phh`) has the last word on it; both must say the same of a hand that both take. The one exception are folds
where checking was free: people do fold then, the engine cannot, and here they are rows like any other.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nemesis.observe.phh_actions import read_actions
from nemesis.observe.phh_betting import play_turns
from nemesis.observe.phh_cards import find_shown, lay_cards
from nemesis.observe.phh_chips import settle_chips
from nemesis.observe.phh_fields import (
    ACTIONS,
    ANTES,
    BLINDS,
    GAME,
    STACKS,
    VARIANT,
    find_fields,
    is_header,
    line_end,
)
from nemesis.observe.phh_rules import game_number, games_full, lay_out_rules
from nemesis.observe.phh_sheet import LABELS, SHORTEST_HAND, Sheet
from nemesis.observe.phh_source import name_hand, read_source
from nemesis.observe.phh_stakes import choose_chip, read_stakes
from nemesis.observe.toml_bytes import is_nearly_full, scanning, scanning_inlined
from nemesis.rules.evaluator import EvaluatorTables
from nemesis.rules.game import MAX_SEATS

FINISHED, MORE_ROOM = 0, 1


@scanning
def read_on(data: NDArray[np.uint8], spans: NDArray[np.int64], sheet: Sheet, tables: EvaluatorTables) -> Any:
    """Read the texts on; `spans` has start, end and first line of each. Returns FINISHED, or MORE_ROOM for names."""
    place = sheet.place[0]
    while place.span < spans.shape[0]:
        end = spans[place.span, 1]
        if place.line == 0:
            place.line = spans[place.span, 2]
        if place.at >= end:
            place.span += 1
            place.line = 0
            continue
        if is_nearly_full(sheet.players, MAX_SEATS) or is_nearly_full(sheet.labels, LABELS) or games_full(sheet.games):
            return MORE_ROOM
        start = place.at
        at = start
        headed = is_header(data, at, end)
        if headed:
            at = line_end(data, at, end)
            place.line += 1
        first_line = place.line
        at, lines, content, plain = find_fields(data, at, end, sheet.scratch.fields)
        place.line += lines
        place.at = at
        if not headed and not content:
            continue
        row = place.hands
        place.hands += 1
        sheet.id_ends[row] = place.ids
        if not (plain and at - start >= SHORTEST_HAND and read_hand(data, sheet, row, tables)):
            odd = sheet.odd[place.odd]
            odd.row = row
            odd.span = place.span
            odd.start = start
            odd.end = at
            odd.line = first_line
            place.odd += 1
        sheet.about[row].file = place.span
        sheet.about[row].line = first_line
    return FINISHED


@scanning_inlined
def read_hand(data: NDArray[np.uint8], sheet: Sheet, row: int, tables: EvaluatorTables) -> Any:
    """Write the rows of the hand whose fields were found; False if it is not plain, or did not happen by the rules."""
    scratch = sheet.scratch
    fields = scratch.fields
    d = sheet.hands[row]
    b = sheet.about[row]
    for field in (VARIANT, ANTES, BLINDS, STACKS, ACTIONS):
        if fields[field, 0] < 0:
            return False
    if fields[GAME, 0] >= 0 or not (
        read_stakes(data, scratch, d)
        and read_actions(data, fields[ACTIONS, 0], fields[ACTIONS, 1], scratch, d)
        and choose_chip(scratch, d, b)
        and lay_out_rules(scratch, d, b)
        and lay_cards(scratch, d)
        and read_source(data, scratch, d, b)
        and play_turns(sheet, row, d, b)
        and find_shown(data, scratch, d)
        and settle_chips(scratch, d, b, tables)
    ):
        return False
    d.rules = game_number(scratch.rules[0], sheet.games)
    sheet.place[0].actions += d.actions
    name_hand(data, sheet, row, d, b)
    return True
