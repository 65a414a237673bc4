"""What a player believes and why it acts: `tree`, `explain`."""

from __future__ import annotations

import math
from typing import Annotated, Any

import typer

from nemesis.commands.console import bold, out, print_json
from nemesis.commands.listing_table import Listing
from nemesis.commands.options import AsJson, GameName, HandsOfTheMatch, Seed, Stack, within
from nemesis.runtime.limits import EARLIER_HANDS, LINES, MATCH_HANDS

Player = Annotated[str, typer.Argument(help="An ASHE champion: a shipped one's name or a run's.", show_default=False)]
Opponent = Annotated[str, typer.Argument(help="Whom it meets, any agent.", show_default=False)]
ESTIMATES = (
    "win rate (at a showdown, after that action), fold rate and worth in chips are the player's own estimates. They were "
    "evolved to earn chips, not to be right, and may be far from the truth."
)
STREETS = ("preflop", "flop", "turn", "river")


def tree(
    player: Player,
    opponent: Opponent,
    hands: HandsOfTheMatch = 1000,
    lines: Annotated[int, typer.Option(help="Lines to print, the most visited first.", callback=within(LINES))] = 20,
    game: GameName = "no-limit",
    stack: Stack = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """The pattern-recognition trees a player has grown after a match: lines, how often, and what the opponent did then.

    Opponent's actions are marked [b]v[/b], with the size of a raise in pots; [b]/[/b] is a new street. Example:
    [b]nemesis tree ashe-a4 nl-tp[/b]
    """
    import nemesis
    from nemesis.measure.insight import look_inside
    from nemesis.respond.ashe import Ashe

    chosen = nemesis.game(game, 2, stack)
    agent = nemesis.agent(player, chosen)
    rate = look_inside(chosen, agent, nemesis.agent(opponent, chosen), hands, seed=seed)
    assert isinstance(agent, Ashe)
    trees = agent.trees()
    found = trees.most_visited(lines)
    if as_json:
        rows: list[dict[str, Any]] = [
            {
                "position": "button" if line.position == 0 else "blind",
                "actions": list(line.actions),
                "visits": line.visits,
                "folds": line.folds,
                "showdowns": line.showdowns,
                "strength": None if math.isnan(line.strength) else line.strength,
            }
            for line in found
        ]
        print_json({"player": player, "opponent": opponent, "hands": hands, "seed": seed, "mbb": rate,
                    "nodes": trees.used, "lines": rows})  # fmt: skip
        return
    headings = ("position", "line", "visits", "opponent folds", "showdowns", "shown strength")
    listing = Listing(*headings, prose={"line"}, right=headings[2:])
    for line in found:
        shown = "" if math.isnan(line.strength) else f"{line.strength:.2f}"
        where = "button" if line.position == 0 else "blind"
        said = " ".join(line.actions) or "(root)"
        listing.add(where, said, str(line.visits), f"{line.fold_rate:.0%}", str(line.showdowns), shown)
    out.print(listing)
    out.print(f"{trees.used} nodes after {hands} hands, {rate:+,.0f} mBB/hand, seed {seed}", style="dim")


def explain(
    player: Player,
    opponent: Opponent,
    after: Annotated[int, typer.Option(help="Hands to play before explaining.", callback=within(EARLIER_HANDS))] = 200,
    hands: Annotated[int, typer.Option("--hands", "-n", help="Hands to explain.", callback=within(MATCH_HANDS))] = 3,
    game: GameName = "no-limit",
    stack: Stack = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Why a player acts: for each decision, every action's estimated win rate, fold rate and worth in chips.

    The estimates are what the player goes by, not the truth: its estimators were evolved to earn chips. Beside them stands
    how often the cards really win against a random hand. Example: [b]nemesis explain ashe-a4 nl-lp --after 500 --hands 2[/b]
    """
    import nemesis
    from nemesis.measure.insight import Explanation, look_inside
    from nemesis.respond.opponent_kind import ANYBODY, KINDS

    decisions: list[Explanation] = []

    def on_decision(decision: Explanation) -> None:
        if decision.hand >= after:
            decisions.append(decision)

    chosen = nemesis.game(game, 2, stack)
    look_inside(
        chosen,
        nemesis.agent(player, chosen),
        nemesis.agent(opponent, chosen),
        after + hands,
        seed=seed,
        on_decision=on_decision,
    )
    if as_json:
        print_json([_decision_json(decision) for decision in decisions])
        return
    for decision in decisions:
        seat = "button" if decision.on_button else "blind"
        kind = "" if decision.opponent == KINDS[ANYBODY] else f"; it takes the opponent for a {decision.opponent}"
        cards = f"{decision.hole} on {decision.board}" if decision.board else decision.hole
        out.print(
            bold(f"hand {decision.hand}"),
            f"{seat}, {STREETS[decision.street]}: {cards} (wins {decision.equity:.0%} against a random hand), "
            f"pot {decision.pot}, to call {decision.to_call}" + kind,
        )
        listing = Listing("", "action", "to", "win rate", "fold rate", "worth")
        for thought in decision.thoughts:
            mark = "→" if thought.action == decision.chosen else ""
            rates = ["" if math.isnan(rate) else f"{rate:.2f}" for rate in (thought.win, thought.fold)]
            listing.add(mark, thought.action, str(thought.to or ""), *rates, f"{thought.utility:+,.0f}")
        out.print(listing)
    out.print(ESTIMATES, style="dim")


def _decision_json(decision: Any) -> dict[str, Any]:
    thoughts = [
        {
            key: None if isinstance(value, float) and math.isnan(value) else value
            for key, value in thought._asdict().items()
        }
        for thought in decision.thoughts
    ]
    return {**decision._asdict(), "thoughts": thoughts}
