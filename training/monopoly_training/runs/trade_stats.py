"""Statistics of a learner's deals, which reveal exploits that win rates hide.

They count how many of its offers are accepted, how many offers of others it accepts, the cash that
moves, and the deeds that move back and forth within a game: given away in a deal and regained, or
gained and given away.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from stable_baselines3.common.logger import Logger

from monopoly_env.encoding.blocks import (
    DEBT_SCALE,
    OBSERVATION_SIZE,
    OFFER_CASH,
    OFFER_SIZE,
    OFFSETS,
    PRICE_SCALE,
)
from monopoly_env.engine.actions import IDS, OFFERS
from monopoly_env.engine.state import Int64s
from monopoly_env.envs.game_batch import GameBatch

PROPOSE, ACCEPT, REJECT = IDS["propose:1"], IDS["accept"], IDS["reject"]
# The columns with the cash of each offer in the menu, and of the pending offer
MENU_CASH = OFFSETS["menu"] + OFFER_SIZE * np.arange(OFFERS) + OFFER_CASH
GIVE_CASH, GET_CASH = OFFSETS["deal_give_cash"], OFFSETS["deal_get_cash"]


@dataclass
class TradeCounts:
    """The counts since the last report."""

    offers: int = 0  # made by the learners
    offers_accepted: int = 0
    answers: int = 0  # given to others' offers
    acceptances: int = 0
    cash: list[float] = field(default_factory=list)  # received in each deal
    deeds_moved: int = 0
    deeds_back: int = 0


class TradeStats:
    """Counts the learners' offers, answers and deals since the last report.

    ``columns`` are the columns that the learners observe, as in an environment with ``narrow``;
    None means all.
    """

    def __init__(self, batch: GameBatch, columns: Int64s | None = None) -> None:
        self._batch = batch
        places = np.arange(OBSERVATION_SIZE)  # position of each column in the observation
        if columns is not None:
            places[columns] = np.arange(len(columns))
        self._menu_cash = places[MENU_CASH].tolist()
        self._give_cash, self._get_cash = places[[GIVE_CASH, GET_CASH]].tolist()
        self._owned = self._deeds()
        self._given = np.zeros(batch.n, np.int64)  # by deals in this game, as bit masks
        self._received = np.zeros(batch.n, np.int64)
        self.counts = TradeCounts()

    def take(self) -> TradeCounts:
        """Return the counts since the last report and reset them; games in progress go on."""
        taken, self.counts = self.counts, TradeCounts()
        return taken

    def add(self, other: TradeCounts) -> None:
        """Add counts from another process."""
        for name, value in vars(other).items():
            setattr(self.counts, name, getattr(self.counts, name) + value)

    def record_step(
        self, actions: Int64s, observations: npt.NDArray[Any], dones: npt.NDArray[np.bool_]
    ) -> None:
        """Record one step of all games.

        ``actions`` int64[n] are ids, ``observations`` (n, columns) those on which the actions were
        chosen, ``dones`` bool[n] the games that ended in the step.
        """
        before, self._owned = self._owned, self._deeds()
        is_offer = (actions >= PROPOSE) & (actions < PROPOSE + OFFERS)
        is_answer = (actions == ACCEPT) | (actions == REJECT)
        for index in np.flatnonzero((is_offer | is_answer) & ~dones).tolist():
            gained = int(self._owned[index] & ~before[index])
            lost = int(before[index] & ~self._owned[index])
            if is_offer[index]:
                self.counts.offers += 1
                self.counts.offers_accepted += bool(gained | lost)
                cash = self.menu_cash(observations[index], int(actions[index]) - PROPOSE)
            else:
                self.counts.answers += 1
                self.counts.acceptances += int(actions[index] == ACCEPT)
                cash = self.deal_cash(observations[index])
            if gained | lost:
                self._record_deal(index, gained, lost, cash)
        self._given[dones] = self._received[dones] = 0

    def menu_cash(self, observation: npt.NDArray[Any], offer: int) -> float:
        """Return the dollars that an offer of the menu brings (negative if it costs)."""
        value = float(observation[self._menu_cash[offer]])
        return PRICE_SCALE * value / (1.0 - abs(value))

    def deal_cash(self, observation: npt.NDArray[Any]) -> float:
        """Return the dollars that the pending offer brings (negative if it costs)."""
        give, get = float(observation[self._give_cash]), float(observation[self._get_cash])
        return DEBT_SCALE * (get / (1.0 - get) - give / (1.0 - give))

    def _record_deal(self, index: int, gained: int, lost: int, cash: float) -> None:
        """Record a completed deal: deeds as bit masks, cash received."""
        self.counts.cash.append(cash)
        self.counts.deeds_moved += (gained | lost).bit_count()
        back = gained & int(self._given[index]) | lost & int(self._received[index])
        self.counts.deeds_back += back.bit_count()
        self._given[index] |= lost
        self._received[index] |= gained

    def _deeds(self) -> Int64s:
        """Return each learner's deeds as bit masks."""
        batch = self._batch
        deeds: Int64s = batch.games["owned"][np.arange(batch.n), batch.seats]
        return deeds

    def report(self, logger: Logger, games: int) -> None:
        """Log the counts since the last report; ``games`` have ended since then."""
        counts = self.take()
        if counts.offers:
            logger.record("deals/offers_accepted", counts.offers_accepted / counts.offers)
        if counts.answers:
            logger.record("deals/accepts", counts.acceptances / counts.answers)
        if counts.cash:
            logger.record("deals/cash_received", float(np.mean(counts.cash)))
            logger.record("deals/cash_moved", float(np.mean(np.abs(counts.cash))))
            logger.record("deals/lots_back_and_forth", counts.deeds_back / counts.deeds_moved)
        if games:
            logger.record("deals/offers_a_game", counts.offers / games)
            logger.record("deals/made_a_game", len(counts.cash) / games)
