"""A learner proposes genomes and is told how good they were; it never plays, and whoever plays never knows the learner.

Ask and tell, as in evosax and other libraries of evolution: `ask` gives this generation's genomes, the same ones as
often as it is asked; `tell` takes one fitness for each, larger is better, and makes the next generation. Everything a
learner knows is in `to_json`, random state included: put back with `from_json` it goes on as if it had never stopped.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nemesis.evolve.plain import from_plain, plain
from nemesis.runtime.streams import NumpyStream, generator

GenomeT = TypeVar("GenomeT")
SettingsT = TypeVar("SettingsT")
State = dict[str, Any]

MOST_GENOMES = 10_000
"""The largest population."""


class Learner(Protocol[GenomeT]):
    """What every learner of one population does. `generation` counts how often it has been told."""

    generation: int

    def ask(self) -> list[GenomeT]:
        """This generation's genomes, the same until `tell`."""
        ...

    def tell(self, fitness: NDArray[np.float64]) -> None:
        """How good each of them is, in the order of `ask`; larger is better. Makes the next generation."""
        ...

    def describe(self) -> dict[str, float]:
        """More to say about this generation, e.g. the number of species."""
        return {}

    def leader(self, fitness: NDArray[np.float64]) -> int:
        """Which genome a run remembers this generation by: the best."""
        return int(np.argmax(fitness))

    def to_json(self) -> State:
        """The whole state as plain JSON values; `learner` is its name, `generation` how far it is."""
        ...


class Seeded(Generic[SettingsT]):
    """What most learners have: settings and dice of their own, which begin the state that they are put back from."""

    name: ClassVar[str]

    def __init__(self, seed: int, parameters: SettingsT) -> None:
        self.parameters = parameters
        self.generation = 0
        self._chance = generator(seed, NumpyStream.LEARNER)

    def to_json(self) -> State:
        """Its name, settings, generation and dice; a learner adds what else it knows."""
        return {
            "learner": self.name,
            "parameters": plain(self.parameters),
            "generation": self.generation,
            "random": self._chance.bit_generator.state,
        }

    @classmethod
    def restored(cls, state: State, settings: type[SettingsT]) -> Self:
        """The learner with what `to_json` wrote here; the rest of the state is its own to read."""
        learner = cls.__new__(cls)
        learner.parameters = from_plain(settings, state["parameters"], f"the {cls.name} learner")
        learner.generation = state["generation"]
        learner._chance = restored_generator(state["random"])
        return learner


class Settings:
    """What the settings of every learner do besides holding numbers: begin the learner, and put it back.

    Each learner has its own frozen dataclass of them; the registry `names.LEARNERS` names that.
    """

    population: int
    genomes: ClassVar[type]
    """What it can change: one of the classes of `evolve.space`."""

    def begin(self, space: Any, seed: int, generations: int) -> Learner[Any]:
        """A learner for genomes like these, at the start of a run of so many generations."""
        raise NotImplementedError(f"{type(self).__name__} does not say how to begin")

    def resume(self, state: State) -> Learner[Any]:
        """A learner that goes on from a saved state."""
        raise NotImplementedError(f"{type(self).__name__} does not say how to resume")

    def shortened(self, share: float) -> Self:
        """The settings for a run of this share of the generations; only schedules need to change."""
        return self


def checked_fitness(fitness: ArrayLike, count: int) -> NDArray[np.float64]:
    """The fitness as an array, if it is one finite number for each of `count` genomes."""
    numbers = np.asarray(fitness, np.float64)
    if numbers.shape != (count,):
        raise ValueError(f"a generation of {count} genomes was told fitness of shape {numbers.shape}")
    if not np.isfinite(numbers).all():
        worst = int(np.argmin(np.isfinite(numbers)))
        raise ValueError(f"the fitness of genome {worst} is {numbers[worst]}; a fitness must be a finite number")
    return numbers


def packed(array: NDArray[np.float64]) -> str:
    """An array's numbers as text, bit for bit and more compact than digits."""
    return base64.b64encode(np.ascontiguousarray(array, "<f8").tobytes()).decode()


def unpacked(text: str, shape: Sequence[int]) -> NDArray[np.float64]:
    """The array of this shape that `packed` wrote."""
    return np.frombuffer(base64.b64decode(text), "<f8").astype(np.float64).reshape(shape)


def restored_generator(state: State) -> np.random.Generator:
    """A NumPy generator that goes on where the one with this `bit_generator.state` stood."""
    chance = generator(0, NumpyStream.LEARNER)
    chance.bit_generator.state = state
    return chance
