"""A player's numbers as dots with whiskers, the population beside them; and the same small enough for a table's cell."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from nemesis.lab.shapes.svg import signed, svg, tag, text, title
from nemesis.measure.player_numbers import Numbers, Share
from nemesis.measure.player_profile import Deviation

ROW = 23


def number_rows(shares: Sequence[Share], *, width: int = 700, chosen: str = "") -> str:
    """Every share as a dot with whiskers on one scale from 0 to 1; a hollow mark is the population. Rows can be picked."""
    label, counts, value = 132, 96, 52
    room = width - label - counts - value - 24
    top = 18

    def at(share: float) -> float:
        return label + room * min(1.0, max(0.0, share))

    parts = []
    height = top + ROW * len(shares) + 4
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(tag("line", x1=at(tick), x2=at(tick), y1=top - 3, y2=height - 4, look="axis"))
        parts.append(text(at(tick), 11, f"{100 * tick:.0f} %", size=10.5, anchor="middle", quiet=True))
    for index, share in enumerate(shares):
        y = top + ROW * index + ROW / 2
        low, high = share.ci95
        told = (
            f"{share.number.title}: {share.number.about}. {share.estimate:.1%} ({low:.1%} … {high:.1%}), "
            f"{share.made:g} of {share.of:,}; everybody {share.population:.1%}"
        )
        ground = "color-mix(in srgb, var(--accent) 14%, transparent)" if share.number.name == chosen else "transparent"
        inside = [
            title(told),
            tag("rect", x=2, y=y - ROW / 2, width=width - 4, height=ROW, rx=4, fill=ground, look="pickable"),
            text(label - 10, y + 4, share.number.title, anchor="end", size=12),
            tag("line", x1=at(low), x2=at(high), y1=y, y2=y, stroke="var(--accent)", stroke_width=2),
            tag(
                "circle", cx=at(share.population), cy=y, r=4.5, fill="none", stroke="var(--quiet)", stroke_width=1.3
            ),
            tag("circle", cx=at(share.estimate), cy=y, r=4, fill="var(--accent)"),
            text(width - counts - 14, y + 4, f"{100 * share.estimate:.0f} %", anchor="end", size=12.5, bold=True),
            text(width - 8, y + 4, f"{share.made:,g} / {share.of:,}", anchor="end", size=11, quiet=True),
        ]  # fmt: skip
        name = escape(share.number.name, quote=True)
        parts.append(f'<g data-pick="{name}" tabindex="0" role="button">{"".join(inside)}</g>')
    says = "; ".join(f"{share.number.title} {share.estimate:.0%}" for share in shares)
    return svg(width, height, "".join(parts), says=says)


def share_cell(share: Share, *, width: int = 50) -> str:
    """A share for a cell of a table: the number, and a small dot with whiskers under it."""
    low, high = share.ci95
    told = f"{share.estimate:.1%} ({low:.1%} … {high:.1%}), {share.made:g} of {share.of:,}"

    def at(value: float) -> float:
        return 2 + (width - 4) * value

    body = (
        title(told)
        + tag("line", x1=2, x2=width - 2, y1=4, y2=4, stroke="var(--line)")
        + tag("line", x1=at(low), x2=at(high), y1=4, y2=4, stroke="var(--accent)", stroke_width=2)
        + tag("circle", cx=at(share.estimate), cy=4, r=2.6, fill="var(--accent)")
    )
    return f"{100 * share.estimate:.0f} %{svg(width, 8, body, stretch=False)}"


def player_table(
    rows: Sequence[tuple[int, Numbers]], columns: Sequence[tuple[str, str]], order: str, descending: bool
) -> str:
    """A page of a list of players: what is clicked says which player (`data-pick`) or which column (`data-order`)."""
    arrow = "▾" if descending else "▴"
    heads = [("player", "player"), ("hands", "hands"), *columns, ("won", "won bb/100")]
    head = "".join(
        f'<th><button type="button" data-order="{name}" aria-label="sort by {escape(shown)}">{escape(shown)} '
        f"{arrow if name == order else ''}</button></th>"
        for name, shown in heads
    )
    body = []
    for number, numbers in rows:
        cells = [
            f'<td class="who"><button type="button" data-pick="{number}">{escape(numbers.player)}</button>'
            f"<small>{escape(numbers.room)}</small></td>",
            f"<td>{numbers.hands:,}</td>",
        ]
        cells += [f"<td>{share_cell(numbers.shares[name])}</td>" for name, _ in columns]
        won = numbers.won
        if won.mean is None:
            cells.append('<td class="quiet">not told</td>')
        else:
            margin = f"± {(won.ci95[1] - won.ci95[0]) / 2:,.0f}" if won.ci95 else ""
            look = "good" if won.ci95 and won.ci95[0] > 0 else "bad" if won.ci95 and won.ci95[1] < 0 else ""
            cells.append(f'<td class="{look}">{signed(won.mean)}<small class="under">{margin}</small></td>')
        body.append(f"<tr>{''.join(cells)}</tr>")
    return f'<table class="numbers players"><thead><tr>{head}</tr></thead><tbody>{"".join(body)}</tbody></table>'


def deviation_table(deviations: Sequence[Deviation], most: int = 8) -> str:
    """What a player surely does otherwise than people do, the largest first; empty if there is nothing."""
    rows = []
    for found in deviations[:most]:
        share = found.share
        where = f" at {found.position}" if found.position else ""
        how = "more" if found.more else "less"
        name, about = (escape(words, quote=True) for words in (share.number.name, share.number.about))
        rows.append(
            f'<tr tabindex="0" data-pick="{name}" title="{about}">'
            f"<td>{escape(share.number.title)}{escape(where)}: {how} often</td><td>{share_cell(share)}</td>"
            f"<td>{100 * share.population:.0f} %</td><td>{share.made:g} of {share.of:,}</td><td>{found.sure:.1%}</td></tr>"
        )
    head = "<tr><th>what</th><th>this player</th><th>everybody</th><th>counted</th><th>how sure</th></tr>"
    return f'<table class="numbers players"><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table>' if rows else ""
