"""The agents that a page may name: registered ones, shipped champions, clones, and champions of the lab's own runs.

On the command line a name may also be a file of Python or the path of a champion. From a page it may not: `agent_path` gives
back only what is known here, so that no page can have a file read or a program run.
"""

from __future__ import annotations

import re
from pathlib import Path

from nemesis.lab.evolve_work import RUNS
from nemesis.names import AGENTS, PATTERNS, unknown
from nemesis.respond.champion import shipped_champions

RUN = "run:"
"""What the name of a champion of the lab's runs begins with."""
_PARAMETERS = re.compile(r"[a-z_]+=[0-9.e+-]+(,[a-z_]+=[0-9.e+-]+)*")
_PLAIN = re.compile(r"(?!.*\.[a-z])[a-z0-9+@=.-]{1,60}")
"""Names that say what they are, such as tp+bluff=0.12; none with an ending, which could be taken for a file."""
_CLONE = re.compile(r"clone:(?!.*\.\.)(?!.*\.(json|npz|py)$)[^\\\x00-\x1f]{1,80}")
"""Players of the store have any names; none that could be taken for a file."""
ANYBODY = "clone:*"
_RUN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


def run_champions(lab: Path) -> dict[str, Path]:
    """The champions of the lab's runs, by the names that pages use."""
    found = sorted((lab / RUNS).glob("*/champion.json"), key=lambda path: -path.stat().st_mtime)
    return {f"{RUN}{path.parent.name}": path for path in found if _RUN_NAME.fullmatch(path.parent.name)}


def agent_path(name: str, lab: Path) -> str:
    """The name by which the house knows the agent that a page names; a name that a page may not use is refused."""
    base, colon, given = name.partition(":")
    if name.startswith(RUN):
        champions = run_champions(lab)
        if name in champions:
            return str(champions[name])
        raise unknown("champion of a run", name, champions)
    if base in AGENTS and (not colon or _PARAMETERS.fullmatch(given)):
        return name
    if name in shipped_champions():
        return name
    if _CLONE.fullmatch(name):
        return name
    if _PLAIN.fullmatch(name) and any(re.fullmatch(pattern, name) for pattern in PATTERNS):
        return name
    raise unknown("agent", name, [*AGENTS, *shipped_champions(), *run_champions(lab)])


def agent_names(lab: Path) -> list[str]:
    """Every agent to choose from: registered ones, shipped champions, people in general, champions of runs."""
    return [*AGENTS, *shipped_champions(), ANYBODY, *run_champions(lab)]
