"""The best of a generation, or a run's champion: its network drawn, beside another's, thinking about a hand; and a duel."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from html import escape
from pathlib import Path

from nicegui import ui

import nemesis
from nemesis.lab.agent_names import agent_path, run_champions
from nemesis.lab.fields import choice
from nemesis.lab.folder import lab_folder
from nemesis.lab.frame import button, drawn, heading, note, tell, told
from nemesis.lab.opponents import about, lab_agent, opponents
from nemesis.lab.runs import Run
from nemesis.lab.shapes.figures import whisker_rows
from nemesis.lab.shapes.networks import Link, network_drawing
from nemesis.measure.decisions import Seen, decisions_of
from nemesis.measure.mind import Circuit, read_mind
from nemesis.play.match import Player
from nemesis.respond.agent import Agent, CompiledAgent
from nemesis.respond.champion import read_champion, shipped_champions
from nemesis.rules.game import Game
from nemesis.train.tournaments import Tournaments

DUELS = 4000
"""Tournaments of a duel, or tens of hands."""
WATCHED_HANDS = 12
NO_HAND = {-1: "no hand: weights only"}


class BestPanel:
    """Who is looked at; `seed` gives the deals of hands and duels."""

    def __init__(self, seed: Callable[[], int]) -> None:
        self.seed = seed
        self.run: Run | None = None
        self.agent: CompiledAgent | None = None
        self.generation: int | None = None
        self.crowned = False
        self.making = False
        self.weights: Circuit | None = None
        self.seen: list[Seen] = []
        self.other = ""
        self.rival = "la"

    def show_network(self) -> None:
        """The network, another to compare it with, and hands to watch it think about."""
        with ui.element("div").classes("panel"):
            with ui.element("div").classes("row-line"):
                self.title = ui.label().classes("heading grow")
                self.compare = choice("compare with", {"": "nobody"}, "", self._compare, typed=True).classes(
                    "wide-choice"
                )
            with ui.element("div").classes("columns"):
                self.network = drawn()
                self.other_network = drawn()
            self.other_network.set_visibility(False)
            with ui.element("div").classes("row-line"):
                self.hand = choice("a decision of a hand", NO_HAND, -1, self._pick).classes("grow")
                button("Deal hands", self._deal, key="d", says="Play some hands and see the network think")
            self.thinking = note("")

    def show_duel(self) -> None:
        """Whom it meets, and how that came out."""
        heading("Duel")
        choice("against", opponents(), self.rival, self._set_rival, typed=True)
        self.rival_note = note(about(self.rival))
        with ui.element("div").classes("row-line"):
            button("Duel", self._duel, kind="main", key="f", says="Play this generation's best against it")
        self.result = drawn()
        self.result_note = note("")

    def outdated(self, run: Run) -> bool:
        """Whether nobody is looked at yet, or the run has got a champion since and no generation was chosen."""
        return self.agent is None or (self.generation is None and run.crowned and not self.crowned)

    async def meet(self, run: Run, generation: int | None) -> None:
        """Look at the best of a generation; without one at the champion, or at the latest best."""
        if self.making:
            return
        self.making = True
        with told():
            crowned = run.crowned
            who, agent, circuit = await asyncio.to_thread(_made, run, generation)
            self.run, self.agent, self.generation, self.crowned = run, agent, generation, crowned
            self.weights, self.seen = circuit, []
            self.hand.set_options(NO_HAND, value=-1)
            self.title.text = f"{run.name}: {who}"
            others = [*run_champions(lab_folder()), *shipped_champions()]
            self.compare.set_options({"": "nobody", **{name: name for name in others}}, value=self.other)
            self._draw(None)
        self.making = False

    def _draw(self, circuit: Circuit | None) -> None:
        shown = circuit or self.weights
        if shown is None:
            self.network.content = ""
            self.thinking.text = "This player is a table of numbers, not a network; duel it on the right."
            return
        self.network.content = draw_circuit(shown, activations=circuit is not None)
        if circuit is None:
            self.thinking.text = (
                f"{len(shown.connections)} connections; blue excites, orange inhibits, thicker is heavier. Deal hands to "
                "see what it is shown and what it answers."
            )

    async def _compare(self, name: str) -> None:
        self.other = name
        self.other_network.content = ""
        self.other_network.set_visibility(bool(name))
        if not name:
            return
        with told():
            found = await asyncio.to_thread(champion_circuit, name)
            if found is None:
                tell(f"{name} is not a network; there is nothing to draw beside this one")
                return
            self.other_network.content = draw_circuit(found, activations=False, caption=name)

    async def _deal(self) -> None:
        run, agent = self.run, self.agent
        if run is None or agent is None:
            tell("there is nobody to watch yet: the first generation is being played")
            return
        with told():
            game = _game(run)
            rivals = [lab_agent(name, game) for name in run.recipe.school.tables[0]]
            self.seen = await asyncio.to_thread(decisions_of, game, agent, rivals, WATCHED_HANDS, self.seed())
            if not self.seen:
                tell("it has no network, or came to no decision in these hands")
                return
            self.hand.set_options({**NO_HAND, **{at: seen.words for at, seen in enumerate(self.seen)}}, value=0)
            self._pick(0)

    def _pick(self, at: int) -> None:
        if not 0 <= at < len(self.seen):
            self._draw(None)
            return
        seen = self.seen[at]
        self._draw(seen.circuit)
        self.thinking.text = f"{seen.words}. Filled nodes are active; the largest output acts."

    def _set_rival(self, name: str) -> None:
        self.rival = name
        self.rival_note.text = about(name)

    async def _duel(self) -> None:
        run, agent = self.run, self.agent
        if run is None or agent is None:
            tell("there is nobody to duel yet: the first generation is being played")
            return
        self.result.content, self.result_note.text = "", "playing …"
        rival, game, shares = self.rival, _game(run), isinstance(run.recipe.school, Tournaments)
        with told():
            seated = [Player("it", lambda _: agent), *(Player(rival, partial(lab_agent, rival)),) * (game.seats - 1)]
            if shares:
                play = partial(nemesis.tournament, tournaments=DUELS)
            else:
                play = partial(nemesis.table, hands=10 * DUELS)
            found = await asyncio.to_thread(play, seated, game=run.recipe.game, seed=self.seed(), workers=1)
            rows = [(score.player, (score.mean, *score.ci95), f"{found.hands:,} hands") for score in found.scores]
            span = (0.0, 1.0) if shares else None
            self.result.content = whisker_rows(rows, width=300, unit=found.unit, with_sign=not shares, span=span)
            self.result_note.text = f"{found.hands:,} hands on the same deals with seats swapped, seed {found.seed}."
        if not self.result.content:
            self.result_note.text = ""


def _game(run: Run) -> Game:
    return nemesis.game(run.recipe.game, run.recipe.seats)


def _made(run: Run, generation: int | None) -> tuple[str, CompiledAgent, Circuit | None]:
    """In words who it is, the agent, and its network; in a thread, for kernels may have to be compiled."""
    if generation is None and run.crowned:
        champion = nemesis.agent(str(run.folder / "champion.json"), _game(run))
        assert isinstance(champion, CompiledAgent)
        who, agent = "the champion", champion
    else:
        at = len(run.curve()) - 1 if generation is None else generation
        who, agent = f"the best of generation {at}", run.best(at)
    return who, agent, circuit_of(agent, run.recipe.seats)


def champion_circuit(name: str) -> Circuit | None:
    """The network of a champion that a page may name, or None if it has none."""
    path = shipped_champions().get(name) or Path(agent_path(name, lab_folder()))
    recipe = read_champion(path)["made"]["recipe"]
    seats = len(recipe["school"]["tables"][0]) + 1
    made: Agent = nemesis.agent(str(path), nemesis.game(recipe["game"], seats))
    return circuit_of(made, seats) if isinstance(made, CompiledAgent) else None


def circuit_of(agent: CompiledAgent, seats: int) -> Circuit | None:
    """The agent's network as it is before any hand, or None if it has none."""
    agent.memory = agent.template.copy()
    return read_mind(agent, seats).circuit


def draw_circuit(circuit: Circuit, *, activations: bool, caption: str = "") -> str:
    """A network with what it does now, if that is asked for."""
    links = [Link(*connection) for connection in circuit.connections]
    tallest = max(len(layer) for layer in circuit.layers)
    height = max(220, min(520, 26 * tallest))
    now = circuit.activations if activations else None
    picture = network_drawing(circuit.layers, links, now, width=560, height=height)
    return (f'<div class="note">{escape(caption)}</div>' if caption else "") + picture
