"""Settings as plain data: frozen dataclasses of numbers, texts and tuples, written as JSON and read back checked."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


def plain(settings: Any) -> dict[str, Any]:
    """The fields as plain data."""
    return dataclasses.asdict(settings)


def from_plain(kind: type[T], data: Any, what: str) -> T:
    """Settings of this kind from plain data; fields that are missing have their usual values.

    A field that does not exist, or a value that is not of its kind, is refused with a sentence about `what`.
    """
    if not isinstance(data, Mapping):
        raise ValueError(f"{what} is an object with named fields, not {data!r}")
    fields: tuple[dataclasses.Field[Any], ...] = dataclasses.fields(kind)  # type: ignore[arg-type]
    strange = sorted(set(data) - {field.name for field in fields})
    if strange:
        known = ", ".join(sorted(field.name for field in fields))
        raise ValueError(f"{what} has no {', '.join(map(str, strange))}; its fields are {known}")
    missing = sorted({field.name for field in fields if field.default is dataclasses.MISSING} - set(data))
    if missing:
        raise ValueError(f"{what} needs {', '.join(missing)}")
    hints = get_type_hints(kind)
    values = {}
    for name, value in data.items():
        try:
            values[name] = _fitting(value, hints[name])
        except TypeError:
            raise ValueError(f"{what} has {name} {value!r}, which is not {_told(hints[name])}") from None
    return kind(**values)


def check_ranges(what: str, settings: Any, **ranges: tuple[float, float]) -> None:
    """Refuse a field that is outside its range; a range of whole numbers is for whole numbers."""
    for name, (low, high) in ranges.items():
        value, whole = getattr(settings, name), isinstance(low, int)
        if isinstance(value, bool) or not isinstance(value, int if whole else int | float) or not low <= value <= high:
            kind = "a whole number" if whole else "a number"
            raise ValueError(f"{what} has {name} {value!r}; it must be {kind} from {low:,} to {high:,}")


def _fitting(value: Any, hint: Any) -> Any:
    """The value, lists made tuples, if it is what the annotation of its field says."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        for choice in inner:
            try:
                return _fitting(value, choice)
            except TypeError:
                continue
        raise TypeError
    if origin is tuple and isinstance(value, list | tuple):
        hints = [inner[0]] * len(value) if inner[-1] is Ellipsis else list(inner)
        if len(hints) != len(value):
            raise TypeError
        return tuple(_fitting(part, each) for part, each in zip(value, hints, strict=True))
    if origin is Literal:
        fits = value in inner
    elif hint is float:
        fits = isinstance(value, int | float) and not isinstance(value, bool)
    else:
        fits = origin is not tuple and type(value) is hint
    if not fits:
        raise TypeError
    return value


def _told(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " or ".join(map(str, get_args(hint)))
    words = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}
    return words.get(hint, "what it must be")
