"""The command line: which commands there are, and how failure is told. People get tables, programs get `--json`."""

from __future__ import annotations

import os

import typer
from rich.markup import escape

from nemesis.commands import demo, evolving, hands, listing, machine, minds, playing, studying
from nemesis.commands.console import err
from nemesis.play.loky_workers import end_processes
from nemesis.runtime.lifetime import stoppable

app = typer.Typer(
    name="nemesis",
    help="Watch how someone plays poker, answer with what costs them most, and measure honestly how well that worked.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    listing.games,
    listing.agents,
    playing.duel,
    playing.table,
    playing.tournament,
    playing.matrix,
    demo.demo,
    evolving.evolve,
    studying.study,
    minds.tree,
    minds.explain,
    playing.play,
    hands.equity,
    hands.replay,
    machine.bench,
    machine.doctor,
):
    app.command()(command)


def main() -> None:
    """Run the command line; an expected failure is one sentence and exit code 2, a signal one line and 128 + its number."""
    with stoppable(_stopped):
        _run()


def _stopped(how: str) -> None:
    end_processes()
    err.print(f"nemesis: {how}")


def _run() -> None:
    try:
        app()
    except Exception as error:
        if not _expected(error):
            raise
        err.print(f"[red]nemesis:[/red] {escape(str(error))}", soft_wrap=True)
        raise SystemExit(2) from None


def _expected(error: Exception) -> bool:
    """Is this a sentence for whoever typed the command, rather than a fault of ours?"""
    from nemesis.runtime.cache import CacheError

    if isinstance(error, CacheError):
        return True
    from nemesis.respond.agent import AgentError  # needs a cache that works

    return isinstance(error, (ValueError, TypeError, OSError, AgentError)) and not os.environ.get("NEMESIS_DEBUG")


if __name__ == "__main__":
    main()
