"""Deals of a position as a negotiation of NegMAS: its negotiators bargain, and the game plays what they agree on.

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

from negmas.outcomes import make_issue, make_os  # noqa: E402  # once it is known to be there
from negmas.preferences import MappingUtilityFunction  # noqa: E402
from negmas.sao import ResponseType, SAOMechanism, SAONegotiator  # noqa: E402

CASH = [step / 5 for step in range(-10, 11)]  # of the list prices that move
ISSUE = "deal"


def deals_between(game: Game, one: int, other: int) -> list[Terms]:
    """What two seats can agree on: swaps of a deed each or a deed for cash, at several prices.

    Only those that the rules would let be accepted in this position.
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


class DealMechanism(SAOMechanism):  # type: ignore[misc]  # negmas is not in the lock
    """Stacked alternating offers between two players of a position; outcomes are deals.

    The one issue is the deal, in words. Utilities are changes of one's own chance to win, by the
    learned value; without an agreement they are 0.

    Args:
        game: the position; it is not changed.
        seats: letters of the two players, such as ``"AB"``.
        deals: what can be agreed on; None: :func:`deals_between`.
        options: of SAOMechanism, such as ``n_steps``.

    Raises: InputError where the two have nothing to trade.
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
        """What each deal is worth to a seat, as a utility function of NegMAS."""
        number = LETTERS.index(seat)
        gains = {text: float(row[number]) for text, row in self._gains.items()}
        return MappingUtilityFunction(
            lambda outcome: gains[text_of(outcome)],
            reserved_value=0.0,
            outcome_space=self.outcome_space,
        )

    def join(self, seat: str, negotiator: Any) -> None:
        """Seat a negotiator of NegMAS, with the preferences of that seat."""
        self.add(negotiator, ufun=self.ufun(seat))

    @property
    def deal(self) -> Terms | None:
        """What was agreed on; None: nothing, or not yet."""
        return None if self.agreement is None else self.deals[text_of(self.agreement)]

    def carry_out(self, game: Game) -> bool:
        """Play the agreement in a game, as an offer of whoever decides and its acceptance.

        False, and no change: there is none, or the rules refuse that offer now.
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
    """The deal of an outcome: NegMAS has it alone, or in a tuple or dict of issues."""
    if isinstance(outcome, dict):
        return str(outcome[ISSUE])
    return str(outcome[0]) if isinstance(outcome, tuple) else str(outcome)


class BotNegotiator(SAONegotiator):  # type: ignore[misc]
    """A bot of this package as a negotiator: it answers as it answers offers in games.

    What it offers goes from the best deal for itself down to those that bring it nothing, as time runs
    out.

    Args:
        bot: a bot by name, or one made already.
        mechanism: where it sits.
    """

    def __init__(self, bot: str | Agent, mechanism: DealMechanism, **options: Any) -> None:
        super().__init__(**options)
        self._bot = make_agent(bot) if isinstance(bot, str) else bot
        self._bot.reset(0)
        self._mechanism = mechanism

    def _seat(self) -> int:
        """The seat whose preferences it has."""
        first = self._mechanism.negotiators[0] is self
        return self._mechanism.one if first else self._mechanism.other

    def propose(self, state: Any, dest: str | None = None) -> Any:  # noqa: ARG002 - NegMAS's interface
        """The deal whose place, from the best down, fits the time that has passed."""
        good = [deal for deal in self._mechanism.deals if float(self.ufun((deal,))) > 0]
        if not good:
            return None
        ranked = sorted(good, key=lambda deal: -float(self.ufun((deal,))))
        place = min(int(state.relative_time * len(ranked)), len(ranked) - 1)
        return (ranked[place],)

    def respond(self, state: Any, source: str | None = None) -> Any:  # noqa: ARG002
        """What the bot answers, were the deal offered to it in the game."""
        terms = self._mechanism.deals[text_of(state.current_offer)]
        if terms.partner != self._seat():
            terms = terms.mirrored()
        asked = answered(self._mechanism.game, terms)
        action = ask(self._bot, View.of(asked), asked.play)
        accepts = asked.text(action) == "accept"
        return ResponseType.ACCEPT_OFFER if accepts else ResponseType.REJECT_OFFER
