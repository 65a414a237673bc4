"""How a measured figure stands to a published one, in words that follow from its interval."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from nemesis.measure.interval import Interval

Standing = Literal["as published", "better", "not reached"]
STANDINGS: tuple[Standing, ...] = ("as published", "better", "not reached")


def standing(ci95: Interval, published: float, rounding: float = 0.005) -> Standing:
    """Better or not reached where the interval leaves out the published figure, which is known to within `rounding`."""
    low, high = ci95
    return "better" if low > published + rounding else "not reached" if high < published - rounding else "as published"


def by_standing(standings: Mapping[str, Standing]) -> str:
    """`better: LA, LP; not reached: TP`."""
    groups = {word: [what for what, stands in standings.items() if stands == word] for word in STANDINGS}
    return "; ".join(f"{word}: {', '.join(group)}" for word, group in groups.items() if group)


def listed(words: Iterable[str]) -> str:
    """`a, b and c`; `none` of nothing."""
    all_words: Sequence[str] = list(words)
    if len(all_words) < 2:
        return all_words[0] if all_words else "none"
    return f"{', '.join(all_words[:-1])} and {all_words[-1]}"


def percent(value: float) -> str:
    """`57.3 %`."""
    return f"{100 * value:.1f} %"


def between(ci95: Interval) -> str:
    """`55.1 … 59.4 %`."""
    return f"{100 * ci95[0]:.1f} … {100 * ci95[1]:.1f} %"
