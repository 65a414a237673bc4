"""What every drawing needs: elements, text that cannot become markup, colours by meaning, numbers as people read them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape

STYLES = ("la", "lp", "ta", "tp")
SERIES = ("var(--tp)", "var(--la)", "var(--green)", "var(--lp)", "var(--ta)", "var(--purple)")
"""For lines that have no colour of their own."""
Look = dict[str, float | str]
"""Attributes of an element."""
COLOURS: Mapping[str, str] = {
    **{style: f"var(--{style})" for style in STYLES},
    "fold": "var(--fold)",
    "check": "var(--call)",
    "call": "var(--call)",
    "raise": "var(--raise)",
    "bet": "var(--bet)",
}


def svg(width: float, height: float, body: str, *, says: str = "", stretch: bool = True) -> str:
    """The drawing in its element; `says` describes it to whoever cannot see it."""
    size = f'width="100%" style="max-width:{width:g}px"' if stretch else f'width="{width:g}" height="{height:g}"'
    role = f'role="img" aria-label="{escape(says, quote=True)}"' if says else 'aria-hidden="true"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" {size} {role}>{body}</svg>'


def text(
    x: float, y: float, words: str, *, size: float = 12, anchor: str = "start", quiet: bool = False, bold: bool = False,
    fill: str = "",
) -> str:  # fmt: skip
    """Words at a place; y is the base line."""
    look = (' class="quiet"' if quiet else "") + (' font-weight="650"' if bold else "")
    look += f' style="fill:{fill}"' if fill else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}"{look}>{escape(words)}</text>'


def tag(name: str, inside: str = "", /, **attributes: float | str) -> str:
    """An element; numbers are rounded, `stroke_width` is written stroke-width and `look` is its class."""
    parts = [f'{_attribute(key)}="{_value(value)}"' for key, value in attributes.items() if value != ""]
    return f"<{' '.join([name, *parts])}>{inside}</{name}>"


def _attribute(key: str) -> str:
    return "class" if key == "look" else key.replace("_", "-")


def _value(value: float | str) -> str:
    return escape(value, quote=True) if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")


def title(words: str) -> str:
    """What is shown when the mouse rests on the element that this stands in."""
    return f"<title>{escape(words)}</title>"


def size_colour(pots: float) -> str:
    """The colour of a bet or raise by its size in pots: orange for small ones to red for the largest."""
    share = max(0.0, min(1.0, pots / 2.0))
    return f"color-mix(in srgb, var(--raise) {100 * share:.0f}%, var(--bet))"


def signed(value: float, digits: int = 0) -> str:
    """A number with its sign, a true minus and separators: +1,204."""
    if not math.isfinite(value):
        return "?" if math.isnan(value) else ("+∞" if value > 0 else "−∞")
    return f"{value:+,.{digits}f}".replace("-", "−")


def plain(value: float, digits: int = 0) -> str:
    """A number with a true minus and separators."""
    return f"{value:,.{digits}f}".replace("-", "−") if math.isfinite(value) else "?"


def nice_ticks(low: float, high: float, count: int = 4) -> list[float]:
    """Round numbers between two ends, about so many."""
    if not (math.isfinite(low) and math.isfinite(high)) or high <= low:
        return [low] if math.isfinite(low) else []
    raw = (high - low) / max(1, count)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(step * power for step in (1, 2, 2.5, 5, 10) if step * power >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [step * k for k in range(first, math.floor(high / step + 1e-9) + 1)]
