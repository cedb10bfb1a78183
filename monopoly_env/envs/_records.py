"""The records of the environments: configuration, episodes and steps."""

from __future__ import annotations

from typing import Annotated

from monopoly_env.compiler.records import Field, dtype_of
from monopoly_env.encoding.reward import REWARD, RewardState
from monopoly_env.engine.actions import N_KINDS
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.journal import JOURNAL, Log
from monopoly_env.engine.rules import RULES, RuleSet
from monopoly_env.engine.state import GAME, Float64s, GameState, Int8s, Int64s

ANY = -1  # in place of a seat: drawn at random
# How games begin: new; from a position with redrawn hidden information; from an exact position.
NEW_GAME, SAME_TABLE, SAME_GAME = 0, 1, 2


class KernelConfig:
    """The configuration that all games of an environment share."""

    rules: Annotated[RuleSet, Field(RULES, (), "", "the rules in force")]
    log: Annotated[Log, Field(JOURNAL, (), "", "a journal that is off")]
    reward: Annotated[RewardState, Field(REWARD, (), "", "the reward")]
    policies: Annotated[Int64s, Field("i8", (PLAYERS,), "address", "the compiled policies in use")]
    weights: Annotated[Int64s, Field("i8", (PLAYERS,), "address", "their weights; 0: built in")]
    decides: Annotated[int, Field("i8", (), "Phase bits", "where learners decide")]
    leaves: Annotated[int, Field("i8", (), "Kind bits", "kinds that a policy decides even there")]
    chances: Annotated[Float64s, Field("f8", (PLAYERS,), "", "entry k is drawn below chances[k]")]
    pool: Annotated[int, Field("i1", (), "", "entries of the opponent pool; 0: fixed opponents")]
    whole: Annotated[int, Field("i1", (), "yes/no", "an entry is a whole line-up")]
    line_ups: Annotated[
        Int8s,
        Field("i1", (PLAYERS, PLAYERS), "policy", "line-up of each entry, by seats to the left"),
    ]
    opponents: Annotated[Int8s, Field("i1", (PLAYERS,), "policy", "by seats to the left")]
    fallback: Annotated[int, Field("i1", (), "policy", "decides everything that learners do not")]
    players: Annotated[int, Field("i1", (), "seats", "players in each game")]
    every_seat: Annotated[int, Field("i1", (), "yes/no", "every seat decides for itself")]
    seat: Annotated[int, Field("i1", (), "seat", "the learner's; ANY: drawn for each game")]
    skip_forced: Annotated[int, Field("i1", (), "yes/no", "play single legal actions unasked")]
    play_out: Annotated[int, Field("i1", (), "yes/no", "go on when the learner is bankrupt")]
    pay_leavers: Annotated[int, Field("i1", (), "yes/no", "bankrupt seats are paid at once")]
    autoreset: Annotated[int, Field("i1", (), "yes/no", "finished games restart")]
    illegal: Annotated[int, Field("i1", (), "", "RAISE, RANDOM or FORFEIT")]
    boards: Annotated[
        int, Field("i8", (), "address", "RULES records to draw from; 0: use ``rules``")
    ]
    board_count: Annotated[int, Field("i4", (), "boards", "number of RULES records to draw from")]
    starts: Annotated[
        int, Field("i8", (), "address", "START records, one per game; 0: only new games")
    ]


class StartState:
    """The starting position of the games in one slot."""

    seed: Annotated[int, Field("i8", (), "", "for the bots' random numbers, with SAME_GAME")]
    begun: Annotated[int, Field("i8", (), "games", "begun in this slot before")]
    how: Annotated[int, Field("i1", (), "", "NEW_GAME, SAME_TABLE or SAME_GAME")]
    shuffles: Annotated[int, Field("i1", (), "yes/no", "SAME_TABLE shuffles the undrawn cards")]
    position: Annotated[GameState, Field(GAME, (), "", "the position, unless NEW_GAME")]


class EpisodeState:
    """The environment's data about one game: line-up, legal actions, rewards paid."""

    bits: Annotated[Int64s, Field("i8", (N_KINDS,), "", "legal actions of the current decision")]
    seed: Annotated[int, Field("i8", (), "", "from which this slot's games derive")]
    begun: Annotated[int, Field("i8", (), "games", "begun with that seed")]
    game_seed: Annotated[int, Field("i8", (), "", "seed of the current game")]
    board: Annotated[int, Field("i4", (), "board", "its RULES record, if games draw one")]
    potential: Annotated[Float64s, Field("f8", (PLAYERS,), "", "by seat, at its last decision")]
    gain: Annotated[Float64s, Field("f8", (PLAYERS,), "", "total reward of each seat in this game")]
    external: Annotated[int, Field("i2", (), "seats", "bit mask of externally played seats")]
    shaped: Annotated[int, Field("i2", (), "seats", "bit mask of those with a potential")]
    paid: Annotated[int, Field("i2", (), "seats", "bit mask of those paid in full")]
    steps: Annotated[int, Field("i4", (), "actions", "external actions in this game")]
    faults: Annotated[int, Field("i4", (), "answers", "illegal answers of policies so far")]
    seat: Annotated[int, Field("i1", (), "seat", "the learner's; NOBODY if all seats learn")]
    line_up: Annotated[Int8s, Field("i1", (PLAYERS,), "policy", "by seat; EXTERNAL: none")]

    # The last game that ended
    last_gain: Annotated[Float64s, Field("f8", (PLAYERS,), "", "total reward of each seat")]
    last_seed: Annotated[int, Field("i8", (), "", "its seed")]
    last_turns: Annotated[int, Field("i4", (), "turns", "player turns")]
    last_decisions: Annotated[int, Field("i4", (), "decisions", "actions of all players")]
    last_steps: Annotated[int, Field("i4", (), "actions", "external actions")]
    last_rank: Annotated[Int8s, Field("i1", (PLAYERS,), "rank", "1 is best; ties share a rank")]
    last_line_up: Annotated[Int8s, Field("i1", (PLAYERS,), "policy", "by seat")]
    last_seat: Annotated[int, Field("i1", (), "seat", "the learner's")]


class StepRecord:
    """The inputs and outputs of one game's step."""

    action: Annotated[int, Field("i8", (), "action", "taken, or drawn if it was illegal")]
    reward: Annotated[Float64s, Field("f8", (PLAYERS,), "", "paid to each seat in this step")]
    learner_reward: Annotated[float, Field("f8", (), "", "paid to the learner in this step")]
    ended: Annotated[int, Field("i1", (), "", "RUNNING, TERMINATED, TRUNCATED or STUCK")]
    actor: Annotated[int, Field("i1", (), "seat", "who decides next; -1 at the end")]
    eventful: Annotated[
        int, Field("i1", (), "yes/no", "a reward, a bankruptcy, or a beginning or end of a game")
    ]
    command: Annotated[int, Field("i1", (), "", "PLAY, RESET or SKIP")]


KERNEL_CONFIG = dtype_of(KernelConfig)
EPISODE = dtype_of(EpisodeState)
STEP_RECORD = dtype_of(StepRecord)
START = dtype_of(StartState)
