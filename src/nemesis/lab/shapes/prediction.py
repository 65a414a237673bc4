"""What was expected and what was done: bars for one decision, and a hand's actions in a list with a bar for each."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from nemesis.believe.stored_forecast import Prediction
from nemesis.lab.shapes.cards import card_row
from nemesis.lab.shapes.svg import COLOURS, svg, tag, text, title
from nemesis.observe.hand_steps import RecordedHand
from nemesis.rules.game import STREETS
from nemesis.rules.games import no_limit

NAMES = ("fold", "call", "raise")
SHOWN = ("fold", "check / call", "bet / raise")


def prediction_bars(said: Prediction, *, width: int = 300) -> str:
    """A bar for each action, filled as far as it is likely; what was done is framed, a hollow mark is the public guess."""
    label, number, step = 84, 46, 30
    room = width - label - number
    parts = []
    for at, (name, shown) in enumerate(zip(NAMES, SHOWN, strict=True)):
        y = 4 + step * at
        here = at == said.done
        parts.append(text(label - 8, y + 16, shown, anchor="end", size=12, bold=here))
        parts.append(tag("rect", x=label, y=y, width=room, height=step - 9, rx=3, fill="var(--sunk)"))
        share = said.likely[at]
        parts.append(
            tag(
                "rect", title(f"{shown}: {share:.1%}"), x=label, y=y, width=max(0.5, room * share), height=step - 9, rx=3,
                fill=COLOURS[name], look="move",
            )
        )  # fmt: skip
        public = label + room * said.public[at]
        parts.append(
            tag(
                "line", title(f"people in general: {said.public[at]:.1%}"), x1=public, x2=public, y1=y - 2, y2=y + step - 7,
                stroke="var(--ink)", stroke_dasharray="3 2",
            )
        )  # fmt: skip
        if here:
            parts.append(
                tag(
                    "rect", x=label - 2, y=y - 2, width=room + 4, height=step - 5, rx=5, fill="none", stroke="var(--accent)",
                    stroke_width=2,
                )
            )  # fmt: skip
        parts.append(text(width - 2, y + 16, f"{share:.0%}", anchor="end", size=12.5, bold=True))
    y = 8 + step * len(NAMES)
    parts.append(text(2, y + 8, "If it raises, how much?", size=11.5, quiet=True))
    for at, (bucket, share) in enumerate(said.sizes.items()):
        top = y + 16 + 17 * at
        here = bucket == said.size
        parts.append(text(label - 8, top + 9, bucket, anchor="end", size=10.5, quiet=not here, bold=here))
        parts.append(tag("rect", x=label, y=top + 1, width=max(0.5, room * share), height=10, rx=2, fill="var(--bet)"))
        parts.append(text(width - 2, top + 10, f"{share:.0%}", anchor="end", size=10.5, quiet=not here, bold=here))
    height = y + 18 + 17 * len(said.sizes)
    says = ", ".join(f"{shown} {share:.0%}" for shown, share in zip(SHOWN, said.likely, strict=True))
    return svg(width, height, "".join(parts), says=f"{says}; done: {SHOWN[said.done]}")


def action_list(hand: RecordedHand, predictions: Sequence[Prediction], chosen: int, hero: int) -> str:
    """Every step as a row (`data-step`); decisions have a bar of how likely what was done was thought to be."""
    game = no_limit()
    rows = []
    for at, step in enumerate(hand.steps):
        look = " ".join(filter(None, ["chosen" if at == chosen else "", "own" if step.position == hero else ""]))
        if step.decision < 0:
            words = {"deal": "blinds are posted, cards dealt", "end": "the end"}.get(step.what, STREETS[step.street])
            board = card_row(game, step.board, height=28) if step.what == "street" else ""
            rows.append(
                f'<tr class="{look} street" tabindex="0" data-step="{at}"><td colspan="2">{escape(words)}</td>'
                f'<td colspan="2">{board}</td></tr>'
            )
            continue
        amount = f" {_units(step.amount, hand.scale)}" if step.amount else ""
        colour = COLOURS.get(step.what, "var(--fold)")
        share = predictions[step.decision].likely[predictions[step.decision].done]
        bar = svg(
            90, 10,
            tag("rect", x=0, y=1, width=90, height=8, rx=2, fill="var(--sunk)")
            + tag("rect", x=0, y=1, width=max(1.0, 90 * share), height=8, rx=2, fill=colour),
            stretch=False,
        )  # fmt: skip
        rows.append(
            f'<tr class="{look}" tabindex="0" data-step="{at}"><td>{escape(hand.players[step.position])}</td>'
            f'<td><i style="background:{colour}"></i>{step.what}{amount}</td>'
            f"<td>pot {_units(step.pot, hand.scale)}</td><td>{bar} {share:.0%}</td></tr>"
        )
    return f'<table class="numbers actions"><tbody>{"".join(rows)}</tbody></table>'


def _units(chips: int, scale: int) -> str:
    return f"{chips / scale:,.2f}".rstrip("0").rstrip(".") if scale > 1 else f"{chips:,}"
