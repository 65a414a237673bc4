"""What people do next, from recorded hands: `predict`."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nemesis.commands.console import bold, err, out, print_json, status_line
from nemesis.commands.histories import StoreFile
from nemesis.commands.listing_table import Listing
from nemesis.commands.options import AsJson, Seed, new_file, within
from nemesis.runtime.limits import HANDS

if TYPE_CHECKING:
    from nemesis.believe.action_model import ActionModel, Forecast, Timeline
    from nemesis.measure.prediction import Judgement

STREETS = ("preflop", "flop", "turn", "river")
SHARE_CHECKED = 8


def predict(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Hand histories (.phh, .phhs) or folders of them; by default all hands of the store, which other "
            "rooms' files are imported into. Hands are taken in the order of time.",
            show_default=False,
        ),
    ] = None,
    score: Annotated[
        bool, typer.Option("--score", help="Score the model on these hands, walk-forward, and print only that.")
    ] = False,
    train: Annotated[
        Path | None,
        typer.Option(
            help="Train a model on these hands and write it to this .npz file.",
            parser=new_file("a model's", ".npz"),
            metavar="MODEL",
        ),
    ] = None,
    check: Annotated[
        list[Path] | None,
        typer.Option(
            help="With [b]--train[/b]: hands that decide when training stops; by default the last eighth of the others. "
            "With [b]--strength[/b] they only tell how good the model is."
        ),
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="A trained model; by default the one that comes with the package.")
    ] = None,
    strength: Annotated[
        bool,
        typer.Option(
            "--strength",
            help="Predict how strong the hands are that were shown, instead of actions; with [b]--train[/b], [b]--model[/b] "
            "a model of that.",
        ),
    ] = False,
    player: Annotated[str | None, typer.Option(help="Show only this player's decisions.")] = None,
    hands: Annotated[
        int, typer.Option("--hands", "-n", help="Show the last so many hands.", callback=within(HANDS))
    ] = 1,
    store: StoreFile = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """What each player does next: fold, check or call, raise and how much, before it happened.

    Every decision is predicted from the hands before it and from what the model knew of the player already.

    Examples: [b]nemesis predict my-hands/[/b]   [b]nemesis predict new.phhs --score[/b]
    [b]nemesis predict --train mine.npz[/b] learns from the store; then [b]nemesis predict new.phhs --model mine.npz[/b]
    """
    from nemesis.believe.action_model import SHIPPED, forecast, read_model, timeline
    from nemesis.measure.prediction import judge
    from nemesis.observe.hand import HandError

    if files and store is not None:
        raise typer.BadParameter("name hand histories or --store, not both")
    if train is not None:
        if score or model is not None:
            raise typer.BadParameter("--train makes a model; score or use it with a second command")
        _train(files or [], check or [], train, store, strength, seed, as_json)
        return
    if check:
        raise typer.BadParameter("--check belongs to --train")
    if score and player is not None:
        raise typer.BadParameter("--score is over all players; --player chooses what is shown without it")
    if strength:
        if score:
            raise typer.BadParameter("--strength has no --score; nemesis study shown-strength measures it")
        _show_strength(_read(files or [], store), model, player, hands, as_json)
        return
    chosen = read_model(SHIPPED if model is None else model)
    with status_line("reading hands") as say:
        history = _read(files or [], store)
        say(f"predicting {len(history.actions):,} decisions")
        if score:
            judged = judge(chosen, history)
        else:
            line = timeline(history)
            said = forecast(chosen, line)
    _tell_rejected(history)
    if score:
        if not judged.parts:
            left = f"; {judged.in_training:,} were in the model's training" if judged.in_training else ""
            raise HandError(f"there is no decision to score in these hands{left}")
        _print_score(judged, chosen, as_json)
    else:
        _print_forecast(line, said, chosen, player, hands, as_json)


def _read(files: list[Path], store: Path | None) -> Any:
    """The hands of the files, or without any those of the store."""
    from nemesis.observe.hand import HandError
    from nemesis.observe.history import joined, read_history
    from nemesis.observe.importing import PHH, SUFFIXES
    from nemesis.observe.store import StoreError, open_store, store_path
    from nemesis.observe.stored_hands import stored_history

    if not files:
        place = store_path(store)
        with open_store(place) as opened:
            parts = list(stored_history(opened))
        if not parts:
            raise StoreError(f"the store {place} has no hands")
        return joined(parts)
    if others := [file for file in files if file.suffix.lower() in SUFFIXES and file.suffix.lower() not in PHH]:
        raise HandError(
            f"{others[0]} is no PHH file: put it into the store with nemesis import, then name no files here"
        )
    history = read_history(files)
    if not len(history):
        reason = f": {history.rejected[0].reason}" if history.rejected else ""
        raise HandError(f"no hand could be read from {', '.join(map(str, files))}{reason}")
    return history


def _tell_rejected(history: Any) -> None:
    if history.rejected:
        first = history.rejected[0]
        place = f"{first.file}, line {first.line}"
        what = f"{len(history.rejected):,} hands could not be read; the first is {place}: {first.reason}"
        err.print(f"nemesis: {what}", soft_wrap=True)


def _train(
    files: list[Path], check: list[Path], place: Path, store: Path | None, strength: bool, seed: int, as_json: bool
) -> None:
    import numpy as np

    from nemesis import __version__
    from nemesis.believe.action_model import as_ordered, timeline, write_model
    from nemesis.believe.shown_strength import write_strength
    from nemesis.observe.hand import HandError
    from nemesis.train.action_model import train_action_model
    from nemesis.train.shown_strength import strength_model

    if check and not files:
        raise HandError("--check names files beside those that are learnt from; of a store the last eighth decides")
    with status_line("reading hands") as say:
        history = _read([*files, *check], store)
        line = timeline(history)
        if check:
            names = {str(name) for path in check for name in _names(path)}
            checked = np.isin(line.history.about["file"], [i for i, name in enumerate(history.files) if name in names])
            line = as_ordered(line.history.part(np.argsort(checked, kind="stable")))
            start = len(line.history) - int(checked.sum())
        else:
            start = len(line.history) - len(line.history) // SHARE_CHECKED
        made = {
            "command": shlex.join(["nemesis", *sys.argv[1:]]),
            "version": __version__,
            "seed": seed,
            "hands": start,
            "checked_hands": len(line.history) - start,
        }

        def told(what: str) -> None:
            say(f"training: {what}")

        if strength:
            judge_of_hands = strength_model(line, start, made, seed=seed, told=told)
            write_strength(place, judge_of_hands)
            found = judge_of_hands.made
        else:
            trained = train_action_model(line, start, made, seed=seed, told=told)
            write_model(place, trained)
            found = trained.made
    report = {"model": str(place), "bytes": place.stat().st_size, **found}
    if as_json:
        print_json(report)
        return
    listing = Listing("", "")
    for key, value in report.items():
        listing.add(key.replace("_", " "), f"{value:,}" if isinstance(value, int) else str(value))
    out.print(listing)


def _show_strength(history: Any, place: Path | None, player: str | None, hands: int, as_json: bool) -> None:
    """The last hands that were shown: how strong they were thought to be, and how strong they were."""
    import numpy as np

    from nemesis.believe.action_model import forecast, read_model, timeline
    from nemesis.believe.shown_hands import shown_hands
    from nemesis.believe.shown_strength import SHIPPED, predict_strength, read_strength
    from nemesis.observe.hand import HandError

    model = read_strength(SHIPPED if place is None else place)
    line = timeline(history)
    told = line.history.hands
    was_shown = (told["shown"] != 0) & (told["board"][:, 4] >= 0)
    if player is not None:
        number = line.history.players.index(player) if player in line.history.players else -1
        was_shown &= (told["player"] == number).any(axis=1)
    chosen = np.zeros(len(told), bool)
    chosen[np.flatnonzero(was_shown)[-hands:]] = True
    shown = predict_strength(model, shown_hands(line, forecast(read_model(), line), among=chosen))
    if not len(shown.hand):
        raise HandError(
            "nobody showed cards on a whole board in these hands" + (f", {player!r} neither" if player else "")
        )
    rows = [
        {
            "hand": line.history.ids[hand].decode(errors="replace") or str(hand + 1),
            "player": line.history.players[told["player"][hand, position]],
            "median": float(middle),
            "mean": float(expected),
            "strength": float(truth),
        }
        for hand, position, middle, expected, truth in zip(
            shown.hand.tolist(), shown.position.tolist(), shown.median, shown.mean, shown.strength, strict=True
        )
    ]
    if as_json:
        print_json({"shown": rows, "model": dict(model.made)})
        return
    listing = Listing("hand", "player", "median", "mean", "was")
    for row in rows:
        listing.add(
            row["hand"],
            row["player"],
            *(f"{row[name]:.2f}" for name in ("median", "mean")),
            bold(f"{row['strength']:.2f}"),
        )
    out.print(listing)


def _names(path: Path) -> list[Path]:
    from nemesis.observe.replay import hand_files

    return list(hand_files(path))


def _print_score(judged: Judgement, model: ActionModel, as_json: bool) -> None:
    if as_json:
        parts = {name: part.to_json() for name, part in judged.parts.items()}
        known = {"hands": judged.hands, "hands_in_training": judged.in_training, "rejected": judged.rejected}
        print_json({**known, **parts, "model": dict(model.made)})
        return
    listing = Listing("decisions", "", "accuracy", "log-loss", "95 % interval", "ece", "public", "gain by knowing who")
    for name, part in judged.parts.items():
        low, high = part.log_loss_ci95
        gain_low, gain_high = part.gain_ci95
        listing.add(
            name,
            f"{part.decisions:,}",
            f"{100 * part.accuracy:.1f} %",
            bold(f"{part.log_loss:.4f}"),
            f"{low:.4f} … {high:.4f}",
            f"{part.ece:.4f}",
            f"{part.public_log_loss:.4f}",
            f"{part.gain:.4f} ({gain_low:.4f} … {gain_high:.4f})",
        )
    out.print(listing)
    left = f"; {judged.in_training:,} hands of its training left out" if judged.in_training else ""
    out.print(f"{judged.hands:,} hands, walk-forward{left}", style="dim", soft_wrap=True)


def _print_forecast(
    line: Timeline, said: Forecast, model: ActionModel, player: str | None, hands: int, as_json: bool
) -> None:
    rows = _forecast_rows(line, said, model, player, hands)
    if as_json:
        print_json({"decisions": rows, "model": dict(model.made)})
        return
    listing = Listing("hand", "player", "street", "known", "fold", "check/call", "raise", "likely size", "did")
    for row in rows:
        done = row["done"] if row["done"] != "raise" else f"raise ({row['size']})"
        chances = [f"{100 * row[name]:.0f} %" for name in ("fold", "call", "raise")]
        likely = max(row["sizes"], key=row["sizes"].get)
        listing.add(
            row["hand"], row["player"], row["street"], f"{row['known_decisions']:,}", *chances, likely, bold(done)
        )
    out.print(listing)


def _forecast_rows(
    line: Timeline, said: Forecast, model: ActionModel, player: str | None, hands: int
) -> list[dict[str, Any]]:
    import numpy as np

    from nemesis.believe.action_model import BUCKETS, INPUTS, bucket_of, size_likely
    from nemesis.believe.player_history import ACTIONS
    from nemesis.observe.hand import HandError

    history = line.history
    actions = history.actions
    number = history.hands["player"][actions["hand"], actions["position"]]
    chosen = np.ones(len(actions), bool)
    if player is not None:
        if player not in history.players:
            raise HandError(f"nobody called {player!r} decides anything in these hands")
        chosen = number == history.players.index(player)
    told = np.unique(actions["hand"][chosen])[-hands:]
    places = np.flatnonzero(chosen & np.isin(actions["hand"], told))
    sizes = size_likely(model, said.inputs[places])
    buckets = bucket_of(line.situations)
    known = np.expm1(said.inputs[places, INPUTS.index("decisions")])
    rows = []
    for at, size, count in zip(places.tolist(), sizes, known, strict=True):
        action = actions[at]
        rows.append(
            {
                "hand": history.ids[action["hand"]].decode(errors="replace") or str(int(action["hand"]) + 1),
                "player": history.players[number[at]],
                "street": STREETS[action["street"]],
                "to_call": int(action["to_call"]) / int(history.about["scale"][action["hand"]]),
                "pot": int(action["pot"]) / int(history.about["scale"][action["hand"]]),
                "known_decisions": round(float(count)),
                **dict(zip(ACTIONS, said.likely[at].tolist(), strict=True)),
                "sizes": dict(zip(BUCKETS, size.tolist(), strict=True)),
                "done": ACTIONS[action["action"]],
                "size": BUCKETS[buckets[at]] if action["action"] == 2 else None,
            }
        )
    return rows
