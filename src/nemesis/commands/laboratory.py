"""The laboratory in the browser: `lab`."""

from __future__ import annotations

from typing import Annotated

import typer

from nemesis.commands.console import err
from nemesis.commands.options import within
from nemesis.runtime.limits import Limit

PORT = Limit("a port", 1, 65_535)


def lab(
    port: Annotated[
        int | None, typer.Option(help="The port to serve on; a free one by default.", callback=within(PORT))
    ] = None,
    host: Annotated[
        str, typer.Option(help="The address to serve on; by default only this machine can open the lab.")
    ] = "127.0.0.1",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
) -> None:
    """The laboratory in the browser: play, watch agents think, evolve them, study players and models. Ctrl-C ends it.

    What you do there is kept in the lab's folder ([b]NEMESIS_LAB[/b]). Example: [b]nemesis lab --port 8080 --no-browser[/b]
    """
    from nemesis.lab.folder import lab_folder
    from nemesis.lab.server import check_port, free_port, serve

    free = free_port(host)
    chosen = free if port is None else port
    check_port(host, chosen)
    folder = lab_folder()

    def ready(address: str) -> None:
        err.print(f"nemesis lab: {address}  (Ctrl-C ends it; its files are in {folder})", soft_wrap=True)

    serve(host, chosen, show=not no_browser, ready=ready)
