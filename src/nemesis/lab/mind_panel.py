"""A mind drawn: which style it takes somebody for, what it thought of every option, its tree's node, its network.

Panels are single strings of HTML, so that a page changes them in one message.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from nemesis.lab.shapes.felt import action_colour
from nemesis.lab.shapes.figures import belief_bars, option_bars
from nemesis.lab.shapes.networks import Link, network_drawing
from nemesis.measure.mind import Circuit, Mind
from nemesis.measure.picture import STYLE_WORDS
from nemesis.measure.result import counted
from nemesis.respond.ashe import Thought

SIZES = {"½ pot": 0.5, "1 pot": 1.0, "1½ pot": 1.5, "2 pot": 2.0, "all-in": 3.0}


def said(words: str, kind: str = "note") -> str:
    """A line of text as HTML; `kind` is note or heading."""
    return f'<div class="{kind}">{escape(words)}</div>'


def thinking(mind: Mind, who: str = "you") -> str:
    """What an agent thought at its last decision, as HTML; `who` is the opponent."""
    parts = []
    if mind.thoughts:
        parts.append(said("What each action would bring it, in chips, by its own estimate:"))
        parts.append(thought_drawing(mind.thoughts, mind.chosen))
        parts.append(thought_table(mind.thoughts, mind.chosen, who))
    parts += [said(line) for line in node_words(mind, who)]
    if mind.circuit is not None:
        parts.append(said("Its network at its last decision: blue strengthens, orange weakens, fill is activation."))
        parts.append(circuit_drawing(mind.circuit))
    return "".join(parts)


def belief_drawing(
    styles: Sequence[str], belief: Sequence[float], trail: Sequence[Sequence[float]] = (), width: int = 298
) -> str:
    """The bars of a belief in styles, with its trail over hands; places where its mind changed are marked."""
    likeliest = [list(shares).index(max(shares)) for shares in trail]
    changes = [i for i in range(1, len(likeliest)) if likeliest[i] != likeliest[i - 1]]
    names = [style.upper() for style in styles]
    words = {style.upper(): STYLE_WORDS.get(style, style) for style in styles}
    return belief_bars(names, belief, trail, width=width, changes=changes[-12:], words=words)


def thought_drawing(thoughts: Sequence[Thought], chosen: str, width: int = 298) -> str:
    """Every option as a bar of its utility in chips, in the colour of its action, the taken one framed."""
    rows = [(t.action, t.utility, _colour(t.action), _behind(t)) for t in thoughts]
    return option_bars(rows, chosen=chosen, width=width)


def thought_table(thoughts: Sequence[Thought], chosen: str, who: str = "you") -> str:
    """The estimates behind the bars as a table; `who` is the opponent."""
    rows = "".join(
        f'<tr class="{"chosen" if t.action == chosen else ""}"><td>{escape(t.action)}</td><td>{_share(t.win)}</td>'
        f"<td>{_share(t.fold)}</td><td>{f'{t.to:,}' if t.to > 1 else ''}</td></tr>"
        for t in thoughts
    )
    folds = "you fold" if who == "you" else "foe folds"
    head = f"<tr><th>action</th><th>wins</th><th>{folds}</th><th>to</th></tr>"
    return f'<table class="numbers">{head}{rows}</table>'


def node_words(mind: Mind, who: str = "you") -> list[str]:
    """Where it stands in its tree, in sentences; `who` is the opponent."""
    found = []
    if mind.here is not None:
        line = mind.here
        if line.visits:
            found.append(
                f"This line of play came up {_times(line.visits)}; {who} folded later in {line.fold_rate:.0%} of them."
            )
            if line.showdowns:
                found.append(
                    f"Of these, {line.showdowns} came to a showdown, with a mean strength of {line.strength:.2f}."
                )
        else:
            found.append("This line of play is new to it.")
    return found


def circuit_drawing(circuit: Circuit, width: int = 298, height: int = 330) -> str:
    """The network with the activations of its last decision."""
    links = [Link(*connection) for connection in circuit.connections]
    shown = {name: name for layer in (circuit.layers[0], circuit.layers[-1]) for name in layer}
    return network_drawing(
        circuit.layers, links, circuit.activations, width=width, height=height, labels=shown, most=260
    )


def learned_words(
    mind: Mind, styles: Sequence[str], shares: Sequence[float], hands: int, *, onlooker: bool = False
) -> list[str]:
    """What has been learned about the visitor so far, in sentences; `onlooker` if the styles are not believed by it."""
    found = []
    if mind.in_all is not None and mind.in_all.visits:
        line = mind.in_all
        found.append(f"You folded in {line.folds} of {line.visits} hands ({line.fold_rate:.0%}).")
        if line.showdowns:
            found.append(
                f"You went to {counted(line.showdowns, 'showdown')} and showed a mean strength of {line.strength:.2f}, "
                "where 1 beats everything."
            )
        else:
            found.append("It has not seen a single hand of yours: you have shown none.")
    if styles and shares:
        best = max(range(len(styles)), key=lambda i: shares[i])
        takes = "Somebody who looks on takes you for" if onlooker else "It takes you for"
        found.append(f"{takes} {STYLE_WORDS.get(styles[best], styles[best])}, {shares[best]:.0%} sure.")
    if onlooker and mind.in_all is None:
        found.insert(0, f"In {hands} hands it has learned nothing: it plays by a rule and keeps no model.")
    return found


def _colour(action: str) -> str:
    kind = "fold" if action == "fold" else "call" if action in ("call", "check") else "raise"
    return action_colour(kind, SIZES.get(action, 1.0))


def _behind(thought: Thought) -> str:
    parts = [] if math.isnan(thought.win) else [f"it expects to win {thought.win:.0%} of showdowns"]
    parts += [] if math.isnan(thought.fold) else [f"and a fold in {thought.fold:.0%}"]
    return " ".join(parts)


def _share(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.0%}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"
