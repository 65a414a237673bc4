"""The 60-gene player with explicit cards: which pair answers what, and how a pair is used."""

import numpy as np
import pytest

from nemesis.believe.style_belief import ActionTable
from nemesis.observe.event import ACTS, Event, new_events
from nemesis.observe.view import View, new_view
from nemesis.play.match import play_lineups
from nemesis.respond.agent import Agent, CompiledAgent, Uncompiled
from nemesis.respond.chromosome import chromosome_player, from_champion, genes_needed
from nemesis.respond.simple import call, random
from nemesis.rules import games

FOLD, CALL, RAISE = 0, 1, 2
STYLES = ("la", "lp", "ta", "tp")
TABLE = ActionTable(
    STYLES, np.array([[[0.36, 0.05, 0.59]], [[0.60, 0.29, 0.11]], [[0.73, 0.02, 0.25]], [[0.87, 0.07, 0.06]]])
)


def decide(agent: CompiledAgent, card: int, opponent_did: int | None, chance: float, me: int = 0) -> int:
    view = new_view()
    view["me"], view["seats"], view["to_call"], view["max_to"], view["chance"] = me, 2, 1, 5, chance
    view["hole"][0, 0] = card - 1
    if opponent_did is not None:
        view["last"][0, 1 - me] = opponent_did
    return agent.act(View(view))


def with_pair(place: int, stay: float, bet: float) -> CompiledAgent:
    """A player who folds everything but what the pair at `place` answers."""
    genes = np.zeros(60)
    genes[place : place + 2] = stay, bet
    return chromosome_player(genes, games.one_card())


def test_the_sources_example_is_the_first_pair() -> None:
    """ "If the first two values are 0.5 and 0.7": card 1 after a bet stays with .5, and of those bets .7, so .35."""
    agent = with_pair(0, 0.5, 0.7)
    answers = [decide(agent, 1, RAISE, chance) for chance in (0.0, 0.34, 0.36, 0.49, 0.5, 0.99)]
    assert answers == [RAISE, RAISE, CALL, CALL, FOLD, FOLD]


@pytest.mark.parametrize(
    ("place", "card", "opponent_did"),
    [(0, 1, RAISE), (18, 10, RAISE), (20, 1, CALL), (38, 10, CALL), (40, 1, None), (58, 10, None), (30, 6, CALL)],
)
@pytest.mark.parametrize("me", [0, 1])
def test_every_pair_answers_its_own_card_and_action(place: int, card: int, opponent_did: int | None, me: int) -> None:
    agent = with_pair(place, 1.0, 1.0)
    for other_card in range(1, 11):
        for did in (RAISE, CALL, None):
            expected = RAISE if (other_card, did) == (card, opponent_did) else FOLD
            assert decide(agent, other_card, did, 0.5, me) == expected


def test_a_pair_is_used_at_the_rates_it_names() -> None:
    agent = with_pair(40 + 2 * 6, 0.8, 0.25)
    chances = np.random.default_rng(0).random(4000)
    rates = np.bincount([decide(agent, 7, None, float(chance)) for chance in chances], minlength=3) / 4000
    assert rates == pytest.approx([0.2, 0.6, 0.2], abs=0.03)


def see(agent: CompiledAgent, action: int, times: int) -> None:
    event = new_events()
    event["kind"], event["me"], event["seat"], event["action"], event["to_call"] = ACTS, 0, 1, action, 1
    for _ in range(times):
        agent.watch(Event(event))


@pytest.mark.parametrize(("action", "style"), [(RAISE, "la"), (CALL, "lp"), (FOLD, "tp")])
def test_the_block_of_the_most_probable_style_answers(action: int, style: str) -> None:
    """Before anything is seen all styles are equal and the first block answers; then the block of what was seen."""
    blocks = np.zeros((4, 60))
    blocks[STYLES.index(style)] = 1.0
    agent = chromosome_player(blocks.ravel(), games.one_card(), table=TABLE)
    agent.sit(games.one_card(), 0)
    assert decide(agent, 5, None, 0.5) == (RAISE if style == "la" else FOLD)
    see(agent, action, 10)
    assert decide(agent, 5, None, 0.5) == RAISE
    agent.sit(games.one_card(), 0)
    assert decide(agent, 5, None, 0.5) == (RAISE if style == "la" else FOLD)


@pytest.mark.parametrize("table", [None, TABLE])
def test_it_plays_the_same_from_python(table: ActionTable | None) -> None:
    game = games.one_card()
    genes = np.random.default_rng(1).random(genes_needed(game, 4 if table else 1))
    agent = chromosome_player(genes, game, table=table)

    def won(player: Agent) -> list[list[int]]:
        lineup, numbers = np.array([[0, 1], [1, 0]] * 10), np.arange(20)
        played = play_lineups(game, [player, random(game)], lineup, numbers, hands=500, seed=3, freeze_out=True)
        return played.won.tolist()

    assert won(Uncompiled(agent)) == won(agent)


def test_a_sure_caller_breaks_even_with_the_caller_on_the_same_deals() -> None:
    game = games.one_card()
    genes = np.tile([1.0, 0.0], 30)
    lineup, numbers = np.array([[0, 1]] * 5), np.arange(5)
    mine = play_lineups(game, [chromosome_player(genes, game), call(game)], lineup, numbers, hands=50, seed=1)
    twin = play_lineups(game, [call(game), call(game)], lineup, numbers, hands=50, seed=1)
    assert mine.won.tolist() == twin.won.tolist()


def test_a_champion_plays_like_the_genes_it_was_saved_with() -> None:
    game = games.one_card()
    genes = np.random.default_rng(2).random(240)
    content = {"name": "c", "player": {"kind": "chromosome", "table": TABLE.to_json()}, "genome": genes.tolist()}
    again = from_champion(content, game)
    assert (again.template == chromosome_player(genes, game, table=TABLE).template).all()
    assert from_champion({"name": "c", "player": {}, "genome": [0.5] * 60}, game).watch_kernel is None


@pytest.mark.parametrize(
    ("genes", "seats", "sentence"),
    [(np.zeros(59), 2, "needs 60 genes"), (np.full(60, 1.5), 2, "outside 0 to 1"), (np.zeros(60), 3, "two seats")],
)
def test_impossible_chromosomes_are_refused(genes: np.ndarray, seats: int, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        chromosome_player(genes, games.one_card().seated(seats))
