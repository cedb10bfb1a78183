"""Selects the rules of each game: a single edition, or one drawn by the game's seed."""

from __future__ import annotations

from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.pointers import record_at
from monopoly_env.editions.sets import number_of
from monopoly_env.engine.policy_loop import LoopState
from monopoly_env.engine.rules import RULES, RuleSet
from monopoly_env.envs._records import EpisodeState, KernelConfig

RULES_SIZE = RULES.itemsize

rules_at = record_at(RULES)


@jit
def draw_board(episode: EpisodeState, config: KernelConfig) -> None:
    """Draw the edition of an episode from the seed of its game."""
    if config.boards != 0:
        episode.board = number_of(episode.game_seed, config.board_count)


@jit
def rules_of(episode: EpisodeState, config: KernelConfig) -> RuleSet:
    """Return the rules of an episode."""
    if config.boards != 0:
        rules: RuleSet = rules_at(config.boards + episode.board * RULES_SIZE)
        return rules
    return config.rules


@jit
def show_rules(loop: LoopState, config: KernelConfig) -> None:
    """Make the loop pass the rules to the policies again, since the next game may differ."""
    if config.boards != 0:
        loop.has_rules = 0
