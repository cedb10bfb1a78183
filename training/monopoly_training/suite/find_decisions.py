"""Find decisions of a given kind in games between bots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from monopoly_env.compiler.records import copy_records
from monopoly_env.editions import Edition
from monopoly_env.engine import entry_points
from monopoly_env.engine.actions import IDS, N_ACTIONS
from monopoly_env.engine.board import NOBODY, PLAYERS
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.state import Int8s, Uint16s, new_games
from monopoly_env.envs.options import TableOptions
from monopoly_env.game import Game
from monopoly_training.matches.compiled import CompiledGames
from monopoly_training.matches.entrants import entrants
from monopoly_training.suite.kinds import ALL_KINDS, DEAL_KINDS, candidates, is_of_kind
from monopoly_training.suite.tables import draw_line_up, draw_table

PER_GAME = 2  # most candidates kept per game
REJECT = IDS["reject"]


@dataclass(frozen=True)
class Found:
    """A decision found in a game between bots."""

    game: Game  # with hidden information removed
    actions: list[int]  # the compared actions
    bots: list[str]  # by seat


def find(kind: str, rng: np.random.Generator) -> list[Found]:
    """Return up to PER_GAME decisions of a kind from one random game; often none."""
    table = draw_table(rng, kind)
    bots = draw_line_up(rng, table.players)
    edition, seed = table.load(), int(rng.integers(1 << 62))
    options = TableOptions(edition=edition, num_players=table.players, skip_forced=True)
    actions = CompiledGames(entrants(bots), options).play(seed, keep=True).actions
    assert actions is not None  # requested by keep=True
    kept: list[Found] = []
    for seen, state in enumerate(_decisions(kind, edition, table.players, seed, actions)):
        place = seen if seen < PER_GAME else int(rng.integers(seen + 1))
        if place < PER_GAME:  # reservoir sampling: every decision is equally likely to be kept
            found = _prepared(kind, edition, state, bots)
            kept[place : place + 1] = [found]
    return [found for found in kept if found.actions and _loads_alike(found.game)]


def _decisions(kind: str, edition: Edition, players: int, seed: int, actions: Uint16s) -> Any:
    """Yield the positions of a game in which a decision of a kind comes up, each GAME[1]."""
    games, journals, rules = new_games(1), entry_points.NO_JOURNALS, edition.rules
    mask: Int8s = np.zeros(N_ACTIONS, np.int8)
    phases, phase, actor = ALL_KINDS[kind].phases, games["phase"], games["actor"]
    has_refused = [False] * PLAYERS  # whether each seat's last decision refused an offer
    entry_points.start(games, 0, rules, journals, players, seed)
    for action in actions.tolist():
        seat = int(actor[0])
        if int(phase[0]) in phases and (kind != "counter" or has_refused[seat]):
            entry_points.legal_mask(games, 0, rules, mask)
            if is_of_kind(kind, games[0], rules[0], mask):
                yield copy_records(games)
        has_refused[seat] = int(phase[0]) == Phase.ANSWER and action == REJECT
        entry_points.step(games, 0, rules, journals, action)


def _prepared(kind: str, edition: Edition, games: Any, bots: list[str]) -> Found:
    """Isolate a decision; outside deal kinds, the player has no offers left this turn."""
    entry_points.wipe_hidden(games, 0)
    mask: Int8s = np.zeros(N_ACTIONS, np.int8)
    if kind not in DEAL_KINDS and int(games["actor"][0]) != NOBODY:
        games["offers_left"][0, int(games["actor"][0])] = 0
    entry_points.legal_mask(games, 0, edition.rules, mask)
    actions = candidates(kind, mask)
    return Found(Game.from_record(games, edition), actions if len(actions) > 1 else [], bots)


def _loads_alike(game: Game) -> bool:
    """Return whether the position survives a round trip through its text form."""
    again = Game.from_position(game.position(), seed=0)
    return bool(again == game)
