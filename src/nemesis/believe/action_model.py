"""Who does what next: fold, check or call, or raise and how much, for any player at any public decision.

Four parts, each trained on the errors of the one before, so that an unknown player gets the population's answer and a
known one gets his own (`docs/explanation/prediction.md`):

* *public*: boosted trees over the public situation and the line of the hand;
* *effects*: a Gaussian belief about this player (`player_effects`), and *history*: his deviations by kind of situation
  (`player_history`), and how he sits (`sitting`);
* *personal*: boosted trees over all of that, which start from the effects' answer, and a few small networks beside them;
  the logarithms of the trees and of the networks' mean are averaged;
* *sizes*: boosted trees that say how a raise would be sized.

A model is data in one `.npz` file of plain arrays with a digest, the command that made it, what is already known of the
players it was trained on, and short digests of the hands that it has seen.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nemesis.believe.boosted_trees import Trees, add_scores
from nemesis.believe.by_player import Decisions, by_player
from nemesis.believe.player_effects import OUTPUTS, WEIGHTS, Beliefs, effect_rows, room_for
from nemesis.believe.player_history import CHOICES, HISTORY, Sums, history_rows, no_sums
from nemesis.believe.public_situation import FEATURES, Situations, situations
from nemesis.believe.sitting import SITTING, no_habits, sitters, sitting_rows
from nemesis.observe.history import History, in_order_of_time
from nemesis.runtime.atomic import becoming

FORMAT = 3
SHIPPED = Path(__file__).parent / "models" / "ongame.npz"
INPUTS = (*FEATURES, "public_fold", "public_call", "public_raise", *OUTPUTS, *HISTORY, *SITTING)
"""What the personal trees and the network read."""
SIZES = (0.45, 0.7, 0.95, 1.3)
"""Upper edges of the size buckets, in pots after the call."""
BUCKETS = ("up to .45 pot", ".45 to .7 pot", ".7 to .95 pot", ".95 to 1.3 pot", "over 1.3 pot", "all-in")
RAREST = 5e-4
"""No action is thought rarer than this: people fold where checking is free about once in a thousand times."""
_LEAST = 1e-6


class ModelError(ValueError):
    """A model that cannot be used, with the reason."""


class Network(NamedTuple):
    """A small network: inputs are standardised and clipped, hidden units rectified, outputs added to given logarithms."""

    centre: NDArray[np.float32]
    scale: NDArray[np.float32]
    weights: tuple[NDArray[np.float32], ...]
    biases: tuple[NDArray[np.float32], ...]


class Known(NamedTuple):
    """Players that a model has met: their digests in order, and what it knows of them."""

    players: NDArray[np.uint64]
    sums: Sums
    beliefs: Beliefs
    habits: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class ActionModel:
    """A trained model; `made` says how."""

    public: Trees
    base: NDArray[np.float32]
    """Logarithms of how often people fold, call and raise: where the public trees start."""
    prior: NDArray[np.float32]
    """The covariance of people's effects."""
    personal: Trees
    networks: tuple[Network, ...]
    """Trained alike from different first weights."""
    sizes: Trees
    sizes_base: NDArray[np.float32]
    known: Known
    hands: NDArray[np.uint32]
    """Short digests of the hands it was trained on."""
    trained_on: NDArray[np.uint64]
    """Digests of all players in the hands its trees were grown on."""
    made: Mapping[str, Any]


class Timeline(NamedTuple):
    """Hands in the order of time, a row for each of their decisions, and who decided."""

    history: History
    situations: Situations
    player: NDArray[np.uint64]
    """By decision, the digest of the player."""
    seated: NDArray[np.uint64]
    """By hand and position, the digest of who sat there."""

    @property
    def done(self) -> NDArray[np.int8]:
        """What was done: 0 fold, 1 check or call, 2 bet or raise."""
        return np.ascontiguousarray(self.history.actions["action"])


class Forecast(NamedTuple):
    """What a model says of every decision before it was made."""

    likely: NDArray[np.float64]
    """Probabilities of fold, check or call, and raise."""
    public: NDArray[np.float64]
    """The same without knowing who decides."""
    inputs: NDArray[np.float32]


