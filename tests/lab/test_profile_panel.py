"""The hands on the right of a profile, when the store is slower than the visitor."""

import asyncio
from typing import Any, cast

import pytest
from nicegui import Client, ui
from nicegui.page import page

from nemesis.lab import profile_panel
from nemesis.lab.profile_panel import ProfilePanel
from nemesis.lab.store_view import PlayerView
from nemesis.measure.player_hands import PlayedHand


class SlowStore:
    """Answers when it is told to: for every question the number that was asked for, and its answer to be given."""

    def __init__(self) -> None:
        self.asked: list[tuple[str | None, asyncio.Future[tuple[int, list[PlayedHand]]]]] = []

    async def hands(self, player: int, number: str | None, *page: Any) -> tuple[int, list[PlayedHand]]:
        answer = asyncio.get_running_loop().create_future()
        self.asked.append((number, answer))
        found: tuple[int, list[PlayedHand]] = await answer
        return found

    def answer(self, at: int, name: str) -> None:
        hand = PlayedHand(at, name, None, 6, None, "", 1.0, 1.0, 1)
        self.asked[at][1].set_result((1, [hand]))


async def nothing(*_: Any) -> None:
    """Where a click leads does not matter here."""


def words(place: ui.element) -> list[str]:
    return [part.text for part in place.descendants() if isinstance(part, ui.label)]


async def drawn_after(store: SlowStore, order: tuple[int, ...], leaving: bool) -> list[str]:
    """What stands on the right after two questions were asked and answered in an order."""
    with Client(page("/profile"), request=None):
        centre, right = ui.element("div"), ui.element("div")
        panel = ProfilePanel(PlayerView(7, cast(Any, None), []), centre, right, nothing, nothing, nothing)
        first = asyncio.ensure_future(panel.show_hands())
        await asyncio.sleep(0)
        panel.number = "vpip"
        second = asyncio.ensure_future(panel.show_hands())
        await asyncio.sleep(0)
        if leaving:
            panel.leave()
            with right:
                ui.label("another page")
        for at in order:
            store.answer(at, f"answer {at}")
            await asyncio.sleep(0)
        await asyncio.gather(first, second)
        return words(right)


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> SlowStore:
    store = SlowStore()
    monkeypatch.setattr(profile_panel, "store_view", lambda: store)
    return store


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_only_the_last_question_is_drawn(store: SlowStore, order: tuple[int, ...]) -> None:
    """Otherwise a hand could be clicked that is gone when the click arrives."""
    told = asyncio.run(drawn_after(store, order, leaving=False))
    assert [number for number, _ in store.asked] == [None, "vpip"]
    assert "Hands behind VPIP" in told
    assert "hand answer 1" in told
    assert "hand answer 0" not in told


def test_hands_are_not_drawn_over_what_was_opened_since(store: SlowStore) -> None:
    assert asyncio.run(drawn_after(store, (0, 1), leaving=True)) == ["another page"]
