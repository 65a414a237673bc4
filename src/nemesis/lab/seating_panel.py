"""Who sits at a table, chosen on the left: the game, the number of seats, an agent for each, and the seed of the cards."""

from __future__ import annotations

from functools import partial

from nicegui import ui

from nemesis.lab.fields import choice, number
from nemesis.lab.opponents import opponents
from nemesis.names import GAMES
from nemesis.rules.by_name import game as named_game
from nemesis.rules.game import MAX_SEATS

MOST_SEED = 2**53


class SeatingPanel:
    """Fields for a table. The first `taken` seats belong to the visitor, the others to agents."""

    def __init__(self, game: str, players: list[str], seed: int | None, *, taken: int) -> None:
        self.game, self.players, self.seed, self.taken = game, players, seed, taken

    def show(self) -> None:
        """Put the fields where we are."""
        with ui.element("div").classes("pair"):
            self._game_field = choice("game", list(GAMES), self.game, self._set_game)
            self._seats_field = number(
                "seats", len(self.players) + self.taken, self._set_seats, least=2, most=MAX_SEATS
            )
        self._player_fields = ui.element("div").classes("stack")
        self._fill()
        self._seed_field = number("seed (empty: any)", 0, lambda _: None, least=0, most=MOST_SEED)
        self._seed_field.value = self.seed
        self._seed_field.on_value_change(lambda event: self._set_seed(event.value))

    def choose(self, game: str, players: list[str]) -> None:
        """Change what is chosen from elsewhere."""
        self.game, self.players = game, list(players)
        self._game_field.value = game
        self._seats_field.value = len(self.players) + self.taken
        self._fill()

    def _fill(self) -> None:
        self._player_fields.clear()
        names = opponents()
        with self._player_fields:
            for at, name in enumerate(self.players):
                known = names if name in names else [name, *names]
                label = "opponent" if self.taken and len(self.players) == 1 else f"seat {at + self.taken + 1}"
                made = choice(label, known, name, partial(self._set_player, at), typed=True)
                made.props("new-value-mode=add-unique").tooltip("Type any agent's name, such as tp+bluff=0.12")

    def _set_game(self, name: str) -> None:
        self.game = name
        self._set_seats(named_game(name).seats)
        self._seats_field.value = len(self.players) + self.taken

    def _set_seats(self, seats: float) -> None:
        wanted = int(seats) - self.taken
        if wanted != len(self.players):
            self.players = [*self.players[:wanted], *[self.players[-1]] * (wanted - len(self.players))]
            self._fill()

    def _set_player(self, at: int, name: str) -> None:
        self.players[at] = name

    def _set_seed(self, value: object) -> None:
        inside = isinstance(value, (int, float)) and 0 <= value <= MOST_SEED
        self.seed = int(value) if inside and isinstance(value, (int, float)) else None
