"""Golden hashes: bytes that are the same on every Python, compiled or not, alone or in a batch.

``python -m tests.golden.hashes`` compares with ``hashes.sha256`` and says what differs; ``--write``
writes it anew; ``--only games/classic_standard_2,bots`` takes some. Nothing but the core
dependencies is needed, so that any Python with those can run it.

A hash that changes means that games come out otherwise, or are observed otherwise, than before: a
version event (``RULES_VERSION``, ``OBSERVATION_VERSION``), to be named in the changelog.
``python -m tests.golden.fingerprints --against REV`` shows where two revisions part.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_env import Game, SingleSeatEnv, VectorEnv, monopoly_v0
from monopoly_env.editions import editions, load_edition
from monopoly_env.engine.actions import KIND_OF, TEXTS

FILE = Path(__file__).with_name("hashes.sha256")
ONES = (1 << 64) - 1
DECISIONS = 200  # of a game
SEEDS = (3, 4, 5, 6)  # of games that are played alone and in a batch

Parts = Iterator[bytes]
Taker = Callable[[], Parts]


# Playing


def mixed(key: int) -> int:
    """A whole number below 2^64 that looks random; the same on every Python."""
    key = (key + 0x9E3779B97F4A7C15) & ONES
    key = ((key ^ key >> 30) * 0xBF58476D1CE4E5B9) & ONES
    key = ((key ^ key >> 27) * 0x94D049BB133111EB) & ONES
    return key ^ key >> 31


def pick(mask: Any, seed: int, number: int) -> int:
    """A legal action: a kind of action first, then one of that kind."""
    legal = np.flatnonzero(mask)
    kinds = np.unique(KIND_OF[legal])
    key = mixed(seed) + number
    of_kind = legal[KIND_OF[legal] == kinds[mixed(key) % len(kinds)]]
    return int(of_kind[mixed(key + 1) % len(of_kind)])


def text(*values: object) -> bytes:
    """Anything that prints the same everywhere."""
    return " ".join(map(str, values)).encode() + b"\n"


def play(game: Game, seed: int, decisions: int = DECISIONS) -> Parts:
    """Random play: who decides what, what is legal, what is done, what comes of it; a record."""
    for number in range(decisions):
        if game.over:
            break
        mask = game.legal_mask()
        action = pick(mask, seed, number)
        yield text(game.actor, game.turn, game.phase.name, game.text(action))
        yield mask.tobytes()
        game.play(action)
        yield from (text(event) for event in game.journal())
    yield text(json.dumps(game.position()))
    record = game.record()
    result = {key: value for key, value in record["result"].items() if key != "state"}
    yield text(record["actions"], result)


def play_table(edition: str, mode: str, players: int) -> Parts:
    """A game of an edition in a mode."""
    seed = 100 * players + len(edition) + len(mode)
    yield from play(Game(edition, players, seed, mode), seed)


TABLES: dict[str, dict[str, Any]] = {  # rules that no edition has by itself
    "menu": {"deals": "menu", "windows": "own"},
    "scarce": {"houses": 3, "hotels": 1, "start_cash": 4000},
    "poor": {"start_cash": 250, "creditors_in_turn": True},
    "house_rules": {"auctions": False, "gifts": True, "free_parking_jackpot": True,
                    "even_building": False},
    "powers": {"rent_asked": True},
}  # fmt: skip


def play_rules(name: str) -> Parts:
    """A longer game by rules of one's own."""
    yield from play(Game("classic", 4, 12, rules=TABLES[name]), 12, 600)


# Environments: each game alone, or all in a batch. Both give one stream of bytes a game.

