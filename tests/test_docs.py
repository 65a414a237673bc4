"""The documentation is true where that can be checked: links lead somewhere, and the command line is documented whole."""

import re
from pathlib import Path

import pytest
import typer.main

from nemesis import names
from nemesis.cli import app

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
NAMED = re.compile(r'<a name="([^"]+)">')
COMMANDS = typer.main.get_command(app).commands
SECTIONS = dict(
    re.findall(
        r"^## `nemesis (\S+)`\n(.*?)(?=^## |\Z)",
        (ROOT / "docs/reference/cli.md").read_text(),
        re.MULTILINE | re.DOTALL,
    )
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_relative_links_resolve(page: Path) -> None:
    for link in LINK.findall(FENCED.sub("", page.read_text())):
        if link.startswith(("http://", "https://")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page.name} links to {link}, which is not there"
        assert not anchor or anchor in NAMED.findall(target.read_text()), f"{page.name} links to {link}: no such place"


def test_every_command_is_documented_and_every_documented_command_exists() -> None:
    assert sorted(SECTIONS) == sorted(COMMANDS)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_option_is_documented(name: str) -> None:
    for parameter in COMMANDS[name].params:
        for option in parameter.opts:
            if option.startswith("--") and option != "--help":
                assert f"`{option}`" in SECTIONS[name], f"nemesis {name} has {option}, which cli.md does not tell"


def test_every_study_has_its_place_in_the_table_of_figures() -> None:
    told = (ROOT / "docs/reference/studies.md").read_text()
    for name in names.STUDIES:
        assert f"`{name}`" in told, f"docs/reference/studies.md does not tell what {name} shows"


def test_no_two_reports_show_the_same_picture() -> None:
    """Pictures lie in one folder, so two studies that name theirs alike would overwrite each other's."""
    shown: dict[str, str] = {}
    for report in sorted((ROOT / "docs/studies").glob("*.md")):
        for picture in set(re.findall(r"\]\(([^)/]+\.png)\)", report.read_text())):
            assert shown.setdefault(picture, report.name) == report.name
            assert (report.parent / picture).exists(), f"{report.name} shows {picture}, which is not there"


def test_every_report_is_of_a_study_and_is_listed() -> None:
    listed = (ROOT / "docs/studies/README.md").read_text()
    for report in (ROOT / "docs/studies").glob("*.md"):
        if report.stem != "README":
            assert report.stem in names.STUDIES
            assert f"({report.name})" in listed, f"docs/studies/README.md does not list {report.name}"
