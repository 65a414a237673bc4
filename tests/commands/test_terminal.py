"""A person at the terminal: what is said, and what may be typed."""

import pytest

import nemesis
from nemesis.commands.terminal import LeftTable, Terminal
from nemesis.play.match import Player
from nemesis.play.session import OpenSeat, Session
from nemesis.rules import games
from nemesis.rules.game import Game


def sit(
    game: Game, *typed: str, against: str = "call", seed: int = 1, hands: int | None = None
) -> tuple[str, Terminal]:
    """What a person reads who types these answers and then leaves."""
    session = Session(
        game, [OpenSeat("you"), Player(against, lambda g: nemesis.agent(against, g))], seed=seed, hands=hands
    )
    said: list[str] = []
    answers = iter(typed)

    def ask(prompt: str) -> str:
        answer = next(answers, "q")
        if answer == "end of file":
            raise EOFError
        if answer == "ctrl-c":
            raise KeyboardInterrupt
        return answer

    person = Terminal(session, 0, ("you", against), ask=ask, say=said.append, hints=True)
    try:
        person.play()
    except LeftTable:
        said.append("left")
    return "\n".join(said), person


def test_you_show_and_they_show_cards() -> None:
    text, person = sit(games.limit(), *["c"] * 4)
    assert "you show " in text
    assert "call shows " in text
    assert "you shows" not in text
    assert person.hands == 1


@pytest.mark.parametrize(
    ("game", "typed", "sentence"),
    [
        (games.limit(), "r 99", "a raise must be to 20, not '99'"),
        (games.no_limit(), "r 30", "a raise must be to a number from 200 to 20000, not '30'"),
        (games.no_limit(), "r " + "9" * 5000, "a raise must be to a number from 200 to 20000"),
        (games.no_limit(), "r ²", "a raise must be to a number from 200 to 20000, not '²'"),
        (games.limit(), "?", "f fold · c check or call · r raise · q leave"),
        (games.no_limit(), "?", "r 300 raise to 300"),
        (games.limit(), "f", "checking is free, so there is nothing to fold to; c checks"),
    ],
)
def test_what_cannot_be_is_a_sentence(game: Game, typed: str, sentence: str) -> None:
    assert sentence in sit(game, typed)[0]


def test_a_raise_that_is_not_allowed_says_what_is() -> None:
    text, _ = sit(games.kuhn(), "c", "r", "c", "c", "r", "r", against="raise")
    assert "no raise is allowed now; c calls, f folds" in text


@pytest.mark.parametrize("leaving", ["q", "quit", "end of file", "ctrl-c"])
def test_there_are_four_ways_to_leave(leaving: str) -> None:
    text, person = sit(games.limit(), "c", leaving, "c", "c", "c")
    assert text.endswith("left")
    assert person.hands == 0


def test_a_bet_is_not_called_a_raise() -> None:
    text, _ = sit(games.limit(), "c", "c", against="raise")
    assert "raise raises to 20" in text
    assert "raise bets 10" in text
    assert "checking is free, bet 10" in sit(games.limit(), "c")[0]


def test_the_end_of_a_freeze_out_is_told() -> None:
    text, person = sit(games.one_card(), *["r", "c"] * 500, against="raise")
    assert ("you have no chips left" if person.total < 0 else "you have won every chip") in text
    assert abs(person.total) == 10
