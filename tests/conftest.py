import sys
from typing import Any

import pytest

from nemesis import cli, game, names
from nemesis.rules.game import Game


@pytest.fixture(params=list(names.GAMES))
def any_game(request: pytest.FixtureRequest) -> Game:
    """Every registered game, one after another."""
    return game(request.param)


@pytest.fixture
def nemesis(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*arguments: str, code: int = 0) -> tuple[str, str]:
        monkeypatch.setattr(sys, "argv", ["nemesis", *arguments])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        captured = capsys.readouterr()
        assert (stop.value.code or 0) == code, captured.err
        return captured.out, captured.err

    return run
