"""How fast other libraries play complete hands, on one core, from the shuffle to the chips being won.

Every peer gets its fastest honest loop: OpenSpiel's bots and loop are C++ and Python only asks for the next
hand; RLCard is driven below its observations; pokers and PokerKit choose in Python, as they offer nothing
else. `random` means uniform over what is legal among fold, call and raise (limit) or fold, call, raise the
pot and all-in (no-limit), and nobody folds when checking is free. `decisions a hand` shows how far the
peers' hands are comparable.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from benchmarks.apart import Jobs, answer
from benchmarks.workloads import BIG_BLIND, SMALL_BLIND, STACK, Job

POT_OR_ALL_IN = "fold, call, pot, all-in"


def open_spiel() -> Jobs:
    """universal_poker, the ACPC dealer's rules in C++, played by OpenSpiel's own C++ bots."""
    import pyspiel

    shape = "numRounds=4,numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1"
    two = f"numPlayers=2,blind=2 1,firstPlayer=2 1 1 1,{shape}"
    limit = f"betting=limit,raiseSize=2 2 4 4,maxRaises=3 4 4 4,{two}"
    heads_up = f"betting=nolimit,stack={STACK} {STACK},{two}"
    stacks = " ".join([str(STACK)] * 6)
    six = f"betting=nolimit,numPlayers=6,blind=1 2 0 0 0 0,firstPlayer=3 1 1 1,stack={stacks},{shape}"

    def caller(game: Any, seat: int) -> Any:
        return pyspiel.load_bot("fixed_action_preference", game, seat, {"actions": "1"})

    def chooser(_game: Any, seat: int) -> Any:
        return pyspiel.make_uniform_random_bot(seat, seat + 1)

    def job(rules: str, bot: Callable[[Any, int], Any], note: str) -> Job:
        game = pyspiel.load_game(f"universal_poker({rules},bettingAbstraction=fcpa)")
        bots = [bot(game, seat) for seat in range(game.num_players())]
        seeds = iter(range(1, 1 << 31))

        def play() -> int:
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, bots, next(seeds))
            return sum(1 for move in state.full_history() if move.player >= 0)

        def work() -> int:
            for seed in [next(seeds) for _ in range(500)]:
                pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
            return 500

        return Job(work, note, _mean(play))

    return {
        "limit-call": job(limit, caller, "bots and loop in C++"),
        "limit-random": job(limit, chooser, "bots and loop in C++; fold, call, raise"),
        "nolimit-call": job(heads_up, caller, "bots and loop in C++"),
        "nolimit-random": job(heads_up, chooser, f"bots and loop in C++; {POT_OR_ALL_IN}"),
        "six-nolimit-call": job(six, caller, "bots and loop in C++"),
        "six-nolimit-random": job(six, chooser, f"bots and loop in C++; {POT_OR_ALL_IN}"),
    }


def pokers() -> Jobs:
    """No-limit hold'em in Rust, where a big blind's option is a call and an illegal action ends the hand."""
    import pokers

    kinds = pokers.ActionEnum
    fold, call, check = (pokers.Action(kind) for kind in (kinds.Fold, kinds.Call, kinds.Check))
    ok = pokers.StateStatus.Ok
    seeds = iter(range(1 << 62))

    def deal(seats: int) -> Any:
        return pokers.State.from_seed(seats, 0, SMALL_BLIND, BIG_BLIND, STACK, next(seeds))

    def always_call(seats: int) -> Callable[[], int]:
        script = [call] * seats + [check] * (3 * seats)

        def play() -> int:
            state = deal(seats)
            for action in script:
                state = state.apply_action(action)
            return _finished(state, ok, len(script))

        return play

    def at_random(seats: int) -> Callable[[], int]:
        chance = random.Random(1).random

        def play() -> int:
            state, decisions = deal(seats), 0
            while not state.final_state:
                state = state.apply_action(choose(state, chance))
                decisions += 1
            return _finished(state, ok, decisions)

        return play

    def choose(state: Any, chance: Callable[[], float]) -> Any:
        me = state.players_state[state.current_player]
        to_call = state.min_bet - me.bet_chips
        passive = call if state.min_bet > 0 else check
        actions: list[Any] = [fold, passive] if to_call > 0 else [passive]
        pot_raise, all_in = state.pot + to_call, me.stake - to_call
        if all_in > 0:
            actions.append(all_in)
            if pot_raise < all_in:
                actions.append(pot_raise)
        action = actions[int(chance() * len(actions))]
        return pokers.Action(kinds.Raise, action) if isinstance(action, float) else action

    asked = "players who are all-in are asked too"
    scripted = "actions known beforehand; prints each showdown (silenced)"
    return {
        "limit-call": "not offered: no-limit only",
        "limit-random": "not offered: no-limit only",
        "nolimit-call": _job(always_call(2), 500, scripted),
        "nolimit-random": _job(at_random(2), 500, f"choice in Python; {POT_OR_ALL_IN}; {asked}"),
        "six-nolimit-call": _job(always_call(6), 200, scripted),
        "six-nolimit-random": _job(at_random(6), 200, f"choice in Python; {POT_OR_ALL_IN}; {asked}"),
    }


def _finished(state: Any, ok: Any, decisions: int) -> int:
    if not (state.final_state and state.status == ok):
        raise RuntimeError(f"a hand of pokers ended with {state.status} after {decisions} decisions")
    return decisions


def rlcard() -> Jobs:
    """Limit and no-limit hold'em in Python; its games, without the environment's observations around them."""
    import numpy as np
    from rlcard.games.limitholdem import Game as Limit
    from rlcard.games.nolimitholdem import Game as NoLimit
    from rlcard.games.nolimitholdem.round import Action

    chance = random.Random(1)

    def player(game: Any, choose: Callable[[Any], Any]) -> Callable[[], int]:
        game.np_random = np.random.RandomState(1)

        def play() -> int:
            game.init_game()
            decisions = 0
            while not game.is_over():
                game.step(choose(game))
                decisions += 1
            game.get_payoffs()
            return decisions

        return play

    def no_limit(seats: int) -> Any:
        game = NoLimit(num_players=seats)
        game.configure({"game_num_players": seats, "chips_for_each": STACK, "dealer_id": 0})
        return game

    def limit_call(game: Any) -> str:
        return "check" if "check" in game.get_legal_actions() else "call"

    def limit_random(game: Any) -> str:
        legal = game.get_legal_actions()
        if "check" in legal:
            legal.remove("fold")
        return chance.choice(legal)

    def no_limit_call(_game: Any) -> Any:
        return Action.CHECK_CALL

    def no_limit_random(game: Any) -> Any:
        legal, betting = game.get_legal_actions(), game.round
        if betting.raised[betting.game_pointer] >= max(betting.raised):
            legal.remove(Action.FOLD)
        if Action.RAISE_HALF_POT in legal:
            legal.remove(Action.RAISE_HALF_POT)
        return chance.choice(legal)

    return {
        "limit-call": _job(player(Limit(num_players=2), limit_call), 100, "its game, without observations"),
        "limit-random": _job(player(Limit(num_players=2), limit_random), 100, "fold, call, raise"),
        "nolimit-call": _job(player(no_limit(2), no_limit_call), 100, "its game, without observations"),
        "nolimit-random": _job(player(no_limit(2), no_limit_random), 100, POT_OR_ALL_IN),
        "six-nolimit-call": _job(player(no_limit(6), no_limit_call), 50, "its game, without observations"),
        "six-nolimit-random": _job(player(no_limit(6), no_limit_random), 50, POT_OR_ALL_IN),
    }


def pokerkit() -> Jobs:
    """Every rule of the book in Python, built to be right rather than fast."""
    from pokerkit import Automation, FixedLimitTexasHoldem, NoLimitTexasHoldem

    everything = tuple(Automation)
    blinds = (SMALL_BLIND, BIG_BLIND)
    limit = FixedLimitTexasHoldem(everything, True, 0, blinds, BIG_BLIND, 2 * BIG_BLIND)
    no_limit = NoLimitTexasHoldem(everything, True, 0, blinds, BIG_BLIND)
    chance = random.Random(1)

    def player(game: Any, seats: int, act: Callable[[Any], Any]) -> Callable[[], int]:
        def play() -> int:
            state, decisions = game((STACK,) * seats, seats), 0
            while state.status:
                act(state)
                decisions += 1
            return decisions

        return play

    def call(state: Any) -> None:
        state.check_or_call()

    def choose(state: Any) -> None:
        raises = set()
        if state.can_complete_bet_or_raise_to():
            most = state.max_completion_betting_or_raising_to_amount
            raises = {min(state.pot_completion_betting_or_raising_to_amount, most), most}
        actions = [*(["fold"] if state.checking_or_calling_amount else []), "call", *sorted(raises)]
        action = chance.choice(actions)
        if action == "fold":
            state.fold()
        elif action == "call":
            state.check_or_call()
        else:
            state.complete_bet_or_raise_to(action)

    return {
        "limit-call": _job(player(limit, 2, call), 10),
        "limit-random": _job(player(limit, 2, choose), 20, "fold, call, raise"),
        "nolimit-call": _job(player(no_limit, 2, call), 10),
        "nolimit-random": _job(player(no_limit, 2, choose), 20, POT_OR_ALL_IN),
        "six-nolimit-call": _job(player(no_limit, 6, call), 5),
        "six-nolimit-random": _job(player(no_limit, 6, choose), 10, POT_OR_ALL_IN),
    }


def _job(play: Callable[[], int], hands: int, note: str = "") -> Job:
    def work() -> int:
        for _ in range(hands):
            play()
        return hands

    return Job(work, note, _mean(play))


def _mean(play: Callable[[], int], hands: int = 200) -> Callable[[], float]:
    return lambda: sum(play() for _ in range(hands)) / hands


PEERS = {"open_spiel": open_spiel, "pokers": pokers, "rlcard": rlcard, "pokerkit": pokerkit}

if __name__ == "__main__":
    answer(PEERS, {})
