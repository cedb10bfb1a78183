"""Which rules each game of a batch is played by: one edition's, or those that its seed draws."""

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
    """Draw the board of an episode from the seed of its game."""
    if config.boards != 0:
        episode.board = number_of(episode.game_seed, config.board_count)


@jit
def rules_of(episode: EpisodeState, config: KernelConfig) -> RuleSet:
    """The rules that an episode is played by."""
    if config.boards != 0:
        rules: RuleSet = rules_at(config.boards + episode.board * RULES_SIZE)
        return rules
    return config.rules


@jit
def show_rules(loop: LoopState, config: KernelConfig) -> None:
    """Have policies shown the rules of the next game, which may be others."""
    if config.boards != 0:
        loop.has_rules = 0
