"""The command line: parse, call, print. People get tables, programs get `--json`."""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from nemesis.evolve.run import Generation
    from nemesis.measure.result import Result

app = typer.Typer(
    name="nemesis",
    help="Watch how someone plays poker, answer with what costs them most, and measure honestly how well that worked.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

GameName = Annotated[
    str,
    typer.Option("--game", "-g", help="A name from [b]nemesis games[/b] or an ACPC game definition file."),
]
Seed = Annotated[int, typer.Option(help="Same seed, same deals, same result.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON on standard output instead of a table.")]
Workers = Annotated[
    int | None, typer.Option(help="Processes to use; by default all cores when the work is worth it.", min=1)
]
Stack = Annotated[int | None, typer.Option(help="Chips each player starts with, instead of the game's own.")]
Until = Annotated[
    str | None,
    typer.Option("--precision", help="Play on until the first player's 95 % interval is ±this: 5% of the mean, or 20."),
]
TimeLimit = Annotated[float, typer.Option(help="Seconds a Python agent may think about one decision; 0 for no limit.")]
AgentNames = Annotated[
    list[str],
    typer.Argument(
        metavar="AGENT...",
        help="Names from [b]nemesis agents[/b], or path/to/file.py:ClassName.",
        show_default=False,
    ),
]


@app.command()
def games(as_json: AsJson = False) -> None:
    """List the games that can be played.

    Any of them takes another number of seats (one per player named) and other stacks (--stack).
    """
    from nemesis import names

    rows = [names.game(name) for name in names.GAMES]
    if as_json:
        _print_json([_game_json(game) for game in rows])
        return
    listing = _listing("game", "seats", "betting", "stakes", "stack", "what it is")
    for game in rows:
        stakes = "/".join(str(b) for b in sorted(filter(None, game.blinds))) or f"ante {max(game.antes)}"
        listing.add_row(game.name, str(game.seats), game.structure, stakes, str(game.stacks[0]), escape(game.about))
    out.print(listing)


@app.command()
def agents(as_json: AsJson = False) -> None:
    """List the agents that can be seated by name.

    Wherever a name is accepted, so is an agent of your own, as path/to/file.py:ClassName.
    """
    from nemesis import names

    rows = list(names.agents().items())
    if as_json:
        _print_json([{"agent": name, "about": about} for name, about in rows])
        return
    listing = _listing("agent", "how it plays")
    for row in rows:
        listing.add_row(*map(escape, row))
    out.print(listing)


@app.command()
def duel(
    first: Annotated[str, typer.Argument(help="An agent's name or path/to/file.py:ClassName.", show_default=False)],
    second: Annotated[str, typer.Argument(help="Its opponent.", show_default=False)],
    game: GameName = "no-limit",
    hands: Annotated[int, typer.Option("--hands", "-n", help="Hands to play in all.")] = 20_000,
    match: Annotated[int | None, typer.Option(help="Hands per match; agents forget between matches.", min=1)] = None,
    precision: Until = None,
    stack: Stack = None,
    seed: Seed = 0,
    workers: Workers = None,
    time_limit: TimeLimit = 10.0,
    as_json: AsJson = False,
) -> None:
    """Two agents heads-up: the same deals with seats swapped, so the luck of the cards cancels.

    Example: [b]nemesis duel la tp --game limit --hands 100000[/b]
    """
    _table([first, second], game, hands, match, precision, stack, seed, workers, time_limit, as_json)


@app.command()
def table(
    players: AgentNames,
    game: GameName = "no-limit",
    hands: Annotated[int, typer.Option("--hands", "-n", help="Hands to play in all.")] = 20_000,
    match: Annotated[int | None, typer.Option(help="Hands per match; agents forget between matches.", min=1)] = None,
    precision: Until = None,
    stack: Stack = None,
    seed: Seed = 0,
    workers: Workers = None,
    time_limit: TimeLimit = 10.0,
    as_json: AsJson = False,
) -> None:
    """Two to ten agents at a table; every rotation of the seats plays the same deals.

    Example: [b]nemesis table la la tp tp ta lp --game no-limit-6[/b]
    """
    _table(players, game, hands, match, precision, stack, seed, workers, time_limit, as_json)


def _table(
    players: list[str],
    game: str,
    hands: int,
    match: int | None,
    precision: str | None,
    stack: int | None,
    seed: int,
    workers: int | None,
    time_limit: float,
    as_json: bool,
) -> None:
    from nemesis import arena

    with _progress(f"{' v '.join(players)} at {game}", "hands") as progress:
        result = arena.table(
            players, game=game, hands=hands, seed=seed, match_hands=match, stack=stack, workers=workers,
            precision=precision, time_limit=time_limit, progress=progress,
        )  # fmt: skip
    _print_result(result, as_json)


@app.command()
def tournament(
    players: AgentNames,
    game: GameName = "one-card",
    tournaments: Annotated[int, typer.Option("--tournaments", "-n", help="Freeze-outs to play.")] = 10_000,
    most_hands: Annotated[
        int, typer.Option(help="A tournament undecided after this many hands is shared by chips.")
    ] = 10_000,
    precision: Until = None,
    stack: Stack = None,
    seed: Seed = 0,
    workers: Workers = None,
    time_limit: TimeLimit = 10.0,
    as_json: AsJson = False,
) -> None:
    """Freeze-outs: play until one agent has every chip; who wins what share of them?

    Example: [b]nemesis tournament la lp ta tp --game one-card[/b]
    """
    from nemesis import arena

    with _progress(f"{' v '.join(players)} at {game}", "tournaments") as progress:
        result = arena.tournament(
            players, game=game, tournaments=tournaments, seed=seed, most_hands=most_hands, stack=stack,
            workers=workers, precision=precision, time_limit=time_limit, progress=progress,
        )  # fmt: skip
    _print_result(result, as_json)


@app.command()
def matrix(
    players: Annotated[
        list[str] | None,
        typer.Argument(metavar="[AGENT...]", help="Agents to compare; by default every simple one."),
    ] = None,
    game: GameName = "limit",
    hands: Annotated[int, typer.Option("--hands", "-n", help="Hands per pair.")] = 60_000,
    picture: Annotated[Path | None, typer.Option(help="Write a heat map here (.png, .svg, .pdf).")] = None,
    seed: Seed = 0,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Everyone against everyone, as a table and, with --picture, as a heat map."""
    from nemesis import names
    from nemesis.measure.matrix import draw_matrix, play_matrix

    chosen = names.game(game, 2)
    seated = [names.player(name) for name in players or DEMO_AGENTS]
    with _progress(f"{len(seated)} agents at {game}", "pairs") as progress:
        played = play_matrix(seated, chosen, hands, seed=seed, workers=workers or 1, progress=progress)
    if picture is not None:
        draw_matrix(played, picture)
    if as_json:
        _print_json(
            {
                "game": played.game,
                "unit": played.unit,
                "players": list(played.players),
                "means": played.means.tolist(),
                "margins95": played.margins.tolist(),
                "hands": played.hands,
                "seed": played.seed,
                "hands_per_second": round(played.hands / played.seconds),
            }
        )
        return
    wide = out.width >= 15 * (len(played.players) + 1)
    listing = _listing("", *played.players)
    for row, name in enumerate(played.players):
        cells = [
            "·" if row == column else _signed(played.means[row, column], played.margins[row, column], wide)
            for column in range(len(played.players))
        ]
        listing.add_row(f"[b]{escape(name)}[/b]", *cells)
    out.print(listing)
    rate = f"{played.hands:,} hands, {played.hands / played.seconds:,.0f} hands/s, seed {seed}"
    out.print(f"[dim]what the row takes from the column, {played.unit}; {rate}[/dim]", soft_wrap=True)
    if picture is not None:
        out.print(f"picture: {picture}")


DEMO_AGENTS = ("fold", "call", "raise", "random", "la", "lp", "ta", "tp")


@app.command()
def demo(
    folder: Annotated[Path, typer.Option(help="Where the picture goes.")] = Path("demo"),
    seed: Seed = 0,
) -> None:
    """A few seconds of everything: the built-in agents against each other, a picture, and what to type next."""
    out.print(
        "[b]Nemesis[/b]: eight simple agents, every pair heads-up at limit hold'em, seats swapped on the same deals.\n"
    )
    matrix(None, "limit", 60_000, folder / "matrix.png", seed, None, False)
    out.print(
        "\nWhat to type next:\n"
        "  nemesis duel la tp --game no-limit            one pair, with its interval\n"
        "  nemesis tournament la lp ta tp                four styles at one-card poker until one has every chip\n"
        '  nemesis equity AsKs --board "7h8h9h"          exact equities\n'
        "  nemesis play tp --game limit                  sit down yourself\n"
        "  nemesis duel examples/patient.py:Patient la   an agent of your own\n"
        "  nemesis --help                                the rest"
    )


@app.command()
def evolve(
    recipe: Annotated[str, typer.Argument(help="A recipe's name, or [b]list[/b].", show_default=False)],
    generations: Annotated[int | None, typer.Option(help="Generations to run, instead of the recipe's own.")] = None,
    population: Annotated[int | None, typer.Option(help="Genomes per generation.")] = None,
    tournaments: Annotated[int | None, typer.Option(help="Tournaments per genome and table.")] = None,
    out_folder: Annotated[Path | None, typer.Option("--out", help="The run's folder; runs/RECIPE by default.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in the folder.")] = False,
    seed: Seed = 0,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Evolve a player by a recipe; the run's folder survives being killed, and its champion is an agent.

    Example: [b]nemesis evolve neat-la --generations 50[/b], then [b]nemesis tournament runs/neat-la/champion la[/b]
    """
    from nemesis import names
    from nemesis.measure.workers import cores
    from nemesis.studies.evolution import prepare, resumed, run_recipe
    from nemesis.studies.recipe import Recipe
    from nemesis.studies.recipes import RECIPES

    if recipe == "list":
        if as_json:
            _print_json([found.to_json() for found in RECIPES.values()])
            return
        listing = _listing("recipe", "what evolves", "population", "generations", "tournaments")
        for found in RECIPES.values():
            sizes = (found.population, found.generations, found.tournaments * len(found.tables))
            listing.add_row(found.name, escape(found.about), *map(str, sizes))
        out.print(listing)
        return
    folder = out_folder or Path("runs") / recipe
    if resume:
        chosen, seed, state = resumed(folder)
    else:
        chosen, state = names.recipe(recipe), None
    given = {"generations": generations, "population": population, "tournaments": tournaments}
    changed = {key: value for key, value in given.items() if value is not None}
    if resume and set(changed) - {"generations"}:
        raise ValueError(
            "a run goes on with the population and tournaments it began with; only --generations may change"
        )
    chosen = Recipe.from_json({**chosen.to_json(), **changed})
    game = names.game(chosen.game, chosen.seats)
    evolution = prepare(chosen, game, names.agent, seed=seed, workers=workers or cores(), state=state)
    with _evolution_progress(chosen.name, chosen.generations) as progress:
        score = run_recipe(evolution, folder, seed, progress, resume=resume)
    if as_json:
        _print_json({"recipe": chosen.name, "folder": str(folder), "seed": seed, "score": score})
        return
    listing = _listing("table", "share of tournaments", "95 % interval")
    for name, entry in score["tables"].items():
        listing.add_row(name, f"[b]{entry['share']:.4f}[/b]", "{:.4f} … {:.4f}".format(*entry["ci95"]))
    out.print(listing)
    out.print(f"[dim]the champion on fresh deals, {score['tournaments']:,} tournaments a table, seed {seed}[/dim]")
    out.print(f"champion: {folder / 'champion.json'} · curve: {folder / 'curve.png'}")


@app.command()
def study(
    name: Annotated[str, typer.Argument(help="A study's name, or [b]list[/b].", show_default=False)],
    scale: Annotated[
        str, typer.Option(help="smoke (does it work?), quick (a minute or so) or full (the source's).")
    ] = "quick",
    out_folder: Annotated[
        Path | None, typer.Option("--out", help="Where the report goes; runs/studies/NAME by default.")
    ] = None,
    seed: Seed = 0,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Measure one published table or figure again: published, ours with its interval, ceiling, one sentence.

    Example: [b]nemesis study anti-players --scale quick[/b]
    """
    from nemesis import names
    from nemesis.measure.workers import cores
    from nemesis.studies.study import SCALES, Setting, number, report_json, run_study

    if name == "list":
        listed = [names.study(known) for known in names.STUDIES]
        if as_json:
            _print_json([{"study": s.name, "title": s.title, "source": s.source} for s in listed])
            return
        listing = _listing("study", "what it measures", "source")
        for found in listed:
            listing.add_row(found.name, escape(found.title), escape(found.source))
        out.print(listing)
        return
    chosen = names.study(name)
    if scale not in SCALES:
        raise ValueError(f"{scale!r} is not a scale; choose one of {', '.join(SCALES)}")
    folder = out_folder or Path("runs") / "studies" / name
    with err.status(f"{name}…") as status:
        setting = Setting(scale, seed, workers or cores(), folder, lambda line: status.update(f"{name}: {line}"))
        report = run_study(chosen, setting)
    if as_json:
        _print_json(report_json(chosen, setting, report))
        return
    listing = _listing("", "published", f"ours ({report.unit})", "95 % interval", "ceiling", "")
    for row in report.rows:
        interval = f"{number(row.ci95[0])} … {number(row.ci95[1])}" if row.ci95 else ""
        published = row.published if isinstance(row.published, str) else number(row.published)
        listing.add_row(escape(row.what), published, number(row.ours), interval, number(row.ceiling), escape(row.note))
    out.print(listing)
    out.print(escape(report.verdict))
    out.print(f"[dim]report: {folder / 'report.md'}[/dim]")


@app.command()
def play(
    opponents: AgentNames,
    game: GameName = "limit",
    hands: Annotated[int, typer.Option("--hands", "-n", help="Hands to play at most.")] = 1000,
    hints: Annotated[bool, typer.Option(help="Show your exact win probability against a random hand.")] = False,
    stack: Stack = None,
    seed: Annotated[int | None, typer.Option(help="Same seed, same cards; by default new cards every time.")] = None,
) -> None:
    """Sit down yourself against one or more agents. Type ? at the prompt for help, q to leave.

    Example: [b]nemesis play tp --game limit --hints[/b]
    """
    import numpy as np

    from nemesis import names
    from nemesis.measure.match import play_lineups
    from nemesis.respond.human import Human, LeftTable

    chosen = names.game(game, len(opponents) + 1, stack)
    person = Human(chosen, tuple(opponents), say=lambda line: out.print(escape(line)), hints=hints)
    seated = [person, *(names.agent(name, chosen) for name in opponents)]
    if seed is None:
        seed = int.from_bytes(os.urandom(4), "little")
    try:
        play_lineups(
            chosen, seated, np.arange(len(seated))[None, :], np.zeros(1, np.int64),
            hands=hands, seed=seed, freeze_out=chosen.freeze_out, time_limit=0,
        )  # fmt: skip
    except LeftTable:
        out.print("\nyou left the table")
    unit, worth = chosen.unit
    rate = f", {person.total * worth / person.hands:+,.0f} {unit}" if person.hands else ""
    out.print(f"{person.hands} hands, {person.total:+d} chips{rate} (seed {seed})")


@app.command()
def equity(
    hand: Annotated[str, typer.Argument(help="Your two cards, e.g. AsKs.", show_default=False)],
    board: Annotated[str, typer.Option(help='Board cards, e.g. "7h8h9h".')] = "",
    vs: Annotated[
        str | None, typer.Option(help='A hand (QdQh) or a range ("TT+, AQs+"); by default any two cards.')
    ] = None,
    opponents: Annotated[int, typer.Option(help="How many opponents, each with any two cards.", min=1, max=9)] = 1,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """How often a hold'em hand wins, exactly where that is feasible, with strength and potential of the hand.

    Examples: [b]nemesis equity AsKs --vs QdQh[/b]   [b]nemesis equity 7d8d --board "5d6d2c" --vs "TT+, AK"[/b]
    """
    from nemesis.rules.cards import cards_text, parse_cards
    from nemesis.rules.equity import equity as exact_equity
    from nemesis.rules.potential import hand_potential
    from nemesis.rules.strength import hand_strength

    hole, community = parse_cards(hand), parse_cards(board)
    answer = exact_equity(hole, community, vs, opponents=opponents, seed=seed)
    facts: dict[str, float] = {}
    if len(community) >= 3:
        facts["strength"] = hand_strength(hole, community)
    if len(community) in (3, 4):
        facts["positive_potential"], facts["negative_potential"] = hand_potential(hole, community)
    report = {
        "hand": cards_text(hole),
        "board": cards_text(community),
        "versus": vs or "random",
        "opponents": opponents,
        "equity": answer.equity,
        "win": answer.win,
        "tie": answer.tie,
        "exact": answer.exact,
        "samples": answer.samples,
        "standard_error": answer.standard_error,
        **facts,
    }
    if as_json:
        _print_json(report)
        return
    listing = _listing("", "")
    listing.show_header = False
    shown = f" on {report['board']}" if community else ""
    against = str(report["versus"]) + (f", {opponents} opponents" if opponents > 1 else "")
    listing.add_row(f"{report['hand']}{shown} v {escape(against)}", f"[b]{answer.equity:.6f}[/b]")
    listing.add_row("wins / ties", f"{answer.win:.6f} / {answer.tie:.6f}")
    for name, value in facts.items():
        listing.add_row(name.replace("_", " "), f"{value:.6f}")
    how = (
        "exact"
        if answer.exact
        else f"sampled, ±{1.96 * answer.standard_error:.6f} (95 %), {answer.samples:,} deals, seed {seed}"
    )
    listing.add_row("", f"[dim]{how}[/dim]")
    out.print(listing)


@app.command()
def replay(
    files: Annotated[
        list[Path], typer.Argument(help="PHH files (.phh, .phhs) or folders of them.", show_default=False)
    ],
    as_json: AsJson = False,
) -> None:
    """Replay recorded hands through the engine: do the chips come out as the file says?

    Exits with 1 when any hand disagrees or cannot be replayed.
    """
    from nemesis.observe.replay import check_files

    checked = []
    with _counter("hands replayed") as counted:
        for hand in check_files(files):
            checked.append(hand)
            counted(len(checked))
    agree = sum(hand.agrees is True for hand in checked)
    wrong = [hand for hand in checked if hand.problem is not None]
    unknown = len(checked) - agree - len(wrong)
    if as_json:
        counts = {"hands": len(checked), "agree": agree, "disagree": len(wrong), "unknown": unknown}
        _print_json({**counts, "results": [dataclasses.asdict(hand) for hand in checked]})
    else:
        for hand in wrong[:20]:
            err.print(escape(str(hand.problem)), soft_wrap=True)
        if len(wrong) > 20:
            err.print(f"… and {len(wrong) - 20} more")
        out.print(f"{len(checked):,} hands: {agree:,} agree, {len(wrong):,} do not, {unknown:,} publish no result")
    if wrong:
        raise typer.Exit(1)


@app.command()
def bench(
    seconds: Annotated[float, typer.Option(help="CPU seconds to spend on each line.")] = 1.0,
    as_json: AsJson = False,
) -> None:
    """How fast this machine plays, on one core. (make bench puts other libraries beside it.)"""
    from nemesis.measure.speed import measure_speeds

    with err.status("measuring…") as status:
        speeds = measure_speeds(seconds, lambda name: status.update(f"measuring {name}…"))
    if as_json:
        _print_json([{"workload": s.workload, "unit": s.unit, "rate": s.rate} for s in speeds])
        return
    listing = _listing("workload", "rate", "")
    for speed in speeds:
        listing.add_row(escape(speed.workload), f"{speed.rate:,.0f}", speed.unit)
    out.print(listing)


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Tell versions, cores and the state of the cache; remove damaged tables and build what is missing."""
    from nemesis.doctor import examine

    report = examine(lambda line: err.print(f"[dim]{escape(line)}[/dim]"))
    if as_json:
        _print_json(report)
        return
    listing = _listing("", "")
    listing.show_header = False
    for key, value in report.items():
        if key != "tables":
            listing.add_row(key.replace("_", " "), escape(str(value)))
    for entry in report["tables"]:
        state = "ok" if entry["ok"] else "damaged"
        listing.add_row(f"table {entry['name']}", f"version {entry['version']}, {entry['bytes']:,} bytes, {state}")
    out.print(listing)


def _listing(*columns: str) -> Table:
    listing = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        listing.add_column(column)
    return listing


def _signed(mean: float, margin: float, with_margin: bool) -> str:
    colour = "green" if mean - margin > 0 else "red" if mean + margin < 0 else "default"
    return f"[{colour}]{mean:+,.0f}[/{colour}]" + (f" [dim]±{margin:,.0f}[/dim]" if with_margin else "")


def _print_json(report: object) -> None:
    sys.stdout.write(json.dumps(report, ensure_ascii=False, allow_nan=False) + "\n")


def _print_result(result: Result, as_json: bool) -> None:
    if as_json:
        _print_json(result.to_json())
        return
    digits, sign = (1, "+") if result.unit.startswith("mBB") else (4, "" if result.unit.startswith("share") else "+")
    listing = _listing("player", result.unit, "95 % interval")
    for score in result.scores:
        low, high = score.ci95
        listing.add_row(
            escape(score.player),
            f"[b]{score.mean:{sign},.{digits}f}[/b]",
            f"{low:{sign},.{digits}f} … {high:{sign},.{digits}f}",
        )
    out.print(listing)
    note = f"; {result.note}" if result.note else ""
    rate = f"{result.hands_per_second:,.0f} hands/s, seed {result.seed}"
    out.print(f"[dim]{result.game}, {result.hands:,} hands{note}; {rate}[/dim]", soft_wrap=True)


def _game_json(game: Any) -> dict[str, Any]:
    return {
        "game": game.name,
        "seats": game.seats,
        "structure": game.structure,
        "blinds": list(game.blinds),
        "antes": list(game.antes),
        "bets": list(game.bets),
        "stacks": list(game.stacks),
        "about": game.about,
    }


@contextmanager
def _progress(title: str, unit: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error, for people only."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(escape(title), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def _evolution_progress(title: str, generations: int) -> Iterator[Callable[[Generation], None]]:
    """A bar on standard error with the current best, mean and what the learner says."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(title, total=generations)

        def progress(told: Generation) -> None:
            extra = " ".join(f"{key} {value:.3g}" for key, value in told.extra.items())
            text = f"{title} best {told.best:.3f} mean {told.mean:.3f} {extra}"
            bar.update(task, completed=told.number + 1, description=escape(text))

        yield progress


@contextmanager
def _counter(what: str) -> Iterator[Callable[[int], None]]:
    with err.status("") as status:
        yield lambda count: status.update(f"{count:,} {what}") if count % 256 == 0 else None


def main() -> None:
    """Run the command line; an expected failure is one sentence and exit code 2."""
    from nemesis.rules.cache import CacheError

    try:
        app()
    except CacheError as error:
        _fail(str(error))
    except (ValueError, TypeError, OSError) as error:
        if os.environ.get("NEMESIS_DEBUG"):
            raise
        _fail(str(error))
    except RuntimeError as error:
        from nemesis.respond.agent import AgentError

        if not isinstance(error, AgentError) or os.environ.get("NEMESIS_DEBUG"):
            raise
        _fail(str(error))


def _fail(sentence: str) -> None:
    err.print(f"[red]nemesis:[/red] {escape(sentence)}", soft_wrap=True)
    raise SystemExit(2)


if __name__ == "__main__":
    main()
