"""An adversary: 60 genes evolved against the belief network, then the network evolved again with it (000, section 6.1).

The source's adversary won 81 % of its best generation's games and 63 % of 10 000 others: a highest of noisy numbers, and the
truth. We print both in the same way. The new network is evolved against the four styles and the adversary.
"""

from __future__ import annotations

from nemesis.believe.tables import action_table
from nemesis.measure.interval import mean_interval
from nemesis.measure.picture import save_figure
from nemesis.respond.agent import CompiledAgent
from nemesis.respond.styles import STYLES
from nemesis.rules.game import Game
from nemesis.studies.evolved import (
    belief_champion,
    caveat,
    evolve_champion,
    fresh_shares,
    fresh_tournaments,
    game_of,
    judged,
    opponent,
    share_of,
)
from nemesis.studies.looks import looks_like
from nemesis.studies.recipe import Recipe
from nemesis.studies.recipes import ALL, GENES, RECIPES
from nemesis.studies.study import Report, Row, Setting, Study

PEAK, FRESH_SHARE = 0.81, 0.63
_PICTURE = "adversary.png"
_NETWORK = RECIPES["neat-belief"]

ADVERSARY = Recipe(
    "adversary", "60 genes against the belief network (6.1)", "genetic", GENES, (("network",),), _NETWORK.game
)
ANSWER = Recipe(
    "answer",
    "NEAT with beliefs against the four styles and the adversary (6.1)",
    "neat",
    _NETWORK.player,
    (*ALL, ("adversary",)),
    _NETWORK.game,
    generations=_NETWORK.generations,
)


def measure(setting: Setting) -> Report:
    """Evolve the adversary, then the network that answers it."""
    game = game_of(_NETWORK)
    seated: dict[str, CompiledAgent] = {"network": belief_champion(setting)}

    def seat(name: str, at: Game) -> CompiledAgent:
        return seated[name] if name in seated else opponent(name, at)

    run = evolve_champion(ADVERSARY, setting, seat)
    seated["adversary"] = run.champion
    answer = evolve_champion(ANSWER, setting, seat)
    tournaments = fresh_tournaments(setting)
    tables = [[run.champion], *([opponent(style, game)] for style in STYLES)]
    batches = fresh_shares(game, [seated["network"], answer.champion], tables, setting, tournaments)
    share, interval = share_of(1.0 - batches[:, 0, 0], tournaments)
    looks = looks_like(
        run.champion, seated["network"], game, action_table(game), actions=20,
        tournaments=setting.choose(10, 200, 1_000), seed=setting.seed,
    )  # fmt: skip
    seen = ", ".join(f"{style.upper()} {p:.2f}" for style, p in zip(STYLES, looks, strict=True))
    rows = [
        Row("adversary: highest fitness in its run", run.peak, None, PEAK, note="noisy, as the published one"),
        Row("adversary v network", share, interval, FRESH_SHARE, note=f"{judged(interval, FRESH_SHARE)}; looks {seen}"),
        Row("network evolved again v adversary", *share_of(batches[:, 1, 0], tournaments), published="> 0.70"),
    ]
    rows.append(
        Row("network evolved again − network, v adversary", *mean_interval(batches[:, 1, 0] - batches[:, 0, 0]))
    )
    for column, style in enumerate(STYLES, start=1):
        gain = mean_interval(batches[:, 1, column] - batches[:, 0, column])
        rows.append(Row(f"network evolved again − network, v {style.upper()}", *gain))
    with save_figure(setting.folder / _PICTURE, (8, 4.5)) as figure:
        axes = figure.add_subplot()
        for key in ("best", "mean", "worst"):
            axes.plot([line["generation"] for line in run.metrics], [line[key] for line in run.metrics], label=key)
        axes.axhline(share, color="tab:green", linestyle="--", label="champion, fresh deals")
        axes.axhline(FRESH_SHARE, color="tab:red", linestyle=":", label="published, 10 000 games")
        axes.set(xlabel="generation", ylabel="share of tournaments", ylim=(0, 1), title="adversary v belief network")
        axes.legend(loc="lower right")
    return Report(caveat(setting) + _verdict(rows), rows, [_PICTURE], "share of tournaments")


def _verdict(rows: list[Row]) -> str:
    peak, fresh, again, gain = rows[:4]
    low, high = fresh.ci95 or (0.0, 1.0)
    beats = "beats" if low > 0.5 else "does not beat" if high < 0.5 else "is level with"
    gained = gain.ci95 or (0.0, 0.0)
    change = (
        "wins more" if gained[0] > 0 else "wins less" if gained[1] < 0 else "wins no more and no less that we can see"
    )
    return (
        f"The adversary {beats} the network: {peak.ours:.2f} at its luckiest, {fresh.ours:.2f} on fresh deals (published "
        f"{PEAK:.2f} and {FRESH_SHARE:.2f}; {fresh.note.partition(';')[0]}). Evolved again with it among the opponents, the "
        f"network {change} from it ({1 - fresh.ours:.2f} before, {again.ours:.2f} after)."
    )


STUDY = Study(
    "adversary", "Genes evolved against the belief network, and the network's answer", "000, section 6.1, figures 6.1, 6.2",
    measure,
)  # fmt: skip