EVERY_SEAT: dict[str, dict[str, Any]] = {
    "classic": {"num_players": 4, "rules": {"max_turns": 16}},
    "menu": {"num_players": 6, "deals": "menu", "skip_forced": True, "reward": "rank",
             "rules": {"max_turns": 24}},
    "pokemon1999": {"edition": "pokemon1999", "num_players": 3, "windows": "own",
                    "rules": {"power_doubles": True, "max_turns": 16}},
}  # fmt: skip
ONE_SEAT: dict[str, dict[str, Any]] = {
    "random": {"num_players": 4, "rules": {"max_turns": 30}},
    "scripted": {"opponents": ["fixed_a", "background", "strategist"], "reward": "net_worth",
                 "rules": {"max_turns": 40}},
    "brief": {"num_players": 3, "reward": "net_worth", "rules": {"max_turns": 7}},
    "powers": {"edition": "pokemon_fr2000", "opponents": ["fixed_b", "fixed_c"], "seat": 1,
               "rules": {"power_doubles": True, "max_turns": 40}},
}  # fmt: skip


def every_seat_alone(name: str) -> list[bytes]:
    """PettingZoo's interface: what who decides is shown, until somebody is out."""
    env = monopoly_v0.raw_env(**EVERY_SEAT[name])
    streams = []
    for seed in SEEDS:
        env.reset(seed=seed)
        parts: list[bytes] = []
        while len(env.agents) == env.max_num_agents and not any(env.truncations.values()):
            seen = env.observe(env.agent_selection)
            parts += seen["observation"].tobytes(), seen["action_mask"].tobytes()
            env.step(pick(seen["action_mask"], seed, len(parts)))
        streams.append(b"".join(parts))
    return streams


def every_seat_batched(name: str, threads: int) -> list[bytes]:
    """Gymnasium's vector interface with every seat asked for."""
    options = {"skip_forced": False, **EVERY_SEAT[name]}
    envs = VectorEnv(len(SEEDS), seats="all", threads=threads, elimination="end", **options)
    seen, info = envs.reset(seed=list(SEEDS))
    parts: list[list[bytes]] = [[] for _ in SEEDS]
    on = list(range(len(SEEDS)))
    while on:
        for index in on:
            parts[index] += seen[index].tobytes(), info["action_mask"][index].tobytes()
        actions = [
            pick(mask, seed, len(part))
            for mask, seed, part in zip(info["action_mask"], SEEDS, parts, strict=True)
        ]
        seen, _, over, cut, info = envs.step(np.array(actions))
        on = [i for i in on if not (over[i] or cut[i] or envs.game(i).state["out"].any())]
    envs.close()
    return [b"".join(part) for part in parts]


def one_seat_alone(name: str) -> list[bytes]:
    """Gymnasium's interface: a learner among bots."""
    env = SingleSeatEnv(**{"skip_forced": True, **ONE_SEAT[name]})
    streams = []
    for seed in SEEDS:
        seen, info = env.reset(seed=seed)
        parts, ended = [seen.tobytes()], False
        while not ended:
            parts.append(info["action_mask"].tobytes())
            seen, reward, over, cut, info = env.step(pick(info["action_mask"], seed, len(parts)))
            ended = over or cut
            parts += seen.tobytes(), text(np.float32(reward), bool(over), bool(cut))
        streams.append(b"".join(parts))
    return streams


def one_seat_batched(name: str, threads: int) -> list[bytes]:
    """The same in a batch; the last observation of a game is in ``final_obs``."""
    envs = VectorEnv(len(SEEDS), threads=threads, **ONE_SEAT[name])
    seen, info = envs.reset(seed=list(SEEDS))
    parts = [[row.tobytes()] for row in seen]
    on = list(range(len(SEEDS)))
    while on:
        masks = info["action_mask"].copy()
        for index in on:
            parts[index].append(masks[index].tobytes())
        actions = [
            pick(mask, seed, len(part))
            for mask, seed, part in zip(masks, SEEDS, parts, strict=True)
        ]
        seen, reward, over, cut, info = envs.step(np.array(actions))
        for i in on:
            last = info["final_obs"][i] if over[i] or cut[i] else seen[i]
            parts[i] += last.tobytes(), text(reward[i], bool(over[i]), bool(cut[i]))
        on = [i for i in on if not (over[i] or cut[i])]
    envs.close()
    return [b"".join(part) for part in parts]


