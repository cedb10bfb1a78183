"""Games, positions and records, through ``monopoly_env.Game`` alone."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from inspect import Parameter, Signature, signature
from itertools import count, islice
from random import Random
from typing import Any

from lines import Lines, Takers, lasting_json, refused, short, told

import monopoly_env
from monopoly_env import Edition, Game, IllegalAction, Why, load_edition

# edition: the most players, modes
EDITIONS: dict[str, tuple[int, tuple[str, ...]]] = {
    "classic": (8, ("standard", "short")),
    "kanto2014": (6, ("standard", "short")),
    "nintendo2010": (6, ("standard", "short")),
    "pokemon1999": (6, ("standard", "short", "time_limit")),
    "pokemon_fr2000": (6, ("standard", "short", "time_limit")),
    "yugioh2016": (7, ("standard", "short")),
}
# name: edition, mode, rules, players
TABLES: dict[str, tuple[str, str, dict[str, Any], int]] = {
    "menu": ("classic", "standard", {"deals": "menu"}, 5),
    "deals_off": ("classic", "standard", {"deals": "off", "windows": "own"}, 4),
    "rent_asked": ("kanto2014", "standard", {"rent_asked": True}, 4),
    "scarce": ("classic", "standard", {"houses": 3, "hotels": 1, "start_cash": 4000}, 3),
    "poor": ("classic", "standard", {"start_cash": 250, "creditors_in_turn": True}, 6),
    "house_rules": ("yugioh2016", "standard", {"auctions": False, "gifts": True,
                    "free_parking_jackpot": True, "landing_bonus": 200, "buy_after_laps": 1,
                    "even_building": False, "limited_buildings": False}, 5),
    "powers": ("pokemon1999", "standard", {"power_doubles": True, "rent_asked": True}, 6),
    "powers_fr": ("pokemon_fr2000", "standard", {"power_doubles": True, "houses": 4}, 3),
    "rounds": ("pokemon_fr2000", "time_limit", {"time_limit_rounds": 6}, 4),
    "eight": ("nintendo2010", "short", {"max_players": 8, "max_turns": 60}, 8),
}  # fmt: skip
# How much more or less than 10 a style likes a kind of action.
STYLES: tuple[dict[str, int], ...] = (
    {"buy": 100, "end_turn": 60, "pass": 60, "roll": 60, "deal": 0, "mortgage": 1},
    {"buy": 200, "build": 400, "mortgage": 0, "sell": 0, "sell_group": 0, "deal": 1, "claim": 30,
     "lift": 40, "accept": 40, "raise": 20},
    {"buy": 100, "deal": 60, "offer": 60, "cancel": 1, "accept": 60, "mortgage": 3, "build": 100,
     "sell": 2, "propose": 60},
    {},
    {"buy": 100, "mortgage": 30, "build": 100, "sell": 0, "bankrupt": 100, "keep": 30},
)  # fmt: skip
GREENS = ["pacific", "north_carolina", "pennsylvania"]
BLUES = ["oriental", "vermont", "connecticut"]
POSITIONS: dict[str, dict[str, Any]] = {
    "scarce": {
        "players": 3, "bank": {"houses": 2, "hotels": 1},
        "A": {"cash": 1200, "deeds": [*BLUES, "reading"], "buildings": dict.fromkeys(BLUES, 4)},
        "B": {"cash": 900, "deeds": ["st_james", "tennessee", "new_york", "bno"],
              "buildings": {"st_james": 1}, "at": "go"},
        "C": {"cash": 700, "deeds": ["mediterranean", "baltic", "short_line*"],
              "buildings": {"mediterranean": 4, "baltic": 4}, "at": "go"},
    },
    "debts": {
        "players": 4, "bank": {"houses": 3, "hotels": 4},
        "A": {"cash": 60, "deeds": [*GREENS, "electric"], "at": "marvin",
              "buildings": dict.fromkeys(GREENS, 5)},
        "B": {"cash": 80, "deeds": ["water", "park_place*"], "at": "jail"},
        "C": {"cash": 40, "deeds": ["reading*", "virginia", "illinois"], "at": "free_parking",
              "cards": ["card_chance"]},
        "D": {"cash": 30, "deeds": ["ventnor*", "marvin", "baltic*"], "jail": 1},
    },
    "thrown": {"players": 2, "turn": "B", "B": {"cash": 5, "at": "go"},
               "hidden": {"dice": [[1, 2], [3, 3], [6, 5]]}},
}  # fmt: skip
OFF = {"deals": "off", "windows": "own"}
# name: position, rules, how many actions ahead
TREES: dict[str, tuple[dict[str, Any], dict[str, Any], int]] = {
    "building": ({"players": 2, "A": {"cash": 1000, "deeds": BLUES}}, OFF, 4),
    "auction": ({"players": 3, "A": {"cash": 9, "at": "go"}, "B": {"cash": 12}, "C": {"cash": 7},
                 "hidden": {"dice": [[1, 2], [2, 4], [5, 6], [3, 1]]}}, OFF, 7),
    "debt": ({"players": 2, "A": {"at": "go", "cash": 5,
              "deeds": ["mediterranean", "oriental", "states", "tennessee", "boardwalk"]},
              "hidden": {"dice": [[1, 3], [2, 5]]}}, OFF, 5),
    "dealing": ({"players": 3, "A": {"cash": 30, "deeds": ["reading", "baltic"]},
                 "B": {"cash": 20, "deeds": ["bno", "park_place*"]}, "C": {"cash": 4}}, {}, 3),
    "menu": (POSITIONS["debts"], {"deals": "menu"}, 3),
    "scarce": (POSITIONS["scarce"], {}, 3),
}  # fmt: skip


# Playing


def choose(game: Game, random: Random, liking: Mapping[str, int]) -> str:
    """A legal action: a kind of action by its weight, then one of that kind."""
    kinds: dict[str, list[str]] = {}
    for action in game.legal_actions():
        kinds.setdefault(action.partition(":")[0], []).append(action)
    weights = [liking.get(kind, 10) for kind in kinds]
    kind = random.choices(list(kinds), weights if any(weights) else None)[0]
    return random.choice(kinds[kind])


def walk(game: Game, seed: int, style: int = 0) -> Iterator[str]:
    """Play on in a style until the game is over; each action after it has been played."""
    random = Random(seed)
    while not game.over:
        action = f"{game.actor} {choose(game, random, STYLES[style % len(STYLES)])}"
        game.play(action.partition(" ")[2])
        yield action


def happened(game: Game) -> str:
    """What came of the last action, in words and in numbers."""
    events = game.journal()
    words = "; ".join(map(str, events))
    numbers = [(int(e.kind), e.player, e.other, e.square, e.amount) for e in events]
    return f"{words} | {numbers}"


def stands(game: Game) -> str:
    """Who decides what, and what is legal."""
    mask = game.legal_mask()
    return f"{game.actor} {game.actor_seat} {game.turn} {game.phase.name} {told(mask)}"


def transcript(game: Game, seed: int, style: int, decisions: int) -> Lines:
    """A stretch of play, action by action, and all that is known of the game at its end."""
    yield f"{game!r} | {happened(game)} | {stands(game)}"
    for number, action in enumerate(islice(walk(game, seed, style), decisions), 1):
        yield f"{action} | {happened(game)} | {stands(game)}"
        if number % 50 == 0:
            yield f"state {short(game.state.tobytes())} status {told(game.status())}"
    yield f"history {short(repr(game.history).encode())} winners {game.winners}"
    yield from (str(row) for row in [*game.hands(), *game.standings()])
    yield f"cash {game.cash} over {game.over} cut {game.truncated}"
    yield f"state {short(game.state.tobytes())}"


def table(name: str, seed: int) -> Game:
    """A new game by one of the rules of TABLES."""
    edition, mode, rules, players = TABLES[name]
    return Game(edition, players, seed, mode, rules)


# What is taken


def names() -> Lines:
    """What the package offers, and what can be given to it."""
    yield f"{monopoly_env.__all__}"
    for kind in (Game, Edition, IllegalAction, load_edition):
        yield f"{kind.__name__}{parameters(kind)}"
        for name in sorted(name for name in vars(kind) if not name.startswith("_")):
            each = getattr(kind, name)
            yield f"{kind.__name__}.{name}{parameters(each) if callable(each) else ''}"


def parameters(what: Callable[..., Any]) -> str:
    """A function's parameters, without their types: those are named where they live."""
    found = signature(what).parameters.values()
    return str(Signature([one.replace(annotation=Parameter.empty) for one in found]))


