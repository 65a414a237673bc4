"""Drawings are well-formed, carry what they are given, and never let a name become markup."""

from xml.etree import ElementTree

import pytest

from nemesis.lab.shapes.cards import card_row, card_words
from nemesis.lab.shapes.curves import Line, line_chart
from nemesis.lab.shapes.figures import belief_bars, option_bars, whisker_rows
from nemesis.lab.shapes.heat import heat_map
from nemesis.lab.shapes.networks import Link, network_drawing
from nemesis.lab.shapes.svg import nice_ticks, signed
from nemesis.rules.by_name import game
from nemesis.rules.cards import parse_cards

NASTY = '<img src=x onerror="alert(1)">&'
INF = float("inf")


def drawings(name: str) -> dict[str, str]:
    return {
        "whiskers": whisker_rows([(name, (1.0, -2.0, 4.0), name)], unit=name, ceilings={name: 9.0}),
        "unbounded": whisker_rows([(name, (1.0, -INF, INF), name)]),
        "belief": belief_bars([name, "tp"], [0.3, 0.7], [[0.5, 0.5], [0.3, 0.7]], changes=[1]),
        "options": option_bars([(name, -3.0, "var(--fold)", name), ("call", 2.0, "var(--call)", "")], chosen=name),
        "lines": line_chart(
            [Line(name, [0, 1], [2.0, 3.0], [1, 1], [4, 4]), Line("b", [0], [1.0])], x=name, y=name, ceiling=5
        ),
        "heat": heat_map([name], [name, "b"], [[1.0, None]], [[0.5, None]], unit=name),
        "network": network_drawing([[name], ["out"]], [Link(name, "out", -0.5)], {name: 0.2}),
        "cards": card_row(game("no-limit", 2), [*parse_cards("AsTd"), None], places=5),
    }


@pytest.mark.parametrize("what", list(drawings("la")))
def test_a_drawing_is_well_formed_whatever_things_are_called(what: str) -> None:
    for name in ("la", NASTY, ""):
        root = ElementTree.fromstring(drawings(name)[what])
        assert root.tag.endswith("svg")
        assert not list(root.iter("{http://www.w3.org/2000/svg}img"))


def test_a_bar_is_as_long_as_the_belief() -> None:
    root = ElementTree.fromstring(belief_bars(["la", "tp"], [0.25, 0.75]))
    bars = [r for r in root.iter("{http://www.w3.org/2000/svg}rect") if r.get("class") == "move"]
    assert float(bars[1].get("width") or 0) == pytest.approx(3 * float(bars[0].get("width") or 0), rel=0.01)


def test_cards_are_said_in_words() -> None:
    holdem = game("no-limit", 2)
    assert [card_words(holdem, card) for card in parse_cards("As Td 2c")] == [
        "ace of spades",
        "10 of diamonds",
        "2 of clubs",
    ]
    assert card_words(game("one-card", 2), 6) == "7"


def test_numbers_are_written_as_people_read_them() -> None:
    assert (signed(-1234.4), signed(12, 1), signed(float("nan"))) == ("−1,234", "+12.0", "?")
    assert nice_ticks(0, 10, 5) == [0, 2, 4, 6, 8, 10]
    assert nice_ticks(3, 3) == [3]