def timeline(history: History) -> Timeline:
    """The hands in the order of time, each once."""
    _, first = np.unique(history.about["key"], return_index=True)
    return as_ordered(in_order_of_time(history.part(np.sort(first))))


def as_ordered(history: History) -> Timeline:
    """The hands in the order given."""
    found = situations(history.games, history.hands, history.actions)
    seated = _seated(history)
    return Timeline(history, found, seated[history.actions["hand"], history.actions["position"]], seated)


def _seated(history: History) -> NDArray[np.uint64]:
    """By hand and position a digest of who sits there: the room and the name. Without names everybody is a stranger in
    every hand."""
    number = history.hands["player"].astype(np.int64)
    position = np.arange(number.shape[1])
    called = len(history.players)
    pairs, which = np.unique(history.about["room"][:, None] * called + number, return_inverse=True)
    labels, players = history.labels, history.players
    digests = np.array([digest(labels[pair // called], players[pair % called]) for pair in pairs.tolist()], np.uint64)
    named = np.array([players.index(f"p{p + 1}") if f"p{p + 1}" in players else -1 for p in position])
    alone = history.about["key"][:, None] * np.uint64(31) + position.astype(np.uint64)
    found: NDArray[np.uint64] = np.where(number == named, alone, digests[which].reshape(number.shape))
    return found


def digest(room: str, name: str) -> int:
    """The number under which a model knows a player."""
    return int.from_bytes(hashlib.blake2b(f"{room}\0{name}".encode(), digest_size=8).digest(), "little")


def hand_digests(history: History) -> NDArray[np.uint32]:
    """The short digests of hands."""
    return (history.about["key"] >> np.uint64(32)).astype(np.uint32)


def public_likely(model: ActionModel, rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """What people in general do."""
    scores = np.tile(model.base.astype(np.float64), (len(rows), 1))
    add_scores(model.public, rows, scores)
    return _softmax(scores).astype(np.float32)


def forecast(model: ActionModel, line: Timeline) -> Forecast:
    """Predict every decision from what was known before it, learning as it goes on."""
    rows = line.situations.rows
    public = public_likely(model, rows)
    players, which = np.unique(line.player, return_inverse=True)
    decisions = by_player(which.astype(np.int64), line.done, len(players))
    place = np.searchsorted(model.known.players, players)
    place = np.minimum(place, max(len(model.known.players) - 1, 0))
    met = model.known.players[place] == players if len(model.known.players) else np.zeros(len(players), bool)
    known_as = np.where(met, place, -1).astype(np.int64)
    sitting = sitting_of(line, players, known_habits(model.known, known_as))
    inputs = personal_inputs(rows, sitting, decisions, public, model.prior, model.known, known_as)
    return Forecast(personal_likely(model, inputs), public.astype(np.float64), inputs)


def known_habits(known: Known, known_as: NDArray[np.int64]) -> NDArray[np.float32]:
    """The habits of players by what they are known as, -1 for a stranger."""
    habits, met = no_habits(len(known_as)), known_as >= 0
    habits[met] = known.habits[known_as[met]]
    return habits


def sitting_of(
    line: Timeline, players: NDArray[np.uint64], habits: NDArray[np.float32], among: NDArray[np.bool_] | None = None
) -> NDArray[np.float32]:
    """How the one who decides sits, by decision, if he is one of `players` (in order) and his hand `among` those to learn
    from. Writes the players' `habits`."""
    hands, actions = line.history.hands, line.history.actions
    place = np.minimum(np.searchsorted(players, line.seated), max(len(players) - 1, 0))
    asked = np.arange(line.seated.shape[1]) < hands["seats"][:, None]
    asked &= (players[place] == line.seated) if len(players) else False
    if among is not None:
        asked &= among[:, None]
    hand, position = np.nonzero(asked)
    seats = sitters(place[hand, position], hand, position, len(players))
    rows: NDArray[np.float32] = sitting_rows(line.history, seats, habits)[actions["hand"], actions["position"]]
    return rows


def personal_inputs(
    rows: NDArray[np.float32],
    sitting: NDArray[np.float32],
    decisions: Decisions,
    public: NDArray[np.float32],
    prior: NDArray[np.float32],
    known: Known,
    known_as: NDArray[np.int64],
) -> NDArray[np.float32]:
    """The columns `INPUTS` of every decision."""
    sums = no_sums(decisions.players)
    met = known_as >= 0
    for own, theirs in zip(sums, known.sums, strict=True):
        own[met] = theirs[known_as[met]]
    nowhere = np.full(decisions.players, -1, np.int64)
    effects, _ = effect_rows(rows, decisions, public, prior, known.beliefs, known_as, room_for(0), nowhere)
    history = history_rows(rows, decisions, public, sums)
    return np.concatenate([rows, np.log(np.maximum(public, _LEAST)), effects, history, sitting], axis=1)


def personal_likely(model: ActionModel, inputs: NDArray[np.float32]) -> NDArray[np.float64]:
    """Trees and networks together."""
    begin = inputs[:, EFFECT_LOGS : EFFECT_LOGS + CHOICES].astype(np.float64)
    trees = begin.copy()
    add_scores(model.personal, inputs, trees)
    said = [_log_softmax(begin + scores) for scores in all_network_scores(model.networks, inputs)]
    both = _softmax((_log_softmax(trees) + sum(said) / len(said)) / 2)
    some = np.maximum(both, RAREST)
    likely: NDArray[np.float64] = some / some.sum(axis=1, keepdims=True)
    return likely


EFFECT_LOGS = INPUTS.index(OUTPUTS[0])


def usual_sitting(model: ActionModel) -> NDArray[np.float32]:
    """How people sat in the hands that the model was trained on, on average."""
    return model.networks[0].centre[-len(SITTING) :]


def all_network_scores(networks: Sequence[Network], inputs: NDArray[np.float32]) -> list[NDArray[np.float64]]:
    """What each network adds to the logarithms; all of them see the inputs on the same scale."""
    standard = standardised(networks[0], inputs)
    return [network_scores(network, standard) for network in networks]


def standardised(network: Network, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
    """The inputs as the network sees them."""
    standard: NDArray[np.float32] = np.clip((inputs - network.centre) / network.scale, -6, 6)
    return standard


def network_scores(network: Network, standard: NDArray[np.float32]) -> NDArray[np.float64]:
    """What the network adds to the logarithms, given its standardised inputs."""
    hidden = standard
    for weight, bias in zip(network.weights[:-1], network.biases[:-1], strict=True):
        hidden = np.maximum(hidden @ weight + bias, 0)
    return np.asarray(hidden @ network.weights[-1] + network.biases[-1], np.float64)


def size_likely(model: ActionModel, inputs: NDArray[np.float32]) -> NDArray[np.float64]:
    """How a raise would be sized: probabilities of `BUCKETS`."""
    scores = np.tile(model.sizes_base.astype(np.float64), (len(inputs), 1))
    add_scores(model.sizes, inputs, scores)
    return _softmax(scores)


def bucket_of(found: Situations) -> NDArray[np.int64]:
    """The bucket of every bet or raise."""
    return np.where(found.shove, len(SIZES) + 1, np.searchsorted(SIZES, found.size))


def _log_softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    shifted = scores - scores.max(axis=1, keepdims=True)
    logs: NDArray[np.float64] = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return logs


def _softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.exp(_log_softmax(scores))


def write_model(path: Path, model: ActionModel) -> None:
    """Write a model to its file, whole or not at all."""
    arrays = _arrays(model)
    made = {"format": FORMAT, "inputs": list(INPUTS), "made": dict(model.made), "digest": _digest(arrays)}
    about = np.frombuffer(json.dumps(made, ensure_ascii=False).encode(), np.uint8)
    with becoming(path) as temporary, temporary.open("wb") as handle:
        np.savez_compressed(handle, allow_pickle=False, about=about, **arrays)


def read_model(path: Path = SHIPPED) -> ActionModel:
    """The model of a file, after checking that it is whole and of this format; the shipped one by default."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        about = json.loads(arrays.pop("about").tobytes())
    except FileNotFoundError:
        raise ModelError(f"there is no model {path}") from None
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
        raise ModelError(f"{path} is not a model, or it is damaged; nemesis predict --train makes one") from None
    except OSError as error:
        raise ModelError(f"the model {path} cannot be read: {error.strerror or error}") from None
    if not isinstance(about, dict) or about.get("format") != FORMAT or about.get("inputs") != list(INPUTS):
        raise ModelError(f"the model {path} was made for another version; train it again with nemesis predict --train")
    if about.get("digest") != _digest(arrays):
        raise ModelError(f"the model {path} was changed after it was saved: its digest does not fit")
    return _model(arrays, about["made"])


def _arrays(model: ActionModel) -> dict[str, NDArray[Any]]:
    """The model as named arrays; what is known of players in few bytes."""
    arrays: dict[str, NDArray[Any]] = {}
    for name in ("public", "personal", "sizes"):
        arrays |= {f"{name}_{field}": value for field, value in getattr(model, name)._asdict().items()}
    for kind in ("weights", "biases"):
        layers = zip(*(getattr(network, kind) for network in model.networks), strict=True)
        arrays |= {f"{kind}_{i}": np.stack(layer) for i, layer in enumerate(layers)}
    covariance = model.known.beliefs.covariance
    deviation = np.sqrt(np.maximum(np.diagonal(covariance, axis1=1, axis2=2), 1e-8))
    rows, columns = np.triu_indices(WEIGHTS, 1)
    alike = covariance[:, rows, columns] / (deviation[:, rows] * deviation[:, columns])
    return arrays | {
        "centre": model.networks[0].centre,
        "scale": model.networks[0].scale,
        "base": model.base,
        "sizes_base": model.sizes_base,
        "prior": model.prior,
        "players": model.known.players,
        "surplus": model.known.sums.surplus.astype(np.float16),
        "spread": model.known.sums.spread.astype(np.float16),
        "decisions": model.known.sums.decisions,
        "mean": model.known.beliefs.mean.astype(np.float16),
        "deviation": deviation.astype(np.float16),
        "alike": np.rint(np.clip(alike, -1, 1) * 127).astype(np.int8),
        "habits": model.known.habits,
        "hands": model.hands,
        "trained_on": model.trained_on,
    }


def _model(arrays: dict[str, NDArray[Any]], made: Mapping[str, Any]) -> ActionModel:
    def trees(name: str) -> Trees:
        return Trees(*(arrays[f"{name}_{field}"] for field in Trees._fields))

    layers = sum(name.startswith("weights_") for name in arrays)

    def network(number: int) -> Network:
        weights, biases = (
            tuple(arrays[f"{kind}_{i}"][number] for i in range(layers)) for kind in ("weights", "biases")
        )
        return Network(arrays["centre"], arrays["scale"], weights, biases)

    deviation = arrays["deviation"].astype(np.float32)
    count = len(deviation)
    rows, columns = np.triu_indices(WEIGHTS, 1)
    covariance = np.zeros((count, WEIGHTS, WEIGHTS), np.float32)
    covariance[:, rows, columns] = arrays["alike"].astype(np.float32) / 127 * deviation[:, rows] * deviation[:, columns]
    covariance += covariance.transpose(0, 2, 1)
    covariance[:, np.arange(WEIGHTS), np.arange(WEIGHTS)] = deviation**2 * 1.01
    sums = Sums(arrays["surplus"].astype(np.float32), arrays["spread"].astype(np.float32), arrays["decisions"])
    return ActionModel(
        trees("public"),
        arrays["base"],
        arrays["prior"],
        trees("personal"),
        tuple(network(number) for number in range(len(arrays["weights_0"]))),
        trees("sizes"),
        arrays["sizes_base"],
        Known(arrays["players"], sums, Beliefs(arrays["mean"].astype(np.float32), covariance), arrays["habits"]),
        arrays["hands"],
        arrays["trained_on"],
        made,
    )


def _digest(arrays: Mapping[str, NDArray[Any]]) -> str:
    told = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        told.update(f"{name} {array.dtype.str} {array.shape}".encode())
        told.update(array.tobytes())
    return told.hexdigest()


def nothing_known() -> Known:
    """Of no players."""
    return Known(np.zeros(0, np.uint64), no_sums(0), room_for(0), no_habits(0))
