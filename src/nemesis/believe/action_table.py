"""How often each style folds, calls and bets: what a style belief is built on (Baker 2010, sections 4.2.4, 7.5, 7.6).

The source's table has one row per style, later one per street. Ours can also hold, as plain counts, how often each style did
what in every *situation* and with every *strength* of a hand that was shown (see `situation`). Where a style was hardly
ever seen in such a row, it is taken to act there like all styles together, so that the row says nothing about it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.situation import SHOWN, SITUATIONS
from nemesis.rules.game import MAX_STREETS

ACTIONS = ("fold", "call", "bet")
DEFAULT_FLOOR = 0.001
MOST_COUNTED = 10**15

Variant = Literal["plain", "street", "situation", "showdown"]
"""What a belief tells apart: nothing, streets, situations, or situations and the hands shown."""
VARIANTS: tuple[Variant, ...] = get_args(Variant)


@dataclass(frozen=True, eq=False)
class ActionTable:
    """P(fold, call, bet | style, street) among informative actions, and how it was found.

    `counts` is what was counted, by the same axes; it weighs the streets when they are pooled. Without it (a table from
    print) every street weighs the same. `situations` and `shown` are counts by style, row and action.
    """

    styles: tuple[str, ...]
    probabilities: NDArray[np.float64]
    how: Mapping[str, Any] = field(default_factory=dict)
    counts: NDArray[np.int64] | None = None
    situations: NDArray[np.int64] | None = None
    shown: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        probabilities = np.asarray(self.probabilities, np.float64)
        object.__setattr__(self, "probabilities", probabilities)
        object.__setattr__(self, "styles", tuple(self.styles))
        shape = probabilities.shape
        if len(shape) != 3 or shape[0] != len(self.styles) or not 1 <= shape[1] <= MAX_STREETS or shape[2] != 3:
            raise ValueError(
                f"an action table of {len(self.styles)} styles has probabilities of shape {shape}; it needs "
                f"({len(self.styles)}, streets, 3)"
            )
        if len(set(self.styles)) != len(self.styles) or len(self.styles) < 2:
            raise ValueError(f"an action table needs two or more different styles, not {', '.join(self.styles)}")
        if not (probabilities >= 0).all() or not np.allclose(probabilities.sum(axis=2), 1.0, atol=0.02):
            raise ValueError("each row of an action table (fold, call, bet) must be three shares that sum to 1")
        if self.counts is not None and self.counts.shape != shape:
            raise ValueError(f"an action table of shape {shape} cannot have counts of shape {self.counts.shape}")
        for name, rows in (("situations", SITUATIONS), ("shown", SHOWN)):
            more, fits = getattr(self, name), (shape[0], shape[1] * rows, 3)
            if more is not None and more.shape != fits:
                raise ValueError(f"an action table of shape {shape} has {name} of shape {more.shape}; it needs {fits}")

    @classmethod
    def from_counts(
        cls, styles: Iterable[str], counts: NDArray[np.int64], how: Mapping[str, Any] | None = None
    ) -> ActionTable:
        """The shares of what was counted; a street nobody reached gets the style's shares over all streets."""
        counts = np.asarray(counts, np.int64)
        pooled = counts.sum(axis=1, keepdims=True)
        if not pooled.sum(axis=2).all():
            silent = [style for style, seen in zip(styles, pooled.sum(axis=(1, 2)), strict=True) if seen == 0]
            raise ValueError(f"no informative action of {', '.join(silent)} was seen, so nothing can be said about it")
        filled = np.where(counts.sum(axis=2, keepdims=True) > 0, counts, pooled).astype(np.float64)
        return cls(tuple(styles), filled / filled.sum(axis=2, keepdims=True), how or {}, counts)

    def with_situations(self, situations: NDArray[np.int64], shown: NDArray[np.int64]) -> ActionTable:
        """The same table with counts by situation and by strength of shown hands."""
        return replace(self, situations=np.asarray(situations, np.int64), shown=np.asarray(shown, np.int64))

    def for_variant(self, variant: Variant) -> ActionTable:
        """The table without what this variant does not look at."""
        rich = variant in ("situation", "showdown")
        return replace(
            self, situations=self.situations if rich else None, shown=self.shown if variant == "showdown" else None
        )

    @property
    def streets(self) -> int:
        """How many streets the table tells apart."""
        return int(self.probabilities.shape[1])

    def pooled(self) -> ActionTable:
        """The same table with all streets taken together."""
        if self.streets == 1:
            return self
        if self.counts is not None:
            return ActionTable.from_counts(self.styles, self.counts.sum(axis=1, keepdims=True), self.how)
        return ActionTable(self.styles, self.probabilities.mean(axis=1, keepdims=True), self.how)

    def counted(self, variant: Variant = "plain") -> NDArray[np.int64] | None:
        """What was counted in each row of a variant: (style, row, action). Rows of shown hands follow the situations."""
        if variant in ("plain", "street"):
            table = self if variant == "street" else self.pooled()
            return table.counts
        if variant not in VARIANTS:
            raise ValueError(f"there is no belief by {variant!r}; there are {', '.join(VARIANTS)}")
        wanted = [self.situations] if variant == "situation" else [self.situations, self.shown]
        counts = [part for part in wanted if part is not None]
        if len(counts) < len(wanted):
            raise ValueError(
                f"this action table has no counts by situation, so a belief by {variant} cannot be built on it; "
                "measure one with measure_action_table"
            )
        return np.concatenate(counts, axis=1)

    def rows(self, variant: Variant = "plain") -> NDArray[np.float64]:
        """P(fold, call, bet) by style and row of a variant."""
        counts = self.counted(variant)
        if variant in ("plain", "street"):
            return (self if variant == "street" else self.pooled()).probabilities
        assert counts is not None
        together = counts.sum(axis=0) + 1e-9
        usual = together / together.sum(axis=1, keepdims=True)
        shares: NDArray[np.float64] = (counts + usual) / (counts.sum(axis=2, keepdims=True) + 1)
        return shares

    def floored(self, floor: float = DEFAULT_FLOOR, variant: Variant = "street") -> NDArray[np.float64]:
        """The probabilities with none below (about) `floor`, each row summing to 1."""
        if not 0 < floor < 1 / 3:
            raise ValueError(f"the floor of an action table must lie between 0 and 1/3, not {floor}")
        raised = np.maximum(self.rows(variant), floor)
        floored: NDArray[np.float64] = raised / raised.sum(axis=2, keepdims=True)
        return floored

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        more = {"situations": self.situations, "shown": self.shown}
        return {
            "styles": list(self.styles),
            "actions": list(ACTIONS),
            "probabilities": np.round(self.probabilities, 6).tolist(),
            "counts": None if self.counts is None else self.counts.tolist(),
            "how": dict(self.how),
        } | {name: counts.tolist() for name, counts in more.items() if counts is not None}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ActionTable:
        """From what `to_json` gave; a `ValueError` says what is missing or wrong."""
        missing = {"styles", "probabilities"} - set(data)
        if missing:
            raise ValueError(f"this is not an action table: it has no {' and no '.join(sorted(missing))}")
        styles, how = data["styles"], data.get("how", {})
        if not isinstance(styles, list | tuple) or not all(isinstance(style, str) for style in styles):
            raise ValueError("the styles of an action table are a list of names")
        if data.get("counts") is not None:
            table = cls.from_counts(tuple(styles), _counts(data, "counts"), how)
        else:
            try:
                probabilities = np.array(data["probabilities"], np.float64)
            except (TypeError, ValueError, OverflowError):
                raise ValueError(
                    "the probabilities of an action table are numbers by style, street and action"
                ) from None
            table = cls(tuple(styles), probabilities, how)
        situations, shown = (_counts(data, name) if name in data else None for name in ("situations", "shown"))
        return replace(table, situations=situations, shown=shown)


def _counts(data: Mapping[str, Any], name: str) -> NDArray[np.int64]:
    try:
        counts = np.array(data[name])
    except (ValueError, OverflowError):
        counts = np.zeros(0, np.float64)
    if counts.ndim != 3 or counts.dtype.kind != "i" or not ((counts >= 0) & (counts <= MOST_COUNTED)).all():
        raise ValueError(f"the {name} of an action table are whole numbers by style, row and action, none negative")
    return counts.astype(np.int64)


def read_table(path: Path) -> ActionTable:
    """An action table from a JSON file."""
    try:
        data = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise ValueError(f"the action table {path.name} cannot be read: {error}") from None
    return ActionTable.from_json(data)
