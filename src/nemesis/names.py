"""The one registry: what can be asked for by name, and where it is made.

A line says `name: "module:attribute"`. Nothing is imported until a name is asked for, so every room may read the
registry. Adding an opponent, a player kind, a learner, a belief, a game or a study is one file and one line here. The
rooms make things from names: `rules.by_name.game`, `respond.by_name.agent`, `play.by_name.player`.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
from collections.abc import Iterable, Mapping
from typing import Any

GAMES: Mapping[str, str] = {
    "one-card": "nemesis.rules.games:one_card",
    "one-card-100": "nemesis.rules.games:one_card_100",
    "kuhn": "nemesis.rules.games:kuhn",
    "leduc": "nemesis.rules.games:leduc",
    "limit": "nemesis.rules.games:limit",
    "acpc-limit": "nemesis.rules.games:acpc_limit",
    "ring": "nemesis.rules.games:ring",
    "no-limit": "nemesis.rules.games:no_limit",
    "no-limit-6": "nemesis.rules.games:no_limit_6",
    "pot-limit": "nemesis.rules.games:pot_limit",
}

AGENTS: Mapping[str, str] = {
    "fold": "nemesis.respond.simple:fold",
    "call": "nemesis.respond.simple:call",
    "raise": "nemesis.respond.simple:raise_",
    "random": "nemesis.respond.simple:random",
    "la": "nemesis.respond.styles:loose_aggressive",
    "lp": "nemesis.respond.styles:loose_passive",
    "ta": "nemesis.respond.styles:tight_aggressive",
    "tp": "nemesis.respond.styles:tight_passive",
    "style": "nemesis.respond.styles:style",
    "anti-la": "nemesis.respond.counter:anti_la",
    "anti-lp": "nemesis.respond.counter:anti_lp",
    "anti-ta": "nemesis.respond.counter:anti_ta",
    "anti-tp": "nemesis.respond.counter:anti_tp",
    "analysis": "nemesis.respond.counter:analysis",
    "hypercube-a": "nemesis.respond.hypercube_starts:from_tight_aggressive",
    "hypercube-random": "nemesis.respond.hypercube_starts:from_random",
    "hm": "nemesis.respond.no_limit_simple:hothead_maniac",
    "cm": "nemesis.respond.no_limit_simple:calling_machine",
    "sl": "nemesis.respond.no_limit_simple:scared_limper",
    "cs": "nemesis.respond.no_limit_simple:candid_statistician",
    "rg": "nemesis.respond.random_gambler:random_gambler",
    "nl-la": "nemesis.respond.no_limit_styles:loose_aggressive",
    "nl-lp": "nemesis.respond.no_limit_styles:loose_passive",
    "nl-tp": "nemesis.respond.no_limit_styles:tight_passive",
    "nl-ta": "nemesis.respond.no_limit_styles:tight_aggressive",
    "hp": "nemesis.respond.half_a_pro:half_a_pro",
    "patient": "nemesis.respond.known_counters:patient",
    "thief": "nemesis.respond.known_counters:thief",
    "equilibrium": "nemesis.solve.equilibrium_player:equilibrium_player",
}

PATTERNS: Mapping[str, str] = {
    r"[a-z]+\+.+": "nemesis.respond.style_variants:style_variant",
    r"[a-z]+-to-.+": "nemesis.respond.style_variants:style_variant",
    r"simulation(-.*)?": "nemesis.solve.pair_search:simulation",
    r"counter-.+": "nemesis.solve.limit_ceiling:counter",
    r"clone:.+": "nemesis.respond.clone:clone",
    r".+\.npz": "nemesis.respond.solved_player:solved_player",
}
"""Agents whose whole name says what they are; such a factory takes the game and the name."""

BELIEFS: Mapping[str, str] = {
    "plain": "nemesis.believe.style_beliefs:plain",
    "street": "nemesis.believe.style_beliefs:street",
    "situation": "nemesis.believe.style_beliefs:situation",
    "showdown": "nemesis.believe.style_beliefs:showdown",
}

PLAYER_KINDS: Mapping[str, str] = {
    "chromosome": "nemesis.train.chromosome_kind:ChromosomeKind",
    "network": "nemesis.train.network_kind:NetworkKind",
    "layered": "nemesis.train.layered_kind:LayeredKind",
    "ashe": "nemesis.train.ashe_kind:AsheKind",
    "holdem-network": "nemesis.train.holdem_kind:HoldemKind",
    "holdem-layered": "nemesis.train.holdem_layered_kind:HoldemLayeredKind",
    "hypercube": "nemesis.respond.hypercube_file:HypercubeFile",
}

LEARNERS: Mapping[str, str] = {
    "genetic": "nemesis.evolve.genetic:GeneticParameters",
    "incremental": "nemesis.evolve.incremental:IncrementalParameters",
    "natural": "nemesis.evolve.natural:NaturalParameters",
    "neat": "nemesis.evolve.neat:NeatParameters",
    "tiered": "nemesis.evolve.tiered:TieredParameters",
}

SCHOOLS: Mapping[str, str] = {
    "tournaments": "nemesis.train.tournaments:Tournaments",
    "matches": "nemesis.train.matches:Matches",
    "chips": "nemesis.train.chips:Chips",
}

RECIPES: tuple[str, ...] = (
    "nemesis.train.one_card_recipes:RECIPES",
    "nemesis.train.ashe_recipes:RECIPES",
    "nemesis.train.limit_recipes:RECIPES",
)
"""Collections of recipes; each recipe has its name."""

STUDIES: Mapping[str, str] = {
    "grid-directions": "nemesis.studies.grid_directions:STUDY",
    "grid-run": "nemesis.studies.grid_run:STUDY",
    "grid-noise": "nemesis.studies.grid_noise:STUDY",
    "grid-recognisers": "nemesis.studies.grid_recognisers:STUDY",
    "grid-boats": "nemesis.studies.grid_boats:STUDY",
    "action-table": "nemesis.studies.action_table:STUDY",
    "anti-players": "nemesis.studies.anti_players:STUDY",
    "pair-maps": "nemesis.studies.pair_maps:STUDY",
    "analysis-player": "nemesis.studies.analysis_player:STUDY",
    "belief-growth": "nemesis.studies.belief_growth:STUDY",
    "belief-worth": "nemesis.studies.belief_worth:STUDY",
    "ga-curves": "nemesis.studies.ga_curves:STUDY",
    "first-generation": "nemesis.studies.first_generation:STUDY",
    "neat-curves": "nemesis.studies.neat_curves:STUDY",
    "neat-growing": "nemesis.studies.neat_curves:GROWING",
    "style-classifiers": "nemesis.studies.style_classifiers:STUDY",
    "four-seats": "nemesis.studies.four_seats:STUDY",
    "ablations": "nemesis.studies.ablations:STUDY",
    "bluffers": "nemesis.studies.bluffers:STUDY",
    "style-changes": "nemesis.studies.style_changes:STUDY",
    "coevolution": "nemesis.studies.coevolution:STUDY",
    "adversary": "nemesis.studies.adversary:STUDY",
    "hypercube-curve": "nemesis.studies.hypercube_curve:STUDY",
    "hypercube-specialists": "nemesis.studies.hypercube_specialists:STUDY",
    "hypercube-changes": "nemesis.studies.hypercube_changes:STUDY",
    "limit-side-by-side": "nemesis.studies.limit_side_by_side:STUDY",
    "no-limit-opponents": "nemesis.studies.no_limit_opponents:STUDY",
    "no-limit-ceilings": "nemesis.studies.no_limit_ceilings:STUDY",
    "ashe-table": "nemesis.studies.ashe_table:STUDY",
    "ashe-adaptation": "nemesis.studies.ashe_adaptation:STUDY",
    "ashe-ablations": "nemesis.studies.ashe_ablations:STUDY",
    "ashe-calibration": "nemesis.studies.ashe_calibration:STUDY",
    "ashe-rule": "nemesis.studies.ashe_rule:STUDY",
    "ashe-training": "nemesis.studies.ashe_training:STUDY",
    "ashe-team": "nemesis.studies.ashe_team:STUDY",
    "limit-ceilings": "nemesis.studies.limit_ceilings:STUDY",
    "limit-beliefs": "nemesis.studies.limit_beliefs:STUDY",
    "limit-networks": "nemesis.studies.limit_networks:STUDY",
    "limit-changes": "nemesis.studies.limit_changes:STUDY",
    "limit-four-seats": "nemesis.studies.limit_four_seats:STUDY",
    "pom-learning": "nemesis.studies.pom_learning:STUDY",
    "pom-windows": "nemesis.studies.pom_windows:STUDY",
    "pom-tracking": "nemesis.studies.pom_tracking:STUDY",
    "pom-accuracy": "nemesis.studies.pom_accuracy:STUDY",
    "real-styles": "nemesis.studies.real_styles:STUDY",
    "clone-fidelity": "nemesis.studies.clone_fidelity:STUDY",
    "range-posterior": "nemesis.studies.range_posterior:STUDY",
    "shown-strength": "nemesis.studies.shown_strength:STUDY",
    "exploitability": "nemesis.studies.exploitability:STUDY",
    "luck": "nemesis.studies.luck:STUDY",
    "solver": "nemesis.studies.solver:STUDY",
}


class UnknownName(ValueError):
    """A name nobody answers to, with the nearest ones that somebody does."""


def resolve(spec: str) -> Any:
    """What a line of the registry stands for: the attribute of the module, which is imported now."""
    module, _, attribute = spec.partition(":")
    return getattr(importlib.import_module(module), attribute)


def find(kind: str, name: str, known: Mapping[str, str], otherwise: str = "") -> Any:
    """What `name` stands for among the known ones; `kind` and `otherwise` are for the sentence if it is not there."""
    if name not in known:
        raise unknown(kind, name, known, otherwise)
    return resolve(known[name])


def name_of(known: Mapping[str, str], value: Any) -> str:
    """The name under which the class of a value is registered."""
    spec = f"{type(value).__module__}:{type(value).__qualname__}"
    found = next((name for name, line in known.items() if line == spec), None)
    if found is None:
        raise UnknownName(f"{spec} has no name; register it in {__name__}")
    return found


def describe(spec: str) -> str:
    """The first line of what a registered factory says about itself."""
    return (inspect.getdoc(resolve(spec)) or "").split("\n", 1)[0]


def unknown(kind: str, name: str, known: Iterable[str], otherwise: str = "") -> UnknownName:
    """The error for a name that is none of the known ones; it suggests the nearest."""
    known = list(known)
    close = difflib.get_close_matches(name.lower(), known, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(close)}?" if close else f"known are {', '.join(known)}"
    return UnknownName(f"there is no {kind} named {name!r}; {hint}" + (f" ({otherwise})" if otherwise else ""))
