"""The options of :class:`monopoly_env.TextEnv`, and presets of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

from monopoly_env.editions import Edition
from monopoly_env.encoding.reward import Reward
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.rules import Deals as RuleDeals
from monopoly_env.envs.checks import check_flag, check_list, check_whole, check_word, fail
from monopoly_env.envs.options import Bot, Deals, TableOptions, Windows
from monopoly_env.envs.seating import check_bot
from monopoly_env.errors import InputError, show, suggest
from monopoly_env.negotiation.options import NegotiationOptions, read_options
from monopoly_env.notation import LETTERS
from monopoly_env.text.decision_filter import BARGAIN, SHORT, Ask

DETAILS = ("full", "compact")
FALLBACKS = ("safe", "first")
MOST_TRIES = 100


@dataclass(frozen=True, kw_only=True)
class TextOptions:
    """The options of a text environment; docs/language_models.md lists them in a table."""

    seats: str = "A"  # letters of the seats that are asked, `all`, or `random`
    opponents: Sequence[Bot] | None = None  # bots in the other seats, from the first seat's left
    num_players: int | None = None  # default: seats plus opponents, or 4
    edition: str | Path | Edition = "classic"
    mode: str = "standard"
    rules: Mapping[str, object] | None = None
    windows: Windows | None = None
    deals: Deals | None = None
    any_players: bool = False
    reward: str | Mapping[str, object] | Reward = "win"
    detail: str = "full"  # or `compact`
    asks: Mapping[str, Ask] | None = None  # which decisions are asked, by phase; None: all
    repeat_offers: bool = True  # ask again about offers that were passed over
    rest: Bot = "background"  # makes the decisions that are not asked
    tries: int = 3  # unusable answers per decision before the fallback decides
    questions: int = 2  # why-questions per decision; they do not use up tries
    fallback: Bot = "safe"  # or `first`: the first legal action, or a bot
    negotiation: bool | Mapping[str, object] | NegotiationOptions | None = None

    def table(self, players: int) -> TableOptions:
        """Return the options of the game for ``players`` players."""
        return TableOptions(
            num_players=players,
            edition=self.edition,
            mode=self.mode,
            rules=self._rules(),
            windows=self.windows,
            deals=self.deals,
            any_players=self.any_players,
        )

    def _rules(self) -> Mapping[str, object] | None:
        """Return the rules, with the negotiation's limit of offers."""
        talk = read_options(self.negotiation)
        if talk is None or talk.offers is None:
            return self.rules
        given = InputError.at("rules").mapping(self.rules)
        return {"trade_limit": talk.offers, **given}

    def checked(self) -> TextOptions:
        """Return these options after checking them. Raises: InputError, one line."""
        check_word("detail", self.detail, DETAILS)
        check_flag("repeat_offers", self.repeat_offers)
        check_whole("tries", self.tries, 1, MOST_TRIES)
        check_whole("questions", self.questions, 0, MOST_TRIES)
        check_bot("rest", self.rest)
        read_options(self.negotiation)
        if self.fallback not in FALLBACKS:
            check_bot("fallback", self.fallback)
        return self

    def line_up(self) -> tuple[int, list[Bot]]:
        """Return the number of players, and the bots. Raises: InputError."""
        asked = self._asked()
        bots: list[Bot] | None = None
        if self.opponents is not None:
            bots = check_list("opponents", self.opponents, "bots, such as ['background']")
            for bot in bots:
                check_bot("opponents", bot)
        if self.num_players is not None:
            players = check_whole("num_players", self.num_players, 2, PLAYERS)
        elif asked is None or bots is None:
            players = 4
        else:
            players = asked + len(bots)
        count = players if asked is None else asked
        if bots is None:
            bots = ["background"] * (players - count)
        if count + len(bots) != players:
            fail(
                "opponents",
                f"{players} players, {count} of them asked, need {players - count} bots, "
                f"not {len(bots)}",
            )
        return players, bots

    def _asked(self) -> int | None:
        """Return how many seats are asked; None for all. Raises: InputError."""
        if not isinstance(self.seats, str):
            fail(
                "seats",
                f"must be letters, such as 'A' or 'AC', all or random, not {show(self.seats)}",
            )
        if self.seats in ("all", "random"):
            return None if self.seats == "all" else 1
        return len(seat_numbers(self.seats, PLAYERS))


def seat_numbers(seats: str, players: int) -> list[int]:
    """Return the seats of distinct letters, in order. Raises: InputError."""
    numbers = [LETTERS.find(letter) for letter in seats]
    if (
        not numbers
        or len(set(numbers)) < len(numbers)
        or not all(0 <= n < players for n in numbers)
    ):
        known = f"different letters of {LETTERS[:players]}, all or random"
        fail("seats", f"must be {known}, not {show(seats)}")
    return sorted(numbers)


PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "full": MappingProxyType({}),
        "short": MappingProxyType(
            {
                "windows": "own",
                "deals": "menu",
                "detail": "compact",
                "asks": SHORT,
                "repeat_offers": False,
            }
        ),
        "negotiation": MappingProxyType(
            {"windows": "own", "detail": "compact", "asks": BARGAIN, "negotiation": True}
        ),
    }
)


def make_options(preset: object, given: Mapping[str, Any]) -> TextOptions:
    """Return a preset's options, overridden by those given.

    Raises: InputError for an unknown preset or option, or an invalid value.
    """
    if not isinstance(preset, str) or preset not in PRESETS:
        hint = suggest(preset, PRESETS) if isinstance(preset, str) else "name one"
        fail("preset", f"there is no preset {show(preset)}; {hint}")
    known = [one.name for one in fields(TextOptions)]
    for name in given:
        if name not in known:
            InputError.at("TextEnv").fail_unknown(name, "option", known)
    rules = given.get("rules")
    named = {*given, *(rules if isinstance(rules, Mapping) else ())}
    if "between_windows" in named:
        named.add("windows")
    chosen = {
        name: dict(value) if isinstance(value, Mapping) else value  # a proxy cannot be pickled
        for name, value in PRESETS[preset].items()
        if name not in named
    }
    return TextOptions(**{**chosen, **given}).checked()


def check_talk(options: TextOptions, edition: Edition) -> NegotiationOptions | None:
    """Return the limits of the negotiation, or None if there is none.

    Raises: InputError if the rules do not have the deals from which whole offers are composed.
    """
    talk = read_options(options.negotiation)
    if talk is not None and edition.rules[0]["deals"] != RuleDeals.STEPS:
        fail("negotiation", "needs deals='steps': whole offers are composed of them")
    return talk
