"""A style belief that is told single observations, written as the events that the table would tell."""

from collections.abc import Sequence
from typing import Any

from nemesis.believe.style_belief import StyleBelief
from nemesis.observe.event import ACTS, SHOWS, Event, new_events


class ObservedBelief(StyleBelief):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.event = new_events()
        self.event["me"] = -1

    def learn(
        self, action: int, street: int, to_call: int, seat: int, *, can_raise: bool = True, opponents: int = 1
    ) -> None:
        event = self.event[0]
        event["kind"], event["seat"], event["street"], event["action"] = ACTS, seat, street, action
        event["to_call"], event["max_to"], event["opponents"] = to_call, int(can_raise), opponents
        self.watch(Event(self.event))

    def show(self, seat: int, win: Sequence[float]) -> None:
        event = self.event[0]
        event["kind"], event["seat"] = SHOWS, seat
        event["win"][: len(win)] = win
        self.watch(Event(self.event))

    def next_hand(self) -> None:
        self.event["hand"] += 1
