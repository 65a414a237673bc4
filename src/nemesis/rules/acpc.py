"""Game definitions of the Annual Computer Poker Competition, read and written.

The format is the ACPC server's: lines of `key = numbers` between GAMEDEF and END GAMEDEF, keys in any case,
`#` for comments, one of `limit` and `nolimit` (limit if neither). What may be left out means what it means
to the server: every street opened by player 1, any number of raises, and in limit games stacks without end,
for which we take the most a hand can cost. Two things there are said otherwise than here: ACPC players are
counted from 1, and it has no antes, so a blind that everyone posts is one.

The server's rule for short all-in raises comes with a definition (`short_raises="any"`). A definition says
how one hand is played; how many hands make a match and what it is about are ours and are not written.
"""

from __future__ import annotations

from nemesis.rules.game import AFTER_BLINDS, MAX_SEATS, MAX_STREETS, Game, GameError, Structure
from nemesis.runtime.limits import MOST_CHIPS

MOST_RAISES = 255
_DIGITS = len(str(MOST_CHIPS))

_WORDS: dict[str, Structure] = {"limit": "limit", "nolimit": "no-limit"}
_KEYS = (
    "numPlayers",
    "numRounds",
    "stack",
    "blind",
    "raiseSize",
    "firstPlayer",
    "maxRaises",
    "numSuits",
    "numRanks",
    "numHoleCards",
    "numBoardCards",
)
_SPELLING = {key.lower(): key for key in _KEYS}


def read_game(text: str, name: str) -> Game:
    """The game an ACPC definition describes, or a `GameError` that says what is wrong with it."""
    structure, values = _read_lines(text, name)
    seats = _one(values, "numPlayers", name)
    streets = _one(values, "numRounds", name)
    if not 2 <= seats <= MAX_SEATS:
        raise GameError(f"{name} has numPlayers = {seats}; 2 to {MAX_SEATS} can play")
    if not 1 <= streets <= MAX_STREETS:
        raise GameError(f"{name} has numRounds = {streets}; a game has 1 to {MAX_STREETS}")
    posts = _several(values, "blind", seats, name)
    shared = len(set(posts)) == 1
    bets = _several(values, "raiseSize", streets, name) if structure == "limit" else (max(posts),) * streets
    first = _padded(values, "firstPlayer", streets, 1)
    if any(not 1 <= player <= seats for player in first):
        raise GameError(f"{name} has firstPlayer = {_numbers(first)}; players are 1 to {seats}")
    max_raises = _padded(values, "maxRaises", streets, MOST_RAISES) if "maxRaises" in values else ()
    stacks = _stacks(structure, values, posts, bets, max_raises, name)
    for player, (post, stack) in enumerate(zip(posts, stacks, strict=True), start=1):
        if post > stack:
            raise GameError(f"{name} takes a blind of {post} from player {player}, who has {stack} chips")
    return Game(
        name=name,
        structure=structure,
        stacks=stacks,
        antes=posts if shared else (0,) * seats,
        blinds=(0,) * seats if shared else posts,
        bets=bets,
        first=tuple(player - 1 for player in first),
        max_raises=max_raises,
        short_raises="any",
        ranks=_one(values, "numRanks", name),
        suits=_one(values, "numSuits", name),
        hole_cards=_one(values, "numHoleCards", name),
        board_cards=_several(values, "numBoardCards", streets, name),
    )


def write_game(game: Game) -> str:
    """The ACPC definition of a game, or a `GameError` that says what the format cannot express."""
    max_raises = _raise_counts(game)
    _check_expressible(game, max_raises)
    posts = game.blinds if any(game.blinds) else game.antes
    lines = ["GAMEDEF", "limit" if game.structure == "limit" else "nolimit"]
    lines += [f"numPlayers = {game.seats}", f"numRounds = {game.streets}"]
    if _needs_stacks(game, posts, max_raises):
        lines.append(f"stack = {_numbers(game.stacks)}")
    lines.append(f"blind = {_numbers(posts)}")
    if game.structure == "limit":
        lines.append(f"raiseSize = {_numbers(game.bets)}")
    first = tuple(_opener(game, street) + 1 for street in range(game.streets))
    lines.append(f"firstPlayer = {_numbers(first)}")
    if max_raises:
        lines.append(f"maxRaises = {_numbers(max_raises)}")
    lines += [f"numSuits = {game.suits}", f"numRanks = {game.ranks}"]
    lines += [f"numHoleCards = {game.hole_cards}", f"numBoardCards = {_numbers(game.board_cards)}"]
    lines.append("END GAMEDEF")
    return "\n".join(lines) + "\n"


