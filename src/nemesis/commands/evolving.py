"""Players that improve: `evolve`."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nemesis.commands.console import bold, err, out, print_json, progress_lines
from nemesis.commands.listing_table import Listing
from nemesis.commands.options import AsJson, Seed, Workers, new_folder

if TYPE_CHECKING:
    from nemesis.evolve.run import Generation


def evolve(
    recipe: Annotated[str, typer.Argument(help="A recipe's name, or [b]list[/b].", show_default=False)],
    generations: Annotated[int | None, typer.Option(help="Generations to run, instead of the recipe's own.")] = None,
    population: Annotated[int | None, typer.Option(help="Genomes per generation.")] = None,
    tournaments: Annotated[int | None, typer.Option(help="Tournaments per genome and table.")] = None,
    out_folder: Annotated[
        Path | None,
        typer.Option("--out", help="The run's folder; runs/RECIPE by default.", parser=new_folder, metavar="FOLDER"),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in the folder.")] = False,
    seed: Seed = 0,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Evolve a player by a recipe; the run's folder survives being killed, and its champion is an agent.

    Example: [b]nemesis evolve neat-la --generations 50[/b], then [b]nemesis tournament runs/neat-la/champion la[/b]
    """
    import nemesis
    from nemesis.play.workers import cores
    from nemesis.train.evolution import prepare, resumed, run_recipe
    from nemesis.train.recipes import RECIPES, recipe_named

    if recipe == "list":
        if as_json:
            print_json([found.to_json() for found in RECIPES.values()])
            return
        listing = Listing("recipe", "what evolves", "population", "generations", "tournaments", prose={"what evolves"})
        for found in RECIPES.values():
            school = found.school
            sizes = (found.learner.population, school.generations, school.games * len(school.tables))
            listing.add(found.name, found.about, *map(str, sizes))
        out.print(listing)
        return
    folder = out_folder or Path("runs") / recipe
    if resume:
        chosen, seed, state = resumed(folder)
        if chosen.name != recipe:
            raise ValueError(f"{folder} holds a run of {chosen.name}, not of {recipe}; name the one that is to go on")
        if population is not None or tournaments is not None:
            raise ValueError(
                "a run goes on with the population and tournaments it began with; only --generations may change"
            )
    else:
        chosen, state = recipe_named(recipe), None
    chosen = chosen.resized(generations, population, tournaments)
    game = nemesis.game(chosen.game, chosen.seats)
    evolution = prepare(chosen, game, nemesis.agent, seed=seed, workers=workers or cores(), state=state)
    with _evolution_progress(chosen.name, chosen.school.generations) as progress:
        try:
            score = run_recipe(evolution, folder, seed, progress, resume=resume)
        except (KeyboardInterrupt, SystemExit):
            if (folder / "recipe.json").exists():
                place = f" --out {shlex.quote(str(folder))}" if out_folder else ""
                err.print(f"to go on: nemesis evolve {recipe}{place} --resume", soft_wrap=True)
            raise
    if as_json:
        print_json({"recipe": chosen.name, "folder": str(folder), "seed": seed, "score": score})
        return
    in_chips = "hands" in score
    what, unit = "share", "share of tournaments"
    if in_chips:
        what, unit = ("chips", f"chips in {score['match']} hands") if "match" in score else ("mbb", "mBB/hand")
    listing = Listing("table", unit, "95 % interval")
    form = "{:,.0f}" if in_chips else "{:.4f}"
    for name, entry in score["tables"].items():
        low, high = map(form.format, entry["ci95"])
        listing.add(name, bold(form.format(entry[what])), f"{low} … {high}")
    out.print(listing)
    played = f"{score['hands']:,} hands" if in_chips else f"{score['tournaments']:,} tournaments"
    out.print(f"the champion on fresh deals, {played} a table, seed {seed}", style="dim")
    out.print(f"champion: {folder / 'champion.json'} · curve: {folder / 'curve.png'}", soft_wrap=True)


@contextmanager
def _evolution_progress(title: str, generations: int) -> Iterator[Callable[[Generation], None]]:
    """A bar on standard error with the current best, mean and what the learner says."""
    if not err.is_terminal:
        with progress_lines(title) as say:
            yield lambda told: say(f"generation {told.number + 1:,} of {generations:,}: {_standing(title, told)}")
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task(title, total=generations)

        def progress(told: Generation) -> None:
            bar.update(task, completed=told.number + 1, description=_standing(title, told))

        yield progress


def _standing(title: str, told: Generation) -> str:
    extra = " ".join(f"{key} {value:.3g}" for key, value in told.extra.items())
    return f"{title} best {told.best:.3f} mean {told.mean:.3f} {extra}".rstrip()
