"""Golden transcripts: whole stretches of play, written down action by action.

``python -m tests.golden.transcripts`` writes them anew. A transcript that changes means that old
games would be played differently: it is a version event, to be named in the changelog.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from monopoly_training.fuzz.styles import weighted_pick, weights

from monopoly_env import Game
from monopoly_env.engine.actions import N_KINDS
from monopoly_env.engine.masks import read_mask

FOLDER = Path(__file__).parent
# Late positions, for what a game from the start takes long to reach.
GREENS = ["pacific", "north_carolina", "pennsylvania"]
ORANGES = ["st_james", "tennessee", "new_york"]
POSITIONS: dict[str, dict[str, Any]] = {
    "scarce": {
        "players": 3, "bank": {"houses": 2, "hotels": 1},
        "A": {"cash": 1200, "deeds": ["oriental", "vermont", "connecticut", "reading"],
              "buildings": {"oriental": 4, "vermont": 4, "connecticut": 4}, "at": "go"},
        "B": {"cash": 900, "deeds": [*ORANGES, "bno"], "buildings": {"st_james": 1}, "at": "go"},
        "C": {"cash": 700, "deeds": ["mediterranean", "baltic", "short_line*"],
              "buildings": {"mediterranean": 4, "baltic": 4}, "at": "go"},
    },
    "debts": {
        "players": 4, "bank": {"houses": 3, "hotels": 4},
        "A": {"cash": 60, "deeds": [*GREENS, "electric"], "at": "marvin",
              "buildings": dict.fromkeys(GREENS, 5)},
        "B": {"cash": 80, "deeds": [*ORANGES, "water", "park_place*"], "at": "jail",
              "buildings": dict.fromkeys(ORANGES, 5)},
        "C": {"cash": 40, "deeds": ["reading*", "virginia", "illinois"], "at": "free_parking",
              "cards": ["card_chance"]},
        "D": {"cash": 30, "deeds": ["ventnor*", "marvin", "baltic*"], "jail": 1},
    },
}  # fmt: skip
# name: edition, mode, rules, players or position, style, seed, decisions
SETTINGS: dict[str, tuple[str, str, dict[str, object], int | str, str, int, int]] = {
    "classic": ("classic", "standard", {}, 4, "builder", 4, 420),
    "classic_trades": ("classic", "standard", {"trade_limit": 3}, 3, "trader", 2, 380),
    "classic_menu": ("classic", "standard", {"deals": "menu"}, 5, "trader", 3, 260),
    "classic_scarce": ("classic", "standard", {"houses": 3, "hotels": 1, "start_cash": 4000,
                       "windows": "own"}, 2, "builder", 8, 700),
    "classic_poor": ("classic", "standard", {"start_cash": 250}, 6, "spender", 5, 320),
    "classic_short": ("classic", "short", {}, 4, "builder", 4, 300),
    "kanto2014_asked": ("kanto2014", "standard", {"rent_asked": True}, 4, "quick", 22, 260),
    "nintendo2010": ("nintendo2010", "standard", {}, 6, "random", 8, 260),
    "pokemon1999_powers": ("pokemon1999", "standard", {"power_doubles": True, "rent_asked": True},
                           3, "quick", 18, 320),
    "pokemon_fr2000_powers": ("pokemon_fr2000", "standard", {"power_doubles": True}, 3, "quick", 10, 320),
    "pokemon_fr2000_time": ("pokemon_fr2000", "time_limit", {"time_limit_rounds": 6}, 4, "quick", 1, 300),
    "late_scarce": ("classic", "standard", {}, "scarce", "builder", 11, 260),
    "late_scarce_fr": ("pokemon_fr2000", "standard", {}, "scarce", "builder", 1, 260),
    "late_debts": ("classic", "standard", {}, "debts", "quick", 3, 300),
    "late_debts_1999": ("pokemon1999", "standard", {"power_doubles": True}, "debts", "quick", 4, 300),
    "yugioh2016_house_rules": ("yugioh2016", "standard", {"auctions": False, "gifts": True,
                               "free_parking_jackpot": True, "landing_bonus": 200}, 4, "builder",
                               12, 260),
}  # fmt: skip


def begin(name: str) -> Game:
    """The game of a transcript before its first action."""
    edition, mode, rules, players, _, seed, _ = SETTINGS[name]
    if isinstance(players, str):
        return Game.from_position(
            POSITIONS[players], edition=edition, mode=mode, rules=rules, seed=seed
        )
    return Game(edition=edition, mode=mode, rules=rules, players=players, seed=seed)


def line(game: Game, action: str) -> str:
    """Play one action (``A roll``) and say what happened, and who decides now."""
    actor, _, text = action.partition(" ")
    assert game.actor == actor, f"{actor} does not decide, but {game.actor}"
    game.play(text)
    happened = "; ".join(str(happening) for happening in game.journal())
    after = "over" if game.over else f"{game.actor} {game.phase.name}"
    return f"{action} | {happened} | {after}" if happened else f"{action} | {after}"


def chosen(name: str) -> Iterator[tuple[Game, str]]:
    """The actions of a transcript, as its style of play chooses them."""
    *_, style, seed, decisions = SETTINGS[name]
    game, liking = begin(name), weights(style)
    bits = np.zeros(N_KINDS, np.int64)
    for number in range(decisions):
        if game.over:
            return
        read_mask(game.legal_mask(), bits)
        state = np.uint64(seed * 7919 + number * 104729)
        action = int(weighted_pick(bits, liking, state))
        yield game, f"{game.actor} {game.text(action)}"


def write(name: str) -> None:
    """Write one transcript."""
    lines = [json.dumps(dict(zip(("edition", "mode", "rules", "players", "style", "seed"),
                                 SETTINGS[name], strict=False)))]  # fmt: skip
    lines += [line(game, action) for game, action in chosen(name)]
    (FOLDER / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for each in SETTINGS:
        write(each)
