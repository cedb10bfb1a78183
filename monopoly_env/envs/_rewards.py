"""When the kernel pays whom, and when a game is over for those who play it from outside."""

from __future__ import annotations

from monopoly_env.compiler.bits import bit
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.memory import copy_numbers
from monopoly_env.encoding.reward import pay_decision, pay_end
from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.ending import ranks
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.state import GameState
from monopoly_env.envs._records import EpisodeState, KernelConfig, StepRecord
from monopoly_env.envs.step_codes import TERMINATED, TRUNCATED


@jit
def is_over(game: GameState, table: EpisodeState, plan: KernelConfig) -> bool:
    """Whether the game is over for those who play it from outside."""
    if game.phase == Phase.OVER:
        return True
    return bool(plan.play_out == 0 and table.seat != NOBODY and game.out[table.seat] != 0)


@jit
def meet(game: GameState, table: EpisodeState, plan: KernelConfig, seat: int) -> None:
    """A seat's first decision: nothing is due yet, but shaping starts here."""
    table.met |= bit(seat)
    _, table.potential[seat] = pay_decision(game, plan.rules, plan.reward, seat, 0.0)


@jit
def settle(game: GameState, table: EpisodeState, plan: KernelConfig, slip: StepRecord) -> bool:
    """Pay whom this step concerns: who decides next, and those for whom the game has ended."""
    if is_over(game, table, plan):
        settle_end(game, table, plan, slip)
        return True
    if plan.pay_leavers != 0 and table.seat == NOBODY:
        for player in range(game.players):
            if game.out[player] != 0:
                settle_seat(game, table, plan, slip, player)
    if plan.reward.each == 0 and plan.reward.potential == 0:
        return False
    seat = int(game.actor)
    if table.outside >> seat & 1 == 0:
        return False
    if table.met >> seat & 1 == 0:
        meet(game, table, plan, seat)
        return False
    paid, now = pay_decision(game, plan.rules, plan.reward, seat, table.potential[seat])
    table.potential[seat] = now
    credit(table, slip, seat, paid)
    return True


@jit
def settle_end(game: GameState, table: EpisodeState, plan: KernelConfig, slip: StepRecord) -> None:
    """The game is over: pay everybody who plays from outside, and write down how it went."""
    for player in range(game.players):
        if table.outside >> player & 1 != 0:
            settle_seat(game, table, plan, slip, player)
    left_early = table.seat != NOBODY and game.out[table.seat] != 0
    truncated = game.phase == Phase.OVER and game.truncated != 0 and not left_early
    slip.ended = TRUNCATED if truncated else TERMINATED
    table.last_seed = table.game_seed
    table.last_turns = game.turns
    table.last_decisions = game.decisions
    table.last_steps = table.steps
    table.last_seat = table.seat
    copy_numbers(table.last_gain, table.gain)
    copy_numbers(table.last_line_up, table.line_up)
    ranks(game, plan.rules, table.last_rank)


@jit
def settle_seat(
    game: GameState, table: EpisodeState, plan: KernelConfig, slip: StepRecord, seat: int
) -> None:
    """Pay a seat what the end of the game brings it, once."""
    if table.paid >> seat & 1 == 0:
        table.paid |= bit(seat)
        due = pay_end(game, plan.rules, plan.reward, seat, table.potential[seat])
        credit(table, slip, seat, due)


@jit
def credit(table: EpisodeState, slip: StepRecord, seat: int, amount: float) -> None:
    """Pay a seat."""
    slip.reward[seat] += amount
    table.gain[seat] += amount
    if seat == table.seat:
        slip.learner_reward += amount
