from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import Lab, Visitor, running_browser, running_lab
from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A lab that the tests of a file share."""
    with running_lab(tmp_path_factory.mktemp("lab")) as lab:
        yield lab


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_browser() as browser:
        yield browser


@pytest.fixture
def visit(lab: Lab, browser: Browser) -> Iterator[Callable[..., Visitor]]:
    """Makes visitors; at the end neither a browser nor the lab may have noticed a fault."""
    visitors: list[Visitor] = []

    def make(**options: Any) -> Visitor:
        visitors.append(Visitor(browser, lab.address, **options))
        return visitors[-1]

    yield make
    for visitor in visitors:
        visitor.close()
    assert lab.provoked or "Traceback" not in lab.said(), lab.said()
    assert [fault for visitor in visitors for fault in visitor.faults] == []


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A lab's folder for tests without a browser."""
    monkeypatch.setenv("NEMESIS_LAB", str(tmp_path / "lab"))
    return tmp_path / "lab"
