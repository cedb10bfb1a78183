"""Deals in a position as a NegMAS negotiation, whose agreement is then played in the game.

``negmas`` must be installed (the extra ``negmas``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from monopoly_env.agent import Agent, make_agent
from monopoly_env.editions import Names
from monopoly_env.errors import InputError
from monopoly_env.extras import require
from monopoly_env.game import Game
from monopoly_env.negotiation.changes import changes, packages
from monopoly_env.negotiation.terms import Terms, answered, may_offer
from monopoly_env.notation import LETTERS
from monopoly_env.playing import ask
from monopoly_env.view import View

require("negmas_mechanism", "negmas")

from negmas.outcomes import make_issue, make_os  # noqa: E402  # after the check above
from negmas.preferences import MappingUtilityFunction  # noqa: E402
from negmas.sao import ResponseType, SAOMechanism, SAONegotiator  # noqa: E402

CASH = [step / 5 for step in range(-10, 11)]  # as multiples of the list prices traded
ISSUE = "deal"


def deals_between(game: Game, one: int, other: int) -> list[Terms]:
    """Return the possible deals of two seats: swaps of deeds or deeds for cash, at several prices.

    Only deals whose acceptance is legal in this position are included.
    """
    prices = game.edition.rules[0]["price"]
    found: dict[Terms, None] = {}
    for terms in packages(game, one, other):
        worth = sum(int(prices[square]) for square in (*terms.give, *terms.ask))
        for share in CASH:
            cash = terms.cash + 10 * round(share * worth / 10)
            priced = Terms(one, other, terms.give, terms.ask, cash)
            try:
                answered(game, priced)
            except InputError:
                continue
            found[priced] = None
    return list(found)


class DealMechanism(SAOMechanism):  # type: ignore[misc]  # negmas is not in the lock file
    """Stacked alternating offers between two players of a position; outcomes are deals.

    The only issue is the deal, as text. Utilities are changes of a player's win probability by the
    learned value function; disagreement has utility 0.

    Args:
        game: the position; it is not changed.
        seats: letters of the two players, such as ``"AB"``.
        deals: the possible agreements; None: :func:`deals_between`.
        options: passed to SAOMechanism, such as ``n_steps``.

    Raises: InputError if the two have nothing to trade.
    """

    def __init__(
        self, game: Game, seats: str = "AB", deals: Sequence[Terms] | None = None, **options: Any
    ) -> None:
        self.game = game.copy()
        self.one, self.other = (LETTERS.index(seat) for seat in seats)
        offers = deals_between(game, self.one, self.other) if deals is None else list(deals)
        if not offers:
            InputError.at("seats").fail(f"{' and '.join(seats)} have nothing to trade here")
        names: Names = game.edition.names
        self.deals = {terms.text(names): terms for terms in offers}
        rows = changes(game, offers)
        self._gains = dict(zip(self.deals, rows, strict=True))
        issue = make_issue(values=list(self.deals), name=ISSUE)
        super().__init__(outcome_space=make_os([issue]), **{"n_steps": 50, **options})

    def ufun(self, seat: str) -> Any:
        """Return a seat's NegMAS utility function over deals."""
        number = LETTERS.index(seat)
        gains = {text: float(row[number]) for text, row in self._gains.items()}
        return MappingUtilityFunction(
            lambda outcome: gains[text_of(outcome)],
            reserved_value=0.0,
            outcome_space=self.outcome_space,
        )

    def join(self, seat: str, negotiator: Any) -> None:
        """Add a NegMAS negotiator with the preferences of a seat."""
        self.add(negotiator, ufun=self.ufun(seat))

    @property
    def deal(self) -> Terms | None:
        """The agreement, or None if there is none (yet)."""
        return None if self.agreement is None else self.deals[text_of(self.agreement)]

    def carry_out(self, game: Game) -> bool:
        """Play the agreement in a game, as an offer by the current player and its acceptance.

        Returns False, without any change, if there is no agreement or the rules do not allow the
        offer.
        """
        terms = self.deal
        if terms is None:
            return False
        if game.actor_seat == terms.partner:
            terms = terms.mirrored()
        if may_offer(game, terms):
            return False
        for action in (*terms.actions(), "accept"):
            game.play(action)
        return True


def text_of(outcome: Any) -> str:
    """Return an outcome's deal; NegMAS passes it alone, or in a tuple or dict of issues."""
    if isinstance(outcome, dict):
        return str(outcome[ISSUE])
    return str(outcome[0]) if isinstance(outcome, tuple) else str(outcome)


class BotNegotiator(SAONegotiator):  # type: ignore[misc]
    """A bot as a NegMAS negotiator, which responds to offers as it does in games.

    It proposes the best deal for itself first, and concedes with time down to deals without a gain.

    Args:
        bot: a bot by name, or an instance.
        mechanism: the mechanism that it joins.
    """

    def __init__(self, bot: str | Agent, mechanism: DealMechanism, **options: Any) -> None:
        super().__init__(**options)
        self._bot = make_agent(bot) if isinstance(bot, str) else bot
        self._bot.reset(0)
        self._mechanism = mechanism

    def _seat(self) -> int:
        """Return the seat whose preferences it has."""
        first = self._mechanism.negotiators[0] is self
        return self._mechanism.one if first else self._mechanism.other

    def propose(self, state: Any, dest: str | None = None) -> Any:  # noqa: ARG002 - NegMAS's interface
        """Propose the deal whose rank, from the best down, matches the elapsed time."""
        good = [deal for deal in self._mechanism.deals if float(self.ufun((deal,))) > 0]
        if not good:
            return None
        ranked = sorted(good, key=lambda deal: -float(self.ufun((deal,))))
        place = min(int(state.relative_time * len(ranked)), len(ranked) - 1)
        return (ranked[place],)

    def respond(self, state: Any, source: str | None = None) -> Any:  # noqa: ARG002
        """Respond as the bot would in the game."""
        terms = self._mechanism.deals[text_of(state.current_offer)]
        if terms.partner != self._seat():
            terms = terms.mirrored()
        asked = answered(self._mechanism.game, terms)
        action = ask(self._bot, View.of(asked), asked.play)
        accepts = asked.text(action) == "accept"
        return ResponseType.ACCEPT_OFFER if accepts else ResponseType.REJECT_OFFER