def stack_without_end(posts: tuple[int, ...], bets: tuple[int, ...], max_raises: tuple[int, ...]) -> int:
    """Chips enough that nobody is ever short in a capped limit game: the most that a hand can cost.

    If the last street allows no raise it is one chip more, or who had put in everything would not act there.
    """
    cost = max(posts) + sum(bet * raises for bet, raises in zip(bets, max_raises, strict=True))
    return cost if max_raises[-1] else cost + 1


def _read_lines(text: str, name: str) -> tuple[Structure, dict[str, tuple[int, ...]]]:
    structure: Structure = "limit"
    values: dict[str, tuple[int, ...]] = {}
    begun = False
    for number, written in enumerate(text.splitlines(), start=1):
        line = written.split("#", 1)[0].strip()
        if not line:
            continue
        word = line.lower()
        if word == "end gamedef":
            if begun:
                return structure, values
            break
        if word == "gamedef":
            begun = True
            continue
        if not begun:
            break
        if word in _WORDS:
            structure = _WORDS[word]
            continue
        written_key, _, numbers = line.partition("=")
        key = _SPELLING.get(written_key.strip().lower())
        if key is None:
            raise GameError(f"{name}, line {number}: {_start(line)} is not part of an ACPC game definition")
        given = [item.lstrip("0") or "0" if item.isdecimal() and item.isascii() else "" for item in numbers.split()]
        if not given or not all(given):
            raise GameError(f"{name}, line {number}: {_start(line)} should read {key} = followed by whole numbers")
        largest = max(given, key=lambda item: (len(item), item))
        if len(largest) > _DIGITS or int(largest) > MOST_CHIPS:
            raise GameError(f"{name}, line {number}: {_start(line)} has more than the {MOST_CHIPS} ACPC can count")
        values[key] = tuple(map(int, given))
    missing = "END GAMEDEF" if begun else "GAMEDEF"
    raise GameError(f"{name} is not an ACPC game definition: it has no line {missing}")


def _start(line: str) -> str:
    """A line as it is quoted in a message."""
    return repr(line if len(line) <= 60 else line[:60] + "…")


def _one(values: dict[str, tuple[int, ...]], key: str, name: str) -> int:
    return _several(values, key, 1, name)[0]


def _several(values: dict[str, tuple[int, ...]], key: str, count: int, name: str) -> tuple[int, ...]:
    """The first `count` values of a key; the server, too, ignores what follows."""
    given = values.get(key, ())
    if len(given) < count:
        raise GameError(f"{name} gives {len(given) or 'no'} {key}; it needs {count}")
    return given[:count]


def _padded(values: dict[str, tuple[int, ...]], key: str, count: int, default: int) -> tuple[int, ...]:
    given = values.get(key, ())[:count]
    return given + (default,) * (count - len(given))


def _stacks(
    structure: Structure,
    values: dict[str, tuple[int, ...]],
    posts: tuple[int, ...],
    bets: tuple[int, ...],
    max_raises: tuple[int, ...],
    name: str,
) -> tuple[int, ...]:
    if "stack" in values:
        return _several(values, "stack", len(posts), name)
    if structure != "limit":
        raise GameError(f"{name} is nolimit and gives no stack; without one a bet has no end")
    if not max_raises:
        raise GameError(f"{name} gives neither stack nor maxRaises; without either the betting has no end")
    return (stack_without_end(posts, bets, max_raises),) * len(posts)


