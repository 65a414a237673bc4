"""The command line: which commands there are, and how failure is told. People get tables, programs get `--json`."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer
from rich.text import Text

from nemesis import __version__
from nemesis.commands import (
    cells,
    connecting,
    demo,
    evolving,
    grid,
    hands,
    histories,
    laboratory,
    listing,
    machine,
    minds,
    playing,
    predicting,
    profiling,
    solving,
    studying,
)
from nemesis.commands.console import err, out
from nemesis.play.loky_workers import end_processes
from nemesis.runtime.lifetime import stoppable

MISTAKE = 2
_NOT_READ = {
    "int_parsing": "not a whole number",
    "int_parsing_size": "too long a number",
    "float_parsing": "not a number",
}
"""What a text is that was given as a number, by the name that the library has for it."""
app = typer.Typer(
    name="nemesis",
    help="Watch how someone plays poker, answer with what costs them most, and measure honestly how well that worked.",
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
    solving.solve,
    solving.exploit,
    studying.study,
    minds.tree,
    minds.explain,
    cells.cells,
    playing.play,
    laboratory.lab,
    grid.grid,
    connecting.deal,
    connecting.join,
    hands.equity,
    hands.replay,
    histories.players,
    histories.stats,
    profiling.profile,
    histories.export,
    predicting.predict,
    machine.bench,
    machine.doctor,
):
    app.command()(command)
app.command("import")(histories.import_hands)


def _tell_version(wanted: bool) -> None:
    if wanted:
        out.print(f"nemesis {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def nemesis(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and leave.", is_eager=True, callback=_tell_version)
    ] = False,
) -> None:
    """What stands before the commands."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> None:
    """Run the command line; an expected failure is one sentence and exit code 2, a signal one line and 128 + its number."""
    with stoppable(_stopped):
        _run()


def _stopped(how: str) -> None:
    end_processes()
    err.print(f"nemesis: {how}")


def _run() -> None:
    try:
        code = app(standalone_mode=False)
    except typer.Abort:
        _fail("stopped before it was finished", 1)
    except Exception as error:
        sentence = _sentence(error)
        if sentence is None:
            raise
        _fail(sentence, MISTAKE)
    raise SystemExit(code if isinstance(code, int) else 0)


def _fail(sentence: str, code: int) -> None:
    err.print(Text.assemble(("nemesis:", "red"), " ", sentence), soft_wrap=True)
    raise SystemExit(code) from None


def _sentence(error: Exception) -> str | None:
    """What to tell whoever typed the command, or None if this is a fault of ours."""
    if isinstance(error, typer.BadParameter):
        error.message = _not_a_number(error.__cause__) or error.message
    if hasattr(error, "format_message"):  # of the library that reads the command line
        return str(error.format_message())
    from nemesis.runtime.cache import CacheError

    if isinstance(error, CacheError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    from nemesis.respond.agent import AgentError  # needs a cache that works

    expected = isinstance(error, (ValueError, TypeError, OSError, AgentError)) and not os.environ.get("NEMESIS_DEBUG")
    return str(error) if expected else None


def _not_a_number(cause: Any) -> str | None:
    """What was given where a number is asked for; the library's own words do not repeat it."""
    if not hasattr(cause, "errors"):
        return None
    found = cause.errors()[0]
    given, why = str(found["input"]), _NOT_READ.get(found["type"])
    return f"{given[:40]!r}{'…' * (len(given) > 40)} is {why}" if why else None


if __name__ == "__main__":
    main()
