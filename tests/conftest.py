import pytest

import nemesis
from nemesis import names
from nemesis.rules.game import Game


@pytest.fixture(params=list(names.GAMES))
def any_game(request: pytest.FixtureRequest) -> Game:
    """Every registered game, one after another."""
    return nemesis.game(request.param)
