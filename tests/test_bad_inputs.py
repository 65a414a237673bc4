"""Whatever is typed wrongly, at any command: exit code 2, one sentence, nothing on standard output, nothing written."""

from pathlib import Path
from typing import Any

import pytest

HUGE = str(10**30)
LONG = "9" * 5000

AT_EVERY_COMMAND = {
    "games": [],
    "agents": [],
    "duel": ["la", "tp"],
    "table": ["la", "tp"],
    "tournament": ["la", "tp"],
    "matrix": ["la", "tp"],
    "demo": [],
    "evolve": ["neat-la"],
    "solve": ["kuhn", "--deals", "1000"],
    "exploit": ["call", "--game", "kuhn"],
    "study": ["anti-players"],
    "tree": ["ashe-a4", "hm"],
    "explain": ["ashe-a4", "hm"],
    "cells": ["hypercube-a", "la"],
    "play": ["tp"],
    "grid": [],
    "deal": ["kuhn", "call", "call"],
    "join": ["127.0.0.1", "1"],
    "equity": ["AsKs"],
    "replay": ["missing.phh"],
    "import": ["missing.phh", "--store", "new.duckdb"],
    "players": ["--store", "missing.duckdb"],
    "stats": ["Nobody", "--store", "missing.duckdb"],
    "export": ["hands.csv", "--store", "missing.duckdb"],
    "profile": ["Nobody", "--store", "missing.duckdb"],
    "predict": ["missing.phh"],
    "lab": ["--no-browser"],
    "bench": [],
    "doctor": [],
}
"""Each command with arguments that are right, or nearly."""

COUNTS = {
    "duel": ("--hands", "--match", "--stack", "--seed"),
    "table": ("--hands", "--match", "--stack", "--seed"),
    "tournament": ("--tournaments", "--most-hands", "--stack", "--seed"),
    "matrix": ("--hands", "--seed"),
    "demo": ("--seed",),
    "evolve": ("--generations", "--population", "--tournaments", "--seed"),
    "solve": ("--deals", "--seed"),
    "exploit": ("--hands", "--seed"),
    "study": ("--seed",),
    "tree": ("--hands", "--lines", "--stack", "--seed"),
    "explain": ("--hands", "--stack", "--seed"),
    "cells": ("--hands", "--seed"),
    "play": ("--hands", "--stack", "--seed"),
    "grid": ("--pursuits", "--seed"),
    "deal": ("--hands", "--stack", "--seed", "--port"),
    "join": ("--stack", "--seed"),
    "equity": ("--opponents", "--seed"),
    "players": ("--least", "--limit"),
    "stats": ("--limit",),
    "predict": ("--hands", "--seed"),
}
NO_COUNTS = ("-1", "1.5", "nan", "inf", "1e3", "", "many", HUGE, LONG, str(2**64), "٣.٥")

TIMES = {
    "duel": "--time-limit",
    "table": "--time-limit",
    "tournament": "--time-limit",
    "bench": "--seconds",
    "grid": "--delay",
    "deal": "--wait",
    "join": "--silence",
}
NO_TIMES = ("-1", "nan", "inf", "-inf", "1e300", "", "soon")