WAYS: dict[str, dict[str, Callable[[str], list[bytes]]]] = {
    "every_seat": {
        "alone": every_seat_alone,
        "batched": partial(every_seat_batched, threads=1),
        "threads": partial(every_seat_batched, threads=3),
    },
    "one_seat": {
        "alone": one_seat_alone,
        "batched": partial(one_seat_batched, threads=1),
        "threads": partial(one_seat_batched, threads=3),
    },
}


# Games between bots

LINE_UP = ("fixed_a", "fixed_b", "fixed_c", "background", "strategist", "random")
BOT_GAMES: dict[str, dict[str, Any]] = {
    "classic": {},
    "menu": {"rules": {"deals": "menu"}},
    "yugioh2016": {"edition": "yugioh2016", "mode": "short"},
    "pokemon1999": {"edition": "pokemon1999", "rules": {"power_doubles": True}},
}


def outcomes(name: str) -> Parts:
    """How games of bots from every seat end."""
    from monopoly_training.matches.entrants import entrants
    from monopoly_training.matches.runner import play_matches
    from monopoly_training.matches.schedule import rotated

    from monopoly_env.envs.options import TableOptions

    options = TableOptions(num_players=len(LINE_UP), **BOT_GAMES[name])
    matches = rotated(len(LINE_UP), 2 * len(LINE_UP), seed=40)
    found = play_matches(entrants(LINE_UP), matches, options)
    yield text(found.ranks.tolist(), found.turns.tolist(), found.decisions.tolist())
    yield text(found.truncated.tolist())


# What is taken


def takers() -> dict[str, Taker]:
    """What is hashed, by name."""
    found: dict[str, Taker] = {"actions": lambda: iter([text(*TEXTS)])}
    for id_ in editions():
        edition = load_edition(id_)
        for mode in edition.modes:
            for players in range(2, edition.max_players + 1):
                found[f"games/{id_}_{mode}_{players}"] = partial(play_table, id_, mode, players)
    found |= {f"rules/{name}": partial(play_rules, name) for name in TABLES}
    found |= {
        f"every_seat/{name}": lambda name=name: iter(every_seat_alone(name)) for name in EVERY_SEAT
    }
    found |= {f"one_seat/{name}": lambda name=name: iter(one_seat_alone(name)) for name in ONE_SEAT}
    found |= {f"bots/{name}": partial(outcomes, name) for name in BOT_GAMES}
    return found


def digest(parts: Parts | Sequence[bytes]) -> str:
    """A hash that two different streams will not share."""
    found = hashlib.sha256()
    for part in parts:
        found.update(part)
    return found.hexdigest()[:32]


def kept() -> dict[str, str]:
    """The hashes of the file, by name."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return dict(line.split() for line in lines if line and not line.startswith("#"))


def chosen(only: str) -> list[str]:
    """Names, or groups of them, with commas between them; all if there are none."""
    names = [name for name in only.split(",") if name]
    return [
        name for name in takers() if not names or name in names or name.partition("/")[0] in names
    ]


HEAD = "# Written by `python -m tests.golden.hashes --write`. A change is a version event.\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, or write; the exit status is 1 if anything differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden.hashes", description=__doc__)
    parser.add_argument("--only", default="", help="groups or names, with commas between them")
    parser.add_argument("--write", action="store_true", help="write the file again")
    given = parser.parse_args(arguments)
    found = {name: digest(takers()[name]()) for name in chosen(given.only)}
    if given.write:
        found = (kept() if given.only and FILE.exists() else {}) | found
        lines = [f"{name} {found[name]}\n" for name in takers() if name in found]
        FILE.write_text(HEAD + "".join(lines), encoding="utf-8")
        return 0
    expected = kept()
    bad = [name for name, sha in found.items() if expected.get(name) != sha]
    python = f"Python {sys.version.split()[0]}, NumPy {np.__version__}"
    sys.stdout.write(f"{len(found) - len(bad)} of {len(found)} golden hashes equal: {python}\n")
    sys.stdout.writelines(f"differs: {name}\n" for name in bad)
    return int(bool(bad) or not found)


if __name__ == "__main__":
    sys.exit(main())
