"""The options of the environments, each spelled once: names, types, defaults, what they mean.

The constructors take what these classes take (:func:`monopoly_env.envs._constructor.takes`), and
their documentation is made of this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal

from monopoly_env.agent import Agent, AgentSpec
from monopoly_env.editions import Edition, EditionSet, load_editions
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
Bot = str | AgentSpec | Agent  # a bot by name, as an agent found it, or made already
Opponent = Bot | tuple[Bot, ...]  # to be drawn: a bot for one seat, or bots for all others
Pool = Sequence[Opponent] | Mapping[Any, float]

ILLEGAL_ACTIONS = {"raise": RAISE, "random": RANDOM, "forfeit": FORFEIT}
RENDER_MODE = (
    "None, `ansi`: text, `rgb_array`: pixels, or `human`: a window; the last two need the extra "
    "`render`"
)
ILLEGAL_ACTION = (
    "`raise` IllegalAction, take a `random` legal one instead, or `forfeit` the game; numbers that no "
    "action has are illegal too, and what is no number is an InputError in any case"
)

DECISIONS = tuple(phase.name for phase in Phase if phase is not Phase.OVER)


@dataclass(frozen=True, kw_only=True)
class CommonOptions:
    """What can be said of a game, whoever plays it."""

    preset: Annotated[
        str,
        "options that go together: `full` has every rule; `basic` has own windows, no deals and "
        "a shaped reward, so that a first learner learns within minutes; `paper` is the table of "
        "published results. Options that are given besides come before it",
    ] = "full"
    edition: Annotated[
        str | Path | Edition, "as for monopoly_env.Game; of a set, each new game draws one"
    ] = "classic"
    mode: Annotated[str, "as for monopoly_env.Game"] = "standard"
    rules: Annotated[Mapping[str, object] | None, "rules by name, instead of the edition's"] = None
    windows: Annotated[
        Windows | None,
        "`all` or `own`: whether everybody may act between turns; as the rules say: all",
    ] = None
    deals: Annotated[
        Deals | None,
        "composed in `steps`, whole ones of a `menu`, or `off`; as the rules say: steps",
    ] = None
    decides: Annotated[Sequence[str] | None, "phases that learners decide; all"] = None
    rest: Annotated[Bot, "the compiled bot that plays what they do not decide"] = "background"
    leaves: Annotated[
        Sequence[str], "kinds of action that learners leave to `rest` in their own phases, too"
    ] = ()
    skip_forced: Annotated[bool, "a lone legal action happens without being asked for"] = False
    reward: Annotated[
        str | Mapping[str, object] | Reward,
        "`win`, `rank`, `net_worth`, a mapping, or a Reward; see docs/environments.md",
    ] = "win"
    narrow: Annotated[
        bool,
        "show only the columns and the actions that can come up at this table; see `columns` and "
        "`action_ids` of the environment",
    ] = False
    mask_dtype: Annotated[str, "of masks in infos and observations: `int8`, `bool`, `float32`"] = (
        "int8"
    )
    any_players: Annotated[bool, "up to 8 players, whatever the edition says"] = False
    render_size: Annotated[
        int | tuple[int, int], "pixels of a frame: the side of a square, or (width, height)"
    ] = 800
    render_theme: Annotated[str, "`light` or `dark`"] = "light"

    def overrides(self) -> dict[str, object]:
        """The rules that these options stand for."""
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
        """The phases that learners decide, as bits."""
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
        """The kinds of action that learners leave to ``rest``, as bits."""
        bits = 0
        for name in check_list("leaves", self.leaves, "kinds of action, such as ['deal', 'sell']"):
            kind = str(name).lower()
            if kind not in KINDS:
                fail("leaves", f"there is no kind of action {show(name)}; {suggest(kind, KINDS)}")
            bits |= 1 << KINDS.index(kind)
        return bits

    @property
    def needs_fallback(self) -> bool:
        """Whether ``rest`` plays at all."""
        return self.decides is not None or len(self.leaves) > 0

    def table(self, num_players: int) -> TableOptions:
        """These options for so many players."""
        common = {one.name: getattr(self, one.name) for one in fields(CommonOptions)}
        return TableOptions(**common, num_players=num_players)


@dataclass(frozen=True, kw_only=True)
class TableOptions(CommonOptions):
    """What can be said of a game and of how many play it; see docs/environments.md."""

    num_players: Annotated[int, "2 to the edition's most; with `any_players` to 8"] = 4

    def load(self) -> Edition:
        """The edition with its rules overridden, fit for the number of players.

        Raises: InputError, also for a set of several.
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
        """The editions of which each game draws one, mostly a single one; as :meth:`load`."""
        overrides = self.overrides()
        check_whole("num_players", self.num_players, 2, PLAYERS)
        if isinstance(self.edition, Edition):
            if self.rules or overrides or self.mode not in ("standard", self.edition.mode):
                fail(
                    "edition", "is loaded already; give mode, rules, windows, deals to load_edition"
                )
            editions = EditionSet(self.edition)
        else:
            rules = InputError.at("rules").mapping(self.rules)
            editions = load_editions(self.edition, self.mode, {**rules, **overrides})
        loaded = editions.first
        if self.num_players > loaded.max_players:
            fail(
                "num_players",
                f"{loaded.id} is for {loaded.min_players} to {loaded.max_players} players, not "
                f"{self.num_players}; any_players=True allows up to {PLAYERS}",
            )
        loaded.check_players(self.num_players, "num_players")
        return editions


