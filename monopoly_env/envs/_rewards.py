"""Pays rewards in the kernel, and records the results of a game."""

from __future__ import annotations

from monopoly_env.compiler.bits import bit
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.memory import copy_numbers
from monopoly_env.encoding.reward import pay_decision, pay_end
from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.deeds import alive_count
from monopoly_env.engine.ending import ranks
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy_loop import is_over
from monopoly_env.engine.state import GameState
from monopoly_env.envs._boards import rules_of
from monopoly_env.envs._policies import stop_seat
from monopoly_env.envs._records import EpisodeState, KernelConfig, StepRecord
from monopoly_env.envs.step_codes import TERMINATED, TRUNCATED


@jit
def start_shaping(game: GameState, episode: EpisodeState, config: KernelConfig, seat: int) -> None:
    """Start shaping at a seat's first decision; no reward is due yet."""
    episode.shaped |= bit(seat)
    _, episode.potential[seat] = pay_decision(
        game, rules_of(episode, config), config.reward, seat, 0.0
    )


@jit
def pay_rewards(
    game: GameState, episode: EpisodeState, config: KernelConfig, record: StepRecord
) -> bool:
    """Pay the next actor, or everybody if the episode has ended; return whether any was paid."""
    if is_over(game, stop_seat(episode, config)):
        end_episode(game, episode, config, record)
        return True
    if config.pay_leavers != 0 and episode.seat == NOBODY:
        for player in range(game.players):
            if game.out[player] != 0:
                pay_in_full(game, episode, config, record, player)
    if config.reward.each == 0 and config.reward.potential == 0:
        return False
    seat = int(game.actor)
    if episode.external >> seat & 1 == 0:
        return False
    if episode.shaped >> seat & 1 == 0:
        start_shaping(game, episode, config, seat)
        return False
    paid, now = pay_decision(
        game, rules_of(episode, config), config.reward, seat, episode.potential[seat]
    )
    episode.potential[seat] = now
    add_reward(episode, record, seat, paid)
    return True


@jit
def end_episode(
    game: GameState, episode: EpisodeState, config: KernelConfig, record: StepRecord
) -> None:
    """End the episode: pay all external seats, and record the results."""
    for player in range(game.players):
        if episode.external >> player & 1 != 0:
            pay_in_full(game, episode, config, record, player)
    left_early = episode.seat != NOBODY and game.out[episode.seat] != 0
    truncated = game.phase == Phase.OVER and game.truncated != 0 and not left_early
    record.ended = TRUNCATED if truncated else TERMINATED
    episode.last_seed = episode.game_seed
    episode.last_turns = game.turns
    episode.last_decisions = game.decisions
    episode.last_steps = episode.steps
    episode.last_seat = episode.seat
    copy_numbers(episode.last_gain, episode.gain)
    copy_numbers(episode.last_line_up, episode.line_up)
    ranks(game, rules_of(episode, config), episode.last_rank)


@jit
def forfeit(
    game: GameState, episode: EpisodeState, config: KernelConfig, record: StepRecord
) -> None:
    """End the episode with a loss for the actor: rewards are paid as if that seat went bankrupt.

    The game itself stays unchanged, for inspection.
    """
    seat = int(game.actor)
    game.out[seat] = 1 + game.players - alive_count(game)
    end_episode(game, episode, config, record)
    game.out[seat] = 0
    episode.bits[:] = 0


@jit
def pay_in_full(
    game: GameState, episode: EpisodeState, config: KernelConfig, record: StepRecord, seat: int
) -> None:
    """Pay a seat the reward for the end of its game, once."""
    if episode.paid >> seat & 1 == 0:
        episode.paid |= bit(seat)
        rules = rules_of(episode, config)
        due = pay_end(game, rules, config.reward, seat, episode.potential[seat])
        add_reward(episode, record, seat, due)


@jit
def add_reward(episode: EpisodeState, record: StepRecord, seat: int, amount: float) -> None:
    """Add a reward for a seat."""
    record.reward[seat] += amount
    episode.gain[seat] += amount
    if seat == episode.seat:
        record.learner_reward += amount
