"""The records of the environments: what holds for all games, what each episode is, each step."""

from __future__ import annotations

from typing import Annotated

from monopoly_env.compiler.records import Field, dtype_of
from monopoly_env.encoding.reward import REWARD, RewardState
from monopoly_env.engine.actions import N_KINDS
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.journal import JOURNAL, Log
from monopoly_env.engine.rules import RULES, RuleSet
from monopoly_env.engine.state import GAME, Float64s, GameState, Int8s, Int64s

ANY = -1  # instead of a seat: a random one
# How games begin: from the start; from a position, with what is hidden drawn anew; exactly so.
NEW_GAME, SAME_TABLE, SAME_GAME = 0, 1, 2


class KernelConfig:
    """What holds for all games of an environment."""

    rules: Annotated[RuleSet, Field(RULES, (), "", "the rules in force")]
    log: Annotated[Log, Field(JOURNAL, (), "", "a journal that is off")]
    reward: Annotated[RewardState, Field(REWARD, (), "", "what seats are paid")]
    policies: Annotated[Int64s, Field("i8", (PLAYERS,), "address", "the compiled policies in use")]
    weights: Annotated[Int64s, Field("i8", (PLAYERS,), "address", "of what they play by; 0: own")]
    decides: Annotated[int, Field("i8", (), "Phase bits", "where learners decide")]
    leaves: Annotated[int, Field("i8", (), "Kind bits", "what they leave to a policy even there")]
    chances: Annotated[Float64s, Field("f8", (PLAYERS,), "", "draw policy k below chances[k]")]
    pool: Annotated[
        int, Field("i1", (), "", "entries that opponents are drawn from; 0: fixed ones")
    ]
    whole: Annotated[int, Field("i1", (), "yes/no", "an entry is all opponents of a game")]
    line_ups: Annotated[
        Int8s,
        Field("i1", (PLAYERS, PLAYERS), "policy", "of each such entry, of the seats to the left"),
    ]
    opponents: Annotated[Int8s, Field("i1", (PLAYERS,), "policy", "of the seats to the left")]
    fallback: Annotated[int, Field("i1", (), "policy", "plays what learners do not decide")]
    players: Annotated[int, Field("i1", (), "seats", "players in each game")]
    every_seat: Annotated[int, Field("i1", (), "yes/no", "every seat decides for itself")]
    seat: Annotated[int, Field("i1", (), "seat", "of the learner; ANY: drawn for each game")]
    skip_forced: Annotated[int, Field("i1", (), "yes/no", "lone legal actions happen unasked")]
    play_out: Annotated[int, Field("i1", (), "yes/no", "go on when the learner is bankrupt")]
    pay_leavers: Annotated[int, Field("i1", (), "yes/no", "bankrupt seats are paid at once")]
    autoreset: Annotated[int, Field("i1", (), "yes/no", "finished games are started anew")]
    illegal: Annotated[int, Field("i1", (), "", "of learners: RAISE, RANDOM or FORFEIT")]
    boards: Annotated[
        int, Field("i8", (), "address", "of RULES records, of which games draw one; 0: rules")
    ]
    board_count: Annotated[int, Field("i4", (), "boards", "how many there are")]
    starts: Annotated[
        int, Field("i8", (), "address", "of START records, one a game; 0: all games are new ones")
    ]


class StartState:
    """Where the games of one place begin."""

    seed: Annotated[int, Field("i8", (), "", "of the bots' random numbers, in SAME_GAME")]
    begun: Annotated[int, Field("i8", (), "games", "begun in this place before")]
    how: Annotated[int, Field("i1", (), "", "NEW_GAME, SAME_TABLE or SAME_GAME")]
    shuffles: Annotated[int, Field("i1", (), "yes/no", "SAME_TABLE mixes the undrawn cards")]
    position: Annotated[GameState, Field(GAME, (), "", "where they begin, unless NEW_GAME")]


class EpisodeState:
    """What goes with a game: who sits there, what is legal, what was paid."""

    bits: Annotated[Int64s, Field("i8", (N_KINDS,), "", "legal actions of the waiting decision")]
    seed: Annotated[int, Field("i8", (), "", "where the games of this place come from")]
    begun: Annotated[int, Field("i8", (), "games", "begun since that seed")]
    game_seed: Annotated[int, Field("i8", (), "", "of the game being played")]
    board: Annotated[int, Field("i4", (), "board", "that it is played on, where games draw one")]
    potential: Annotated[Float64s, Field("f8", (PLAYERS,), "", "at each seat's last decision")]
    gain: Annotated[Float64s, Field("f8", (PLAYERS,), "", "paid to each seat in this game")]
    external: Annotated[int, Field("i2", (), "seats", "bit mask of who decides for himself")]
    shaped: Annotated[int, Field("i2", (), "seats", "bit mask of those with a potential so far")]
    paid: Annotated[int, Field("i2", (), "seats", "bit mask of who is paid in full")]
    steps: Annotated[int, Field("i4", (), "actions", "external actions in this game")]
    faults: Annotated[int, Field("i4", (), "answers", "illegal ones of policies, ever")]
    seat: Annotated[int, Field("i1", (), "seat", "of the learner; NOBODY if all are")]
    line_up: Annotated[Int8s, Field("i1", (PLAYERS,), "policy", "of each seat; EXTERNAL: none")]

    # The game that ended last
    last_gain: Annotated[Float64s, Field("f8", (PLAYERS,), "", "paid to each seat")]
    last_seed: Annotated[int, Field("i8", (), "", "its seed")]
    last_turns: Annotated[int, Field("i4", (), "turns", "player turns")]
    last_decisions: Annotated[int, Field("i4", (), "decisions", "actions of all players")]
    last_steps: Annotated[int, Field("i4", (), "actions", "external ones")]
    last_rank: Annotated[Int8s, Field("i1", (PLAYERS,), "rank", "1 is best, ties share it")]
    last_line_up: Annotated[Int8s, Field("i1", (PLAYERS,), "policy", "of each seat")]
    last_seat: Annotated[int, Field("i1", (), "seat", "of the learner")]


class StepRecord:
    """What goes to a game and comes back at each step."""

    action: Annotated[int, Field("i8", (), "action", "to take, or taken instead of an illegal one")]
    reward: Annotated[Float64s, Field("f8", (PLAYERS,), "", "paid to each seat in this step")]
    learner_reward: Annotated[float, Field("f8", (), "", "paid to the learner in this step")]
    ended: Annotated[int, Field("i1", (), "", "RUNNING, TERMINATED, TRUNCATED or STUCK")]
    actor: Annotated[int, Field("i1", (), "seat", "who decides next")]
    eventful: Annotated[
        int, Field("i1", (), "yes/no", "somebody was paid or went bankrupt, a game began or ended")
    ]
    command: Annotated[int, Field("i1", (), "", "PLAY, RESET or SKIP, apart from the action")]


KERNEL_CONFIG = dtype_of(KernelConfig)
EPISODE = dtype_of(EpisodeState)
STEP_RECORD = dtype_of(StepRecord)
START = dtype_of(StartState)