def action_texts() -> Lines:
    """Every action's text from every seat at tables of every size."""
    for players in range(2, 9):
        game = Game(players=players, seed=players)
        seen: set[int] = set()
        for _ in walk(game, players):
            if game.over or len(seen) == players:
                break
            if game.actor_seat not in seen:
                seen.add(game.actor_seat)
                size = len(game.legal_mask())
                yield f"{players} {game.actor} {[game.text(action) for action in range(size)]}"


def layouts() -> Lines:
    """The fields of a game's record and of its rules."""
    yield told(Game(seed=1).state.dtype.descr)
    for edition, (_, modes) in EDITIONS.items():
        for mode in modes:
            yield f"{edition} {mode} {Game(edition, 3, 1, mode).record()['edition_hash']}"


def edition_games(edition: str, mode: str) -> Lines:
    """Games of an edition in a mode, with 2 to its most players."""
    most, modes = EDITIONS[edition]
    seed = 1000 * list(EDITIONS).index(edition) + 100 * modes.index(mode)
    for players in range(2, most + 1):
        game = Game(edition, players, seed + players, mode)
        yield from transcript(game, seed + players, players + seed // 100, 500)


def table_games(name: str) -> Lines:
    """Longer games by rules that are not the book's, in several styles."""
    for style in range(len(STYLES)):
        yield from transcript(table(name, 7 + style), style, style, 800)


def whole_games() -> Lines:
    """Games to their end, by bankruptcies and by limits."""
    for players in range(2, 9):
        for style, rules in ((0, {}), (4, {"max_turns": 80})):
            game = Game(players=players, seed=40 + players, rules=rules)
            yield from transcript(game, players, style, 20_000)


def positions(name: str) -> Lines:
    """Positions on the way as people see them, as YAML, and loaded again."""
    game = table(name, 31)
    for number, _ in enumerate(islice(walk(game, 3, 2), 320)):
        if number % 40 == 0:
            yield from _position(game)


def _position(game: Game) -> Lines:
    """All that a position can be turned into, and back."""
    text = game.to_yaml()
    yield from text.splitlines()
    yield from str(game).splitlines()
    yield told(game.position(hidden=False))
    for loaded in (Game.from_yaml(text, seed=5), Game.from_position(game.position(), seed=5)):
        yield f"the same: {loaded == game}, started {told(loaded.start_position())}"
    yield short(Game.from_yaml(game.to_yaml(hidden=False), seed=5).state.tobytes())
    wiped, drawn = game.wiped(), game.copy()
    drawn.redraw(8)
    yield f"wiped {short(wiped.state.tobytes())}, drawn again {short(drawn.state.tobytes())}"
    yield f"pickled {pickle.loads(pickle.dumps(game)) == game}, history {len(drawn.history)}"
    for twin in (game.copy(), drawn):
        yield from transcript(twin, 9, 1, 12)


def written_positions(name: str) -> Lines:
    """A position written by hand, in every edition: what is drawn, and how play goes on."""
    for seed, edition in enumerate(EDITIONS):
        game = Game.from_position(POSITIONS[name], edition=edition, seed=seed)
        yield from game.to_yaml().splitlines()
        for style in range(len(STYLES)):
            yield from transcript(game.copy(), seed, style, 200)


def reasons(name: str) -> Lines:
    """Why each action is legal or not, on the way through a game."""
    yield from (f"{why.name}={int(why)}: {why}" for why in Why)
    for style, game in enumerate([table(name, 17), Game.from_position(POSITIONS["debts"], seed=4)]):
        for number, _ in enumerate(islice(walk(game, 5, style + 1), 400)):
            if number % 20 == 0:
                whys = [game.why(action).name for action in range(len(game.legal_mask()))]
                yield f"{game.phase.name} {' '.join(whys)}"


def tree(name: str) -> Lines:
    """How many ways there are to go on, and where they lead."""
    position, rules, depth = TREES[name]
    level = [Game.from_position(position, rules=rules, seed=1, journal=False)]
    for number in count():
        leaves = short(b"".join(game.state.tobytes() for game in level))
        yield f"{number} actions: {len(level)} ways, {leaves}"
        if number == depth:
            return
        level = list(_after(level))


def _after(level: Iterable[Game]) -> Iterator[Game]:
    """All games one action later."""
    for game in level:
        for action in game.legal_ids():
            twin = game.copy()
            twin.play(action)
            yield twin


def records() -> Lines:
    """Saved games; what the version of the package is does not count."""
    for number, name in enumerate(TABLES):
        game = table(name, 60 + number)
        for _ in islice(walk(game, number, number), 200):
            pass
        yield lasting_json(json.dumps(game.record(["ann", "ben"])))
        late = Game.from_position(game.position(), seed=None)
        for _ in islice(walk(late, number, number), 40):
            pass
        yield lasting_json(json.dumps(late.record()))


# Refusals


BAD_GAMES: tuple[dict[str, Any], ...] = (
    {"edition": "clasic"}, {"edition": 7}, {"edition": "nowhere.yaml"}, {"players": 1},
    {"players": 9}, {"players": "four"}, {"players": 7, "edition": "kanto2014"}, {"seed": -1},
    {"seed": 1.5}, {"seed": 2**63}, {"mode": "long"}, {"rules": {"salry": 1}},
    {"rules": {"salary": "much"}}, {"rules": {"houses": -1}}, {"rules": ["salary"]},
    {"rules": {"deals": "menus"}}, {"rules": {"windows": "some"}},
)  # fmt: skip
BAD_POSITIONS: tuple[Any, ...] = (
    {}, {"players": 1}, {"players": 2, "C": {}}, {"players": 2, "turn": "D"},
    {"players": 2, "A": {"deeds": ["broadwalk"]}}, {"players": 2, "A": {"cash": "much"}},
    {"players": 2, "A": {"deeds": ["baltic"]}, "B": {"deeds": ["baltic"]}},
    {"players": 2, "A": {"buildings": {"baltic": 2}}}, {"players": 2, "A": {"at": "home"}},
    {"players": 2, "hidden": {"dice": [[0, 7]]}}, {"players": 2, "edition": "none"}, 3, "no.yaml",
)  # fmt: skip
BAD_TEXTS = ("", "players: [", "- 1", "players: two", "players: 2\nturn: Q", "A: {cash: 1}")
BAD_ACTIONS: tuple[Any, ...] = (
    "fly", "roll:now", "build", "build:boardwalk", "build:go", "deal:A", "deal:Z", "deal:H",
    "raise:7", "propose:99", "sell_group:mauve", "jail_pay", -1, 10_000, 1.5, None, True,
)  # fmt: skip


def bad_games() -> Lines:
    """What is said of games, positions and editions that there cannot be."""
    for given in BAD_GAMES:
        yield f"{given}: {refused(partial(Game, **{'seed': 1, **given}))}"
    for position in BAD_POSITIONS:
        yield f"{position}: {refused(partial(Game.from_position, position, seed=1))}"
    for text in BAD_TEXTS:
        yield f"{text!r}: {refused(partial(Game.from_yaml, text, seed=1))}"
    for name in ("clasic", "", 3):
        yield f"{name!r}: {refused(partial(load_edition, name))}"


def bad_actions() -> Lines:
    """What is said of actions that there cannot be now, in several phases."""
    game = Game(players=3, seed=4)
    for number, _ in enumerate(islice(walk(game, 4, 2), 120)):
        if number % 15 == 0:
            yield f"{game.actor} {game.phase.name}"
            for action in BAD_ACTIONS:
                why = refused(partial(game.why, action))
                yield f"{action!r}: {refused(partial(game.play, action))} | {why}"
            yield refused(partial(game.hand, "Z")) + refused(partial(game.owner, "go_on"))


TAKERS: Takers = {
    "public/names": names,
    "public/actions": action_texts,
    "public/layouts": layouts,
    **{
        f"games/{edition}_{mode}": partial(edition_games, edition, mode)
        for edition, (_, modes) in EDITIONS.items()
        for mode in modes
    },
    **{f"games/{name}": partial(table_games, name) for name in TABLES},
    "games/whole": whole_games,
    **{f"positions/{name}": partial(positions, name) for name in TABLES},
    **{f"positions/from_{name}": partial(written_positions, name) for name in POSITIONS},
    **{f"reasons/{name}": partial(reasons, name) for name in TABLES},
    **{f"trees/{name}": partial(tree, name) for name in TREES},
    "records/games": records,
    "refusals/games": bad_games,
    "refusals/actions": bad_actions,
}
