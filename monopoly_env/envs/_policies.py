"""Plays compiled policies and forced moves up to the next external decision."""

from __future__ import annotations

from monopoly_env.compiler.bits import bit
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.memory import copy_numbers
from monopoly_env.compiler.records import Records
from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.policy_loop import LoopState, play_on
from monopoly_env.engine.state import GameState
from monopoly_env.envs._boards import rules_of, show_rules
from monopoly_env.envs._records import EpisodeState, KernelConfig


@jit
def set_loop(loop: LoopState, config: KernelConfig) -> None:
    """Set the fields of a loop that are the same for all games."""
    copy_numbers(loop.policies, config.policies)
    loop.decides = config.decides
    loop.leaves = config.leaves
    loop.skip_forced = config.skip_forced


@jit
def stop_seat(episode: EpisodeState, config: KernelConfig) -> int:
    """Return the seat whose bankruptcy ends an episode: the learner's, unless it is played out."""
    return NOBODY if config.play_out != 0 else int(episode.seat)


@jit
def run_policies(
    game: GameState, episode: EpisodeState, config: KernelConfig, views: Records, loop: LoopState
) -> None:
    """Play policies and forced moves until an external seat decides or the episode ends."""
    copy_numbers(loop.line_up, episode.line_up)
    loop.external = episode.external
    loop.learners = bit(episode.seat) if episode.seat != NOBODY else episode.external
    loop.stop_seat = stop_seat(episode, config)
    loop.illegal = 0
    show_rules(loop, config)
    play_on(game, rules_of(episode, config), config.log, views, loop, episode.bits)
    episode.faults += loop.illegal
