"""AMLab's card monitor and opponent model monitor: one decision, what could be seen, and what both networks make of it."""

from __future__ import annotations

from nemesis.believe.pom_patterns import ACTIONS, POTENCY
from nemesis.lab.amlab import Bench
from nemesis.lab.frame import drawn, heading, note
from nemesis.lab.shapes.cards import card_row
from nemesis.lab.shapes.figures import belief_bars
from nemesis.lab.shapes.perceptron import STREETS, input_rows
from nemesis.rules.games import no_limit

SHADES = {POTENCY[0]: "var(--purple)", POTENCY[1]: "var(--lp)"}


class PatternPanel:
    """The decision that is chosen in one of the three sets."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench

    def show(self) -> None:
        """Put the monitors where we are."""
        heading("Card monitor", "The board at the chosen decision, and the cards if they were shown.")
        self.cards = drawn()
        self.card_note = note("")
        heading("Opponent model monitor", "What the model says of the chosen decision.")
        self.answer = drawn()
        self.verdict = note("")
        self.inputs_title = note("What the network is shown:")
        self.inputs = drawn(classes="list tall")

    def draw(self, network: str, kind: str, at: int) -> None:
        """Show decision number `at` of a set, as this network sees it."""
        loaded = self.bench.sets.get(kind)
        chosen = loaded is not None and at < len(loaded.patterns.done)
        self.inputs_title.set_visibility(chosen)
        if loaded is None or not chosen:
            for place in (self.cards, self.answer, self.inputs):
                place.content = ""
            self.card_note.text = "Load a set, then choose a decision in one of the three lists."
            self.verdict.text = ""
            return
        one = loaded.patterns.part(slice(at, at + 1))
        board = [int(card) for card in one.board[0] if card >= 0]
        hole: list[int | None] = [int(card) if card >= 0 else None for card in one.hole[0]]
        game = no_limit()
        rows = card_row(game, hole, height=56) + card_row(game, board, height=56, places=5)
        self.cards.content = f'<div class="cards">{rows}</div>'
        hidden = "" if hole[0] is not None else ": cards not shown"
        self.card_note.text = f"{loaded.player}, hand {int(one.round[0]) + 1:,}, {STREETS.get(len(board), '')}{hidden}."
        said = self.bench.model.predict(one)
        potency = [min(1.0, max(0.0, value)) for value in said.potency[0].tolist()]
        bars = belief_bars(ACTIONS, said.likely[0].tolist(), width=300)
        self.answer.content = bars + belief_bars(POTENCY, potency, width=300, colours=SHADES)
        best, done = ACTIONS[int(said.likely[0].argmax())], ACTIONS[int(one.done[0])]
        truth = f" True potential {one.potency[0, 0]:.0%}, strength {one.potency[0, 1]:.0%}." if one.shown[0] else ""
        self.verdict.text = (
            f"It says {best}; the player did {done}{' ✓' if best == done else ' ✗'}. "
            f"Potential and strength are off by {said.tolerance:.0%} on average.{truth}"
        )
        values = self.bench.shown_to(network, kind, at)
        self.inputs.content = input_rows(self.bench.network(network), values.tolist())