NO_AGENTS = (
    "",
    " ",
    ".",
    "..",
    "/",
    "./",
    "la ",
    "LA!",
    "[b]",
    "[/b]",
    "[/]",
    ":smile:",
    "style:",
    "style:alpha",
    "style:alpha=,beta=",
    "style:alpha=nan,beta=nan",
    "style:alpha=inf,beta=1",
    "style:alpha=0.5,beta=0.4",
    "style:alpha=1e400,beta=1",
    "analysis:window=nan",
    "analysis:window=inf",
    "analysis:window=1e18",
    "analysis:window=-1",
    "analysis:window=0.5",
    "analysis:per_street=2",
    "analysis:game=1",
    "tp+bluff=",
    "tp+bluff=nan",
    "tp+bluff=2",
    "tp+bet=1.5",
    "la+rivals=0",
    "tp+nothing=1",
    "tp+",
    "zz+bluff=0.1",
    "lp-to-tp",
    "lp-to-tp@0",
    "lp-to-tp@-1",
    "lp-to-tp@nan",
    "lp-to-tp@" + LONG,
    "lp-to-zz@5",
    "lp-to-tp-to-la@half",
    "counter-",
    "counter-nobody",
    "simulation-zz",
    "simulation-",
    "no.py",
    "no.py:",
    "no.py:Me",
    ":",
    "::",
    "folder",
    "folder/",
    "folder.py:Me",
    "empty.py:Me",
    "binary.py:Me",
    "wrong.py:Me",
    "wrong.py:number",
    "wrong.py:lower",
    "wrong.py:Needs",
    "quits.py:Me",
    "empty.json",
    "binary.json",
    "folder.json",
    "list.json",
    "missing.json",
    "\x1b[31mred",
    "a\nb",
    "é" * 300,
    "a" * 5000,
    "../" * 300 + "x",
    "nul\0byte",
)
NO_GAMES = (
    "",
    " ",
    ".",
    "/",
    "[/b]",
    "limt",
    "missing.game",
    "folder",
    "folder/",
    "binary.game",
    "empty.game",
    "unreadable.game",
    "overflow.game",
    "deck.game",
    "a" * 5000,
    "nul\0byte.game",
)
NO_FOLDERS = ("", "file.txt", "file.txt/below", "nul\0byte", "a" * 5000)
NO_PICTURES = (
    "",
    "folder",
    "picture",
    "picture.gif",
    "picture.[/b]",
    "folder.png",
    "file.txt/p.png",
    "nul\0.png",
    ".png/",
)
NO_PRECISIONS = ("", "%", "5%%", "-5%", "0", "0%", "nan", "nan%", "inf", "inf%", "1e400", "five", "5%5", "--")
INTO_A_FOLDER = {
    "duel": ["--hands-to", "missing/x.phhs"],
    "table": ["--hands-to", "missing/x.phhs"],
    "tournament": ["--game", "limit", "--hands-to", "missing/x.phhs"],
    "play": ["--hands-to", "missing/x.phhs"],
    "matrix": ["--picture", "missing/x.png"],
    "cells": ["--picture", "missing/x.png"],
    "deal": ["--log", "missing/x.log"],
    "join": ["--log", "missing/x.log"],
    "predict": ["--train", "missing/x.npz"],
}
"""Files in a folder that is not there."""
NO_HANDS = ("", "A", "As", "AsAs", "AsKsQs", "1s2s", "asks?", "[/b]", "ＡｓＫｓ", "As" * 100)
NO_BOARDS = ("As", "2c3c", "2c2c3c", "AsKs2c", "2c3c4c5c6c7c", "zz", "[/b]")
NO_RANGES = ("", "ZZ+", "AA-", "A", "[/b]", ",", "AsAs", "22-AKs", "AKs+-", "%")

NO_STORES = ("", "folder", "missing.duckdb", "binary.json", "empty.json", "unreadable.game", "/dev/null", "nul\0byte")
NO_MAPS = ("", "nothing", "folder", "file.txt", "binary.json", "unreadable.game", "[/b]", "/dev/zero", "nul\0byte")


