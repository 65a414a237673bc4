"""A plain Python agent: plays good hands, and fewer of them the more it has seen its opponents raise.

    nemesis duel examples/patient.py:Patient la --game limit

It shows the whole protocol: `sit` when a match begins, `act` on a view, `watch` events. Only `act` is required.
"""

from nemesis import Agent
from nemesis.observe.event import ACTS, Event
from nemesis.observe.view import View
from nemesis.rules.betting import CALL, FOLD, RAISE
from nemesis.rules.game import Game


class Patient(Agent):
    """Calls with a fair share of the pot's price, raises with strong hands, respects players who seldom raise."""

    name = "patient"
    facts = ("win",)

    def sit(self, game: Game, seat: int) -> None:
        """Forget the last match."""
        self.actions = 2
        self.raises = 1

    def watch(self, event: Event) -> None:
        """Count how often the others raise."""
        if event.kind == ACTS and event.seat != event.me:
            self.actions += 1
            self.raises += event.action == RAISE

    def act(self, view: View) -> int:
        """Compare the chance to win with the price, asking for more against opponents whose raises mean something."""
        win = view.win**view.opponents
        respect = 0.25 * (1 - self.raises / self.actions) if view.raises else 0.0
        price = view.to_call / (view.pot + view.to_call)
        if win > 0.6 + respect:
            return RAISE
        return CALL if win > price + respect or not view.to_call else FOLD