def _opener(game: Game, street: int) -> int:
    """Who acts first, with `AFTER_BLINDS` worked out."""
    if game.first[street] != AFTER_BLINDS:
        return game.first[street]
    if street or not any(game.blinds):
        return 0
    last_blind = max(p for p in range(game.seats) if game.blinds[p] == game.big_blind)
    return (last_blind + 1) % game.seats


def _raise_counts(game: Game) -> tuple[int, ...]:
    """The caps of a street as numbers of raises; a limit in chips is one if whole bets reach it exactly."""
    if not game.street_limit:
        return game.max_raises
    if game.structure != "limit":
        raise GameError(f"{game.name} limits a street to {game.street_limit} chips; ACPC can only count raises")
    counts = []
    for street, bet in enumerate(game.bets):
        raises, rest = divmod(game.street_limit - (0 if street else game.big_blind), bet)
        if rest or raises < 0:
            raise GameError(
                f"{game.name} limits a street to {game.street_limit} chips, which is no number of bets of "
                f"{bet} on street {street + 1}; ACPC can only count raises"
            )
        counts.append(min(raises, game.max_raises[street]) if game.max_raises else raises)
    return tuple(counts)


def _is_deep(game: Game, posts: tuple[int, ...], max_raises: tuple[int, ...]) -> bool:
    """Whether nobody is ever short of a whole bet."""
    if game.structure != "limit" or not max_raises:
        return False
    return min(game.stacks) >= stack_without_end(posts, game.bets, max_raises)


def _needs_stacks(game: Game, posts: tuple[int, ...], max_raises: tuple[int, ...]) -> bool:
    """Whether stacks must be written; the server wants them from more than four players in any case."""
    if game.seats > 4 or not _is_deep(game, posts, max_raises):
        return True
    return set(game.stacks) != {stack_without_end(posts, game.bets, max_raises)}


def _check_expressible(game: Game, max_raises: tuple[int, ...]) -> None:
    name, posts = game.name, game.blinds if any(game.blinds) else game.antes
    if game.structure == "pot-limit":
        raise GameError(f"{name} is pot-limit; ACPC knows limit and nolimit")
    if any(game.antes) and any(game.blinds):
        raise GameError(f"{name} has antes and blinds; ACPC has only blinds")
    if len(set(game.antes)) > 1:
        raise GameError(f"{name} has antes {game.antes}; ACPC can express them only if everyone pays the same")
    if any(game.blinds) and len(set(game.blinds)) == 1:
        raise GameError(f"{name} has a blind of {game.big_blind} for everyone; from ACPC that reads as an ante")
    if game.freeze_out or game.shared_limit:
        raise GameError(f"{name} carries stacks from hand to hand or caps by the shortest; ACPC deals fresh stacks")
    if any(post > stack for post, stack in zip(posts, game.stacks, strict=True)):
        raise GameError(f"{name} has stacks {game.stacks} and blinds {posts}; ACPC wants every blind paid in full")
    if game.structure != "limit" and set(game.bets) != {max(posts)}:
        raise GameError(
            f"{name} has smallest bets {game.bets}; in ACPC nolimit they are the largest blind, {max(posts)}"
        )
    if max(max_raises, default=0) > MOST_RAISES:
        raise GameError(f"{name} allows {max(max_raises)} raises a street; ACPC counts at most {MOST_RAISES}")
    if game.short_raises != "any" and len(set(game.stacks)) > 1 and not _is_deep(game, posts, max_raises):
        raise GameError(
            f"{name} has unequal stacks {game.stacks} and lets only a full raise reopen the betting; in ACPC any does"
        )
    if game.street_limit and not _is_deep(game, posts, max_raises):
        raise GameError(
            f"{name} limits a street to {game.street_limit} chips and has stacks {game.stacks}, short enough "
            f"for a raise of less than a bet; ACPC can only count raises"
        )


def _numbers(values: tuple[int, ...]) -> str:
    return " ".join(str(value) for value in values)
