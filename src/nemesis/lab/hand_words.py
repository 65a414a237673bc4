"""A hand in words: how it went, who won, and at each decision of the visitor what the counter would have done."""

from __future__ import annotations

from html import escape

from nemesis.lab.deal import Choice, Deal
from nemesis.lab.shapes.cards import card_row, card_signs
from nemesis.lab.shapes.felt import action_colour
from nemesis.lab.shapes.svg import signed
from nemesis.lab.table import YOU, Table
from nemesis.observe.view import View
from nemesis.rules.betting import CALL, FOLD
from nemesis.rules.game import Game


def hand_result(table: Table, deal: Deal) -> str:
    """Who won, as a sentence to the visitor; nothing while the hand is in play."""
    if not deal.payoffs:
        return ""
    won = deal.payoffs[YOU]
    if table.session.finished and table.session.freeze_out and deal is table.past[-1]:
        return "You have every chip." if won > 0 else "You have no chips left."
    if won > 0:
        return f"You win {won:,}"
    winners = [name for name, payoff in zip(table.names, deal.payoffs, strict=True) if payoff > 0]
    if not winners:
        return "Nothing won, nothing lost"
    lost = f"; you lose {-won:,}" if won else ""
    return f"{' and '.join(winners)} {'wins' if len(winners) == 1 else 'win'}{lost}"


def hand_story(game: Game, deal: Deal) -> str:
    """The hand so far, line by line, as HTML; every action has its colour."""
    parts = []
    for line in deal.lines:
        if not line.action:
            parts.append(f"<b>{escape(line.text)} {card_signs(game, line.cards)}</b>")
        else:
            dot = f'<span class="dot" style="background:{action_colour(line.action, line.pots)}"></span>'
            parts.append(f"<span>{dot}{escape(line.text)}</span>")
    return "".join(parts)


def hand_row(game: Game, deal: Deal, opened: bool) -> str:
    """A finished hand as a line to click on, as HTML: its number, the visitor's cards, the board, what it brought."""
    won = deal.payoffs[YOU]
    look = "good" if won > 0 else "bad" if won < 0 else "note"
    board = card_row(game, deal.board, height=28) if deal.board else ""
    return (
        f'<button type="button" class="hand-row{" on" if opened else ""}" data-hand="{deal.number}">'
        f'<span class="note">{deal.number + 1}</span><span>{card_row(game, deal.hole, height=28)}</span>'
        f'<span>{board}</span><span class="{look}">{signed(won)}</span></button>'
    )


def hand_detail(table: Table, deal: Deal) -> str:
    """A finished hand as HTML: how it was played, and the visitor's decisions beside the counter's."""
    advice = table.advice(deal)
    rows = "".join(_row(number, *both) for number, both in enumerate(zip(deal.choices, advice, strict=True), 1))
    known = table.counter_name or "none is known against this opponent"
    head = "<tr><th></th><th>you win</th><th>a call needs</th><th>you did</th><th>counter</th></tr>"
    return (
        f'<div class="heading">Hand {deal.number + 1}</div>'
        f'<div class="told from-left">{hand_story(table.game, deal)}</div>'
        f'<div class="scroll"><table class="numbers">{head}{rows}</table></div>'
        f'<div class="note">You win: the chance against a random hand. Best known counter: {escape(known)}. '
        "Rows in colour: it would have done something else.</div>"
    )


def _row(number: int, choice: Choice, advice: int | None) -> str:
    view = choice.view
    needed = f"{view.to_call / (view.pot + view.to_call):.0%}" if view.to_call else ""
    told = "" if advice is None else _deed(view, advice)
    done = _deed(view, choice.action)
    same = ' class="chosen"' if told and told != done else ""
    cells = "".join(f"<td>{cell}</td>" for cell in (f"{number}.", f"{view.win:.0%}", needed, done, told))
    return f"<tr{same}>{cells}</tr>"


def _deed(view: View, action: int) -> str:
    """An action as it would have counted here, in a word or two."""
    if action == FOLD and view.to_call:
        return "fold"
    if action <= CALL or not view.max_to:
        return "call" if view.to_call else "check"
    return f"{'raise to' if view.bet else 'bet'} {max(view.min_to, min(view.max_to, action)):,}"