@dataclass(frozen=True)
class AECOptions(TableOptions):
    """What the PettingZoo environment takes."""

    edition: str | Path | Edition = TableOptions.edition  # these three without their names, too
    mode: str = TableOptions.mode
    num_players: int = TableOptions.num_players
    _: KW_ONLY
    elimination: Annotated[
        str, "a bankrupt agent leaves `immediate`, or all leave together at the `end`"
    ] = "immediate"
    observation: Annotated[
        str,
        "`dict`: with the mask in it; or `flat`: float32, with the mask in `infos`; or `packed`: the "
        "same in 768 bytes, uint8, see docs/observation.md",
    ] = "dict"
    illegal_action: Annotated[str, ILLEGAL_ACTION] = "raise"
    render_mode: Annotated[str | None, RENDER_MODE] = None


@dataclass(frozen=True)
class SeatOptions(CommonOptions):
    """What an environment with one learner a game takes."""

    opponents: Annotated[
        Sequence[Bot] | None,
        "bots from the learner's left, by name or made already; three random ones",
    ] = None
    seat: Annotated[int | str, "the learner's, from 0; or `random`: another one in each game"] = (
        "random"
    )
    _: KW_ONLY
    pool: Annotated[
        Pool | None,
        "instead of opponents: each opponent of each game is drawn from these compiled bots, a "
        "list or a mapping from names to weights; with tuples in it all of them at once",
    ] = None
    num_players: Annotated[int | None, "how many play, where opponents are drawn; 4"] = None
    observation: Annotated[
        str,
        "`flat`: float32, with the mask beside it; `dict`: both in the observation; or `packed`: as "
        "`flat`, in 768 bytes, uint8, see docs/observation.md",
    ] = "flat"
    illegal_action: Annotated[str, ILLEGAL_ACTION] = "raise"
    play_out: Annotated[bool, "go on to the end of the game when the learner is bankrupt"] = False
    render_mode: Annotated[str | None, RENDER_MODE] = None


@dataclass(frozen=True)
class SingleSeatOptions(SeatOptions):
    """What the single-seat environment takes."""


@dataclass(frozen=True)
class BatchOptions:
    """How many games are stepped together, and how."""

    num_envs: Annotated[int, "how many games"] = 1
    _: KW_ONLY
    threads: Annotated[int, "that step the games together; results do not depend on it"] = 1
    copy: Annotated[
        bool,
        "observations and masks are the caller's own; False: read-only views of the buffers, "
        "which later steps overwrite",
    ] = True
    buffers: Annotated[int, "sets of observations and masks that are used in turn"] = 2
    autoreset_mode: Annotated[
        AutoresetMode | str,
        "when finished games begin anew: `SameStep`, `NextStep`, or `Disabled`: by reset() alone",
    ] = AutoresetMode.SAME_STEP


@dataclass(frozen=True)
class VectorOptions(SeatOptions, BatchOptions):
    """What the vector environment takes."""

    _: KW_ONLY
    seats: Annotated[str, "`one` learner a game, or `all` seats decide for themselves"] = "one"
    elimination: Annotated[
        str, "with all seats, a bankrupt one is paid `immediate`, or at the `end`"
    ] = "end"
    skip_forced: Annotated[bool, "a lone legal action happens without being asked for"] = True
