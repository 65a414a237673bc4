"""Words can be read in both themes: every pair of text and ground has the contrast that WCAG's level AA asks for."""

import re
from pathlib import Path

import pytest

from nemesis.lab.shapes import cards
from nemesis.lab.shapes.heat import DEEPEST

CSS = (Path(cards.__file__).parent.parent / "assets" / "lab.css").read_text(encoding="utf-8")
TEXT, SIGNS = 4.5, 3.0
"""What AA asks for of words, and of the edges of what can be pressed."""
GROUNDS = ("paper", "panel", "sunk")
WORDS = ("ink", "quiet", "accent", "good", "bad")
SUITS = ("club", "diamond", "heart", "spade")


def tokens(theme: str) -> dict[str, str]:
    """The colours of a theme by name; the dark one changes those of the light one."""
    found: dict[str, str] = {}
    for selector, block in re.findall(r"^(body(?:\.body--dark)?) \{(.*?)\}", CSS, re.DOTALL | re.MULTILINE):
        if selector == "body" or theme == "dark":
            found |= dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})\b", block))
    return found


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2.1 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """From 1, the same, to 21, black on white."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def mixed(colour: str, share: float, other: str) -> str:
    """What `color-mix` in sRGB makes of two colours."""
    pairs = [(int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in pairs)


def test_contrast_is_measured_as_the_standard_does() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_stand_out_from_every_ground(theme: str) -> None:
    colour = tokens(theme)
    poor = {
        f"{word} on {ground}": round(contrast(colour[word], colour[ground]), 2)
        for word in (*WORDS, *SUITS)
        for ground in GROUNDS
        if contrast(colour[word], colour[ground]) < TEXT
    }
    assert poor == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_on_buttons_and_on_the_felt_stand_out(theme: str) -> None:
    colour = tokens(theme)
    on_main = "#ffffff" if theme == "light" else re.search(r"body--dark \.lab-button\.main \{ color: (#\w+)", CSS)[1]  # type: ignore[index]
    pairs = {
        "call": ("#ffffff", colour["call-button"]),
        "raise": ("#ffffff", colour["raise-button"]),
        "fold": (colour["ink"], colour["fold-button"]),
        "main": (on_main, colour["accent"]),
        "felt": (colour["felt-ink"], colour["felt"]),
        **{f"pill, {kind}": ("#10161c", colour[kind]) for kind in ("fold", "call", "raise", "bet")},
        **{f"card, {suit or 'none'}": (ink, colour["card"]) for suit, ink in cards._INK.items()},
    }
    poor = {name: round(contrast(*pair), 2) for name, pair in pairs.items() if contrast(*pair) < TEXT}
    assert poor == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_on_mixed_grounds_stand_out(theme: str) -> None:
    colour = tokens(theme)
    chosen = mixed(colour["accent"], 0.16, colour["panel"])
    chips = [
        mixed(colour[kind], share, colour["panel"]) for kind, share in (("good", 0.22), ("bet", 0.26), ("bad", 0.24))
    ]
    heat = [mixed(colour[sign], DEEPEST / 100, colour["panel"]) for sign in ("plus", "minus")]
    assert min(contrast(colour["ink"], ground) for ground in (chosen, *chips, *heat)) >= TEXT
    assert contrast(colour["quiet"], chosen) >= TEXT


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_has_the_focus_is_seen(theme: str) -> None:
    colour = tokens(theme)
    assert min(contrast(colour["accent"], colour[ground]) for ground in GROUNDS) >= SIGNS


def test_nothing_moves_for_whoever_asks_for_that() -> None:
    rule = re.search(r"@media \(prefers-reduced-motion: reduce\) \{(.*)\}", CSS)
    assert rule
    assert "transition: none !important" in rule[1]
    assert "animation: none !important" in rule[1]