def cases() -> list[list[str]]:
    found = [[command, *rest, "--nonsense"] for command, rest in AT_EVERY_COMMAND.items()]
    found += [[command, *rest, "one", "too", "many", "x" * 9] for command, rest in AT_EVERY_COMMAND.items() if not rest]
    for command, options in COUNTS.items():
        found += [[command, *AT_EVERY_COMMAND[command], option, given] for option in options for given in NO_COUNTS]
        zero = (
            "--hands",
            "--match",
            "--stack",
            "--tournaments",
            "--most-hands",
            "--lines",
            "--opponents",
            "--population",
            "--least",
            "--limit",
        )
        found += [[command, *AT_EVERY_COMMAND[command], option, "0"] for option in options if option in zero]
    found += [["explain", "ashe-a4", "hm", "--after", given] for given in NO_COUNTS]
    found += [
        [command, *AT_EVERY_COMMAND[command], option, given] for command, option in TIMES.items() for given in NO_TIMES
    ]
    found += [["duel", agent, "tp"] for agent in NO_AGENTS]
    found += [["matrix", "tp", agent] for agent in NO_AGENTS[:8]]
    found += [[command, "--player", agent] for command in ("demo",) for agent in ("", "la", "[/b]", "missing.json")]
    found += [[command, "la", "tp"] for command in ("tree", "explain")]
    found += [[command, "ashe-a4", "[/b]"] for command in ("tree", "explain")]
    found += [["cells", agent] for agent in ("la", "ashe-a4", "[/b]", "hypercube-a:by_seat=2")]
    found += [["cells", "hypercube-a", "--street", given] for given in ("", "[/b]", "fifth")]
    found += [["cells", "hypercube-a", "--against", given] for given in ("", "[/b]", "seat 3")]
    found += [["cells", "hypercube-a", "la", "--save", given] for given in ("", "cells.txt", "missing/\0.json")]
    found += [["cells", "hypercube-a", "--save", "cells.json"], ["cells", "hypercube-a", "--game", "no-limit"]]
    found += [["table", "hypercube-a", "la", "la", "--game", "no-limit"]]
    found += [["duel", "la", "tp", "--game", game] for game in NO_GAMES]
    found += [[command, *AT_EVERY_COMMAND[command], "--game", ""] for command in ("matrix", "tree", "explain", "play")]
    found += [["duel", agent, "call", "--game", "kuhn"] for agent in ("hm", "cm", "sl", "cs", "rg", "hp", "ashe-a4")]
    found += [["tree", "ashe-a4", "hm", "--game", game] for game in ("kuhn", "one-card")]
    found += [
        ["duel", "dense-all", "la", "--game", "limit"],
        ["table", "specialist-la", "la", "la", "--game", "one-card"],
    ]
    found += [["duel", "la", "tp", "--precision", given] for given in NO_PRECISIONS]
    found += [["tournament", "la", "tp", "--precision", given] for given in NO_PRECISIONS[:3]]
    found += [["matrix", "la", "tp", "--picture", given] for given in NO_PICTURES]
    found += [[command, *AT_EVERY_COMMAND[command], *given] for command, given in INTO_A_FOLDER.items()]
    found += [["cells", "hypercube-a", "la", "--save", "missing/x.json"], ["export", "missing/x.csv"]]
    found += [["import", "file.txt", "--store", "missing/x.duckdb"]]
    no_hand_files = ("", "x.txt", "folder", "nul\0.phhs", "file.txt/x.phhs")
    found += [["duel", "la", "tp", "--hands-to", given] for given in no_hand_files]
    found += [["evolve", "neat-la", "--out", given] for given in NO_FOLDERS]
    found += [["study", "anti-players", "--scale", "smoke", "--out", given] for given in NO_FOLDERS]
    found += [["demo", "--folder", given] for given in NO_FOLDERS]
    found += [["evolve", given] for given in ("", "neat", "[/b]", "a" * 999)]
    found += [["evolve", "neat-la", "--resume", "--out", given] for given in ("missing", "folder")]
    found += [["study", given] for given in ("", "anti", "[/b]")]
    found += [["study", "anti-players", "--scale", given] for given in ("", "huge", "[/b]")]
    found += [["equity", given] for given in NO_HANDS]
    found += [["equity", "AsKs", "--board", given] for given in NO_BOARDS]
    found += [["equity", "AsKs", "--vs", given] for given in NO_RANGES]
    found += [["replay", given] for given in ("", "missing.phh", "folder", "unreadable.phh", "nul\0byte")]
    found += [["predict", given, "--score"] for given in ("", "missing.phh", "folder", "nul\0byte")]
    found += [["predict", "missing.phh", "--model", given] for given in ("", "missing.npz", "folder", "binary.json")]
    found += [["predict", "missing.phh", "--train", given] for given in ("", "model", "folder", "no/folder/model.npz")]
    found += [["predict", "missing.phh", "--score", "--player", "Ann"], ["cells", "hypercube-a", "--frozen"]]
    found += [
        ["solve", "kuhn", *given] for given in ([], ["--deals", "9", "--minutes", "1"], ["--deals", "9", "--resume"])
    ]
    found += [["solve", "kuhn", "--deals", "9", *given] for given in (["--method", "[/b]"], ["--workers", "ray"])]
    found += [["solve", given, "--deals", "9"] for given in ("one-card", "[/b]")]
    found += [["solve", "limit", "--deals", "9", "--buckets", given] for given in ("", "1,2", "0,0,0", "-1,5,5")]
    found += [["predict", "missing.phh", "--check", "missing.phh"], ["predict", "x.phh", "--score", "--train", "m.npz"]]
    stored = (["players"], ["stats", "Ann"], ["export", "hands.csv"], ["import", "--rejected"])
    found += [[*command, "--store", given] for command in stored for given in NO_STORES]
    found += [["import", "file.txt", "--store", given] for given in ("", "folder", "binary.json", "unreadable.game")]
    found += [["import", given, "--store", "new.duckdb"] for given in ("", "folder", "/dev/zero", "[/b]", "nul\0byte")]
    found += [["players", "--since", given] for given in ("", "yesterday", "2009-02-30", "[/b]")]
    found += [["players", "--since", "2010-01-01", "--until", "2009-01-01"], ["players", "--players", "11"]]
    found += [["stats", "Ann", "--by", given] for given in ("", "weather", "[/b]")]
    found += [["export", given] for given in ("", "file.txt/below.csv", "nul\0.csv", "a" * 5000)]
    found += [["grid", "--map", given] for given in NO_MAPS]
    found += [["grid", option, given] for option in ("--steering", "--manner") for given in ("", "[/b]", "me")]
    found += [["grid", "--noise", given] for given in ("", "nan", "-0.1", "1.1", "inf")] + [["grid", "--goal", "[/b]"]]
    found += [["deal", "kuhn", "call", "call", "--log", given] for given in ("folder", "file.txt", "nul\0byte")]
    found += [["deal", "kuhn", "call", "call", "call"], ["deal", "[/b]"], ["deal", "kuhn", "nobody", "call"]]
    found += [["deal", "kuhn", "@me", "call", "--host", given] for given in ("[/b]", "a" * 5000, "nul\0byte")]
    found += [["join", given, "1", "--wait", "0.2"] for given in ("[/b]", "a" * 5000, "nul\0byte")]
    found += [["lab", "--no-browser", "--host", given] for given in ("[/b]", "a b", "a" * 5000, "nul\0byte", "1.2.3.4")]
    found += [["lab", "--no-browser", "--port", given] for given in (*NO_COUNTS, "0", "65536")]
    found += [["study", "table", "--out", given] for given in ("folder", "missing", "file.txt", "nul\0byte")]
    found += [["study", "anti-players", "--redraw", "--out", given] for given in ("folder", "missing")]
    found += [["study", "anti-players", "--runs", given] for given in ("0", "-1", "101", "nan")]
    found += [["table"], ["table", "la"], ["table", *["la"] * 11], ["duel"], ["duel", "la"], ["matrix", "la"], ["play"]]
    found += [
        ["tournament", "la"],
        ["play", *["la"] * 10],
        ["tree"],
        ["explain", "ashe-a4"],
        ["equity"],
        ["replay"],
        ["nonsense"],
    ]
    return found


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files that are not what their names say."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NEMESIS_COMPILING_TOLD", "1")
    noise = bytes(range(256)) * 4
    (tmp_path / "folder").mkdir()
    for name in ("folder.py", "folder.json", "folder.png"):
        (tmp_path / name).mkdir()
    (tmp_path / "file.txt").write_text("a file")
    for ending in ("py", "json", "game"):
        (tmp_path / f"empty.{ending}").write_bytes(b"")
        (tmp_path / f"binary.{ending}").write_bytes(noise)
    (tmp_path / "list.json").write_text("[1, 2]")
    (tmp_path / "quits.py").write_text("import sys\nsys.exit(0)\n")
    (tmp_path / "wrong.py").write_text(
        "number = 5\n\nclass Me:\n    pass\n\ndef lower():\n    return 'la'\n\n"
        "class Needs:\n    def __init__(self, courage): ...\n    def act(self, view): return 1\n"
    )
    rules = "GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 1\nstack = {stack}\nblind = 2 1\nnumSuits = 1\n"
    rules += "numRanks = {ranks}\nnumHoleCards = 1\nnumBoardCards = 0\nEND GAMEDEF\n"
    (tmp_path / "overflow.game").write_text(rules.format(stack=f"{10**18} {10**18}", ranks=3))
    (tmp_path / "deck.game").write_text(rules.format(stack="10 10", ranks=1000))
    for name in ("unreadable.game", "unreadable.phh"):
        (tmp_path / name).symlink_to(name)  # a circle: nobody can read it, root neither
    return tmp_path


RAW = (
    "Traceback", "NoneType", "PosixPath", "object is not", "unhashable", "cannot convert", "buffer size",
    "invalid literal", "could not convert", "positional argument", "Errno", "<class", "has no attribute", "codec",
    "pickle", "IO Error", "Input should",
)  # fmt: skip


@pytest.mark.parametrize("arguments", cases(), ids=lambda given: ascii(" ".join(given))[:60])
def test_it_is_told_in_a_sentence(arguments: list[str], nemesis: Any, workplace: Path) -> None:
    before = sorted(workplace.rglob("*"))
    out, err = nemesis(*arguments, code=2)
    assert out == ""
    assert err.startswith("nemesis: ")
    assert not [phrase for phrase in RAW if phrase in err]
    assert err.count("\n") == 1, "one sentence is one line"
    assert sorted(workplace.rglob("*")) == before
