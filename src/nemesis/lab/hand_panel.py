"""A hand replayer: the table after every step, every action in a list, and what the model expected beside what was done."""

from __future__ import annotations

from nicegui import ui

from nemesis.lab.frame import button, drawn, heading, note
from nemesis.lab.progress import on_pick
from nemesis.lab.shapes.felt import SeatShown, action_colour, felt
from nemesis.lab.shapes.prediction import action_list, prediction_bars
from nemesis.lab.store_view import StoredHand
from nemesis.observe.hand_steps import Standing
from nemesis.rules.game import STREETS


class HandPanel:
    """One hand and the step that is shown."""

    def __init__(self, found: StoredHand, hero: str, centre: ui.element, right: ui.element) -> None:
        self.found, self.centre, self.right = found, centre, right
        players = found.hand.players
        self.hero = players.index(hero) if hero in players else 0
        own = [i for i, step in enumerate(found.hand.steps) if step.position == self.hero]
        self.step = own[0] if own else 0

    def show(self) -> None:
        """Put the table, the list and the prediction in their places."""
        with self.centre:
            self.table = drawn(classes="panel replay")
            with ui.element("div").classes("row-line"):
                button("‹ back", lambda: self._move(-1), key="←", says="One step back")
                button("on ›", lambda: self._move(1), key="→", says="One step on")
                button("own decision", self._next_own, key="n", says="On to the next decision of this player")
                self.slider = ui.slider(
                    min=0, max=len(self.found.hand.steps) - 1, value=self.step, on_change=lambda e: self._jump(e.value)
                ).props('aria-label="step of the hand"').classes("grow")  # fmt: skip
            with ui.element("div").classes("panel"):
                heading("The hand", "How likely the model thought what was done, before it was done.")
                self.list = drawn()
                on_pick(self.list, "step", lambda step: self._jump(int(step)))
        with self.right:
            heading("Prediction", "What this player would do, from the hands before this one.")
            self.words = note("")
            self.bars = drawn()
            self.about = note("")
            if self.found.forecast.trained_on:
                note("The model was trained on this very hand: its prediction is no test here.").classes("bad")
        self._draw()

    def _move(self, by: int) -> None:
        self._jump(self.step + by)

    def _next_own(self) -> None:
        own = [i for i, step in enumerate(self.found.hand.steps) if step.position == self.hero]
        self._jump(next((i for i in own if i > self.step), own[0] if own else 0))

    def _jump(self, to: int) -> None:
        to = max(0, min(len(self.found.hand.steps) - 1, int(to)))
        if to != self.step:
            self.step = to
            self._draw()

    def _draw(self) -> None:
        hand, step = self.found.hand, self.found.hand.steps[self.step]
        self.table.content = felt(
            self.found.game, self._seats(step), step.board, round(step.pot / hand.scale), result=self._result(step)
        )
        self.slider.value = self.step
        predictions = self.found.forecast.predictions
        self.list.content = action_list(hand, predictions, self.step, self.hero)
        if step.decision < 0:
            self.words.text = "Deal, cards and the end are nobody's choice. Step on to a decision."
            self.bars.content, self.about.text = "", ""
            return
        said = predictions[step.decision]
        name = hand.players[step.position]
        self.words.text = f"{name}, {STREETS[step.street]}: did {step.what}."
        self.bars.content = prediction_bars(said)
        surprise = said.likely[said.done]
        verdict = "as expected" if surprise >= 0.5 else "a surprise" if surprise < 0.15 else "less likely"
        self.about.text = (
            f"{verdict.capitalize()}: the model gave it {surprise:.0%}, without knowing who it is "
            f"{said.public[said.done]:.0%}. It had seen {said.known:,} decisions of {name}."
        )

    def _seats(self, step: Standing) -> list[SeatShown]:
        """The seats as the replayer shows them, the chosen player below."""
        hand = self.found.hand
        count = len(hand.players)
        over = step.what == "end"
        shown = []
        for turn in range(count):
            p = (self.hero + turn) % count
            last = next(
                (
                    past for past in reversed(self.found.hand.steps[: self.step + 1])
                    if past.position == p and (past.street == step.street or past.what == "fold")
                ),
                None,
            )  # fmt: skip
            cards: tuple[int | None, ...] = hand.cards[p] or (None,) * self.found.game.hole_cards
            did = last.what if last and not over else ""
            kind = {"check": "call", "bet": "raise"}.get(did, did)
            pots = last.amount / max(1, last.pot - last.amount) if last else 0.0
            won = round(hand.payoffs[p] / hand.scale) if over and hand.payoffs else None
            shown.append(
                SeatShown(
                    hand.players[p], round(step.stacks[p] / hand.scale), round(step.wagers[p] / hand.scale),
                    cards if step.live[p] or hand.cards[p] else (), not step.live[p], did,
                    action_colour(kind, pots) if did else "", step.position == p, p == count - 1, won,
                )
            )  # fmt: skip
        return shown

    def _result(self, step: Standing) -> str:
        hand = self.found.hand
        if step.what == "end":
            if hand.payoffs is None:
                return "the source does not tell who won"
            winners = [name for name, chips in zip(hand.players, hand.payoffs, strict=True) if chips > 0]
            return f"{' and '.join(winners)} won" if winners else ""
        return STREETS[step.street] if step.what in ("deal", "street") else ""
