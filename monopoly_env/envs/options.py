"""The options of the environments: names, types, defaults and meanings, each defined once.

The constructors take the fields of these classes (:func:`monopoly_env.envs._constructor.takes`),
and their documentation is generated from them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal

from monopoly_env.agent import Agent, AgentSpec
from monopoly_env.editions import Edition, EditionSet, load_editions
from monopoly_env.editions.sets import check_loaded
from monopoly_env.encoding.reward import Reward
from monopoly_env.engine.actions import KINDS
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy_loop import ALL_PHASES
from monopoly_env.envs.autoreset import AutoresetMode
from monopoly_env.envs.checks import check_flag, check_list, check_whole, check_word, fail
from monopoly_env.envs.step_codes import FORFEIT, RAISE, RANDOM
from monopoly_env.errors import InputError, show, suggest

Windows = Literal["all", "own"]
Deals = Literal["steps", "menu", "off"]
Bot = str | AgentSpec | Agent  # a bot by name, as a spec, or as an object
Opponent = Bot | tuple[Bot, ...]  # a pool entry: a bot for one seat, or a line-up for all
Pool = Sequence[Opponent] | Mapping[Any, float]

ILLEGAL_ACTIONS = {"raise": RAISE, "random": RANDOM, "forfeit": FORFEIT}
RENDER_MODE = (
    "None, `ansi`: text, `rgb_array`: pixels, or `human`: a window; the last two need the extra "
    "`render`"
)
ILLEGAL_ACTION = (
    "`raise` IllegalAction, play a `random` legal action, or `forfeit` the game. Unknown ids are "
    "illegal too; values that are not integers always raise InputError"
)

DECISIONS = tuple(phase.name for phase in Phase if phase is not Phase.OVER)


@dataclass(frozen=True, kw_only=True)
class CommonOptions:
    """Options of the game, common to all environments."""

    preset: Annotated[
        str,
        'a set of options: `full` has all rules; `basic` has `windows="own"`, no deals and a shaped '
        "reward, for first experiments; `paper` is the setting of published results. Explicit "
        "options override it",
    ] = "full"
    edition: Annotated[
        str | Path | Edition, "as for monopoly_env.Game; each new game draws one from a set"
    ] = "classic"
    mode: Annotated[str, "as for monopoly_env.Game"] = "standard"
    rules: Annotated[Mapping[str, object] | None, "rule overrides by name"] = None
    windows: Annotated[
        Windows | None,
        "`all`, or `own`: players act only in their own turns; `all` by default",
    ] = None
    deals: Annotated[
        Deals | None,
        "`steps`: composed step by step, `menu`: complete offers, or `off`; `steps` by default",
    ] = None
    decides: Annotated[Sequence[str] | None, "phases in which learners decide; all by default"] = (
        None
    )
    rest: Annotated[Bot, "the compiled bot for all other decisions"] = "background"
    leaves: Annotated[
        Sequence[str], "kinds of action that `rest` decides even in the learners' phases"
    ] = ()
    skip_forced: Annotated[bool, "play a single legal action automatically"] = False
    reward: Annotated[
        str | Mapping[str, object] | Reward,
        "`win`, `rank`, `net_worth`, a mapping, or a Reward; see docs/environments.md",
    ] = "win"
    narrow: Annotated[
        bool,
        "drop features and actions that cannot occur under these options; see the attributes "
        "`columns` and `action_ids`",
    ] = False
    mask_dtype: Annotated[
        str, "type of the masks in infos and observations: `int8`, `bool`, `float32`"
    ] = "int8"
    any_players: Annotated[bool, "allow up to 8 players in any edition"] = False
    render_size: Annotated[
        int | tuple[int, int], "pixels of a frame: the side of a square, or (width, height)"
    ] = 800
    render_theme: Annotated[str, "`light` or `dark`"] = "light"

    def overrides(self) -> dict[str, object]:
        """Return the rule overrides for these options."""
        rules: dict[str, object] = {}
        InputError.at("rules").mapping(self.rules)
        if self.windows is not None:
            check_word("windows", self.windows, ("all", "own"))
            rules["windows"] = self.windows
        if self.deals is not None:
            check_word("deals", self.deals, ("steps", "menu", "off"))
            rules["deals"] = self.deals
        if check_flag("any_players", self.any_players):
            rules["max_players"] = PLAYERS
        same = {"windows": ("windows", "between_windows"), "deals": ("deals",)}
        for name, others in same.items():
            if name in rules and any(rule in (self.rules or {}) for rule in others):
                fail(name, f"is a rule too, and rules={{...}} names it; give {name} once")
        return rules

    def decided_phases(self) -> int:
        """Return the phases in which learners decide, as bits."""
        if self.decides is None:
            return ALL_PHASES
        check_list("decides", self.decides, "phases, such as ['BUY', 'AUCTION']")
        bits = 0
        for name in self.decides:
            phase = str(name).upper()
            if phase not in DECISIONS:
                fail("decides", f"there is no phase {show(name)}; {suggest(phase, DECISIONS)}")
            bits |= 1 << Phase[phase]
        if bits == 0:
            fail("decides", "names no phase; name one, or leave it out for all")
        return bits

    def left_kinds(self) -> int:
        """Return the kinds of action that ``rest`` decides, as bits."""
        bits = 0
        for name in check_list("leaves", self.leaves, "kinds of action, such as ['deal', 'sell']"):
            kind = str(name).lower()
            if kind not in KINDS:
                fail("leaves", f"there is no kind of action {show(name)}; {suggest(kind, KINDS)}")
            bits |= 1 << KINDS.index(kind)
        return bits

    @property
    def needs_fallback(self) -> bool:
        """Whether the bot ``rest`` decides anything."""
        return self.decides is not None or len(self.leaves) > 0

    def table(self, num_players: int) -> TableOptions:
        """Return these options with the given number of players."""
        common = {one.name: getattr(self, one.name) for one in fields(CommonOptions)}
        return TableOptions(**common, num_players=num_players)


@dataclass(frozen=True, kw_only=True)
class TableOptions(CommonOptions):
    """Options of a game with its number of players; see docs/environments.md."""

    num_players: Annotated[int, "from 2 to the edition's maximum; up to 8 with `any_players`"] = 4

    def load(self) -> Edition:
        """Return the edition with the rule overrides, checked for the number of players.

        Raises: InputError, also for a set of several editions.
        """
        editions = self.editions()
        if len(editions) > 1:
            fail(
                "edition",
                f"{editions.name} names {len(editions):,} editions, and one is needed here, such as "
                f"{editions.first.id}",
            )
        return editions.first

    def editions(self) -> EditionSet:
        """Return the editions from which each game draws (usually one); see :meth:`load`."""
        rules = {**InputError.at("rules").mapping(self.rules), **self.overrides()}
        check_whole("num_players", self.num_players, 2, PLAYERS)
        if isinstance(self.edition, Edition):
            editions = EditionSet(check_loaded(self.edition, self.mode, rules))
        else:
            editions = load_editions(self.edition, self.mode, rules)
        loaded = editions.first
        if self.num_players > loaded.max_players:
            fail(
                "num_players",
                f"{loaded.id} is for {loaded.player_range} players, not {self.num_players}; "
                f"any_players=True allows up to {PLAYERS}",
            )
        loaded.check_players(self.num_players, "num_players")
        return editions


@dataclass(frozen=True)
class AECOptions(TableOptions):
    """Options of the PettingZoo environment."""

    edition: str | Path | Edition = TableOptions.edition  # these three may be positional
    mode: str = TableOptions.mode
    num_players: int = TableOptions.num_players
    _: KW_ONLY
    elimination: Annotated[
        str, "`immediate`: bankrupt agents end at once; `end`: all agents end together"
    ] = "immediate"
    observation: Annotated[
        str,
        "`dict`: includes the mask; `flat`: float32, with the mask in `infos`; `packed`: the same "
        "in 832 bytes, uint8, see docs/observation.md",
    ] = "dict"
    illegal_action: Annotated[str, ILLEGAL_ACTION] = "raise"
    render_mode: Annotated[str | None, RENDER_MODE] = None


@dataclass(frozen=True)
class SeatOptions(CommonOptions):
    """Options of an environment with one learner per game."""

    opponents: Annotated[
        Sequence[Bot] | None,
        "bots to the learner's left, by name or as objects; three `random` by default",
    ] = None
    seat: Annotated[int | str, "the learner's seat, from 0; or `random`, drawn for each game"] = (
        "random"
    )
    _: KW_ONLY
    pool: Annotated[
        Pool | None,
        "instead of opponents: compiled bots from which each opponent of each game is drawn, a "
        "list or a mapping from names to weights; a tuple is a complete line-up",
    ] = None
    num_players: Annotated[
        int | None, "number of players if opponents are drawn from a pool; 4 by default"
    ] = None
    observation: Annotated[
        str,
        "`flat`: float32, with a separate mask; `dict`: includes the mask; `packed`: as `flat`, in "
        "832 bytes, uint8, see docs/observation.md",
    ] = "flat"
    illegal_action: Annotated[str, ILLEGAL_ACTION] = "raise"
    play_out: Annotated[bool, "continue to the end of the game after the learner's bankruptcy"] = (
        False
    )
    render_mode: Annotated[str | None, RENDER_MODE] = None


@dataclass(frozen=True)
class SingleSeatOptions(SeatOptions):
    """Options of the single-seat environment."""


@dataclass(frozen=True)
class BatchOptions:
    """Options of a batch of games."""

    num_envs: Annotated[int, "number of games"] = 1
    _: KW_ONLY
    threads: Annotated[int, "number of threads; results do not depend on it"] = 1
    copy: Annotated[
        bool,
        "return copies of observations and masks; False: read-only views of the buffers, which "
        "later steps overwrite",
    ] = True
    buffers: Annotated[int, "number of observation and mask buffers, used in turn"] = 2
    autoreset_mode: Annotated[
        AutoresetMode | str,
        "when finished games restart: `SameStep`, `NextStep`, or `Disabled` (only by reset())",
    ] = AutoresetMode.SAME_STEP


@dataclass(frozen=True)
class VectorOptions(SeatOptions, BatchOptions):
    """Options of the vector environment."""

    _: KW_ONLY
    seats: Annotated[str, "`one` learner per game, or `all` seats"] = "one"
    elimination: Annotated[
        str, "with all seats: a bankrupt seat is paid `immediate`, or at the `end`"
    ] = "end"
    skip_forced: Annotated[bool, "play a single legal action automatically"] = True
