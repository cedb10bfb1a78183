"""What a learner does at the table when it trades: so that an exploit is seen, not only its gains.

How many of its offers are accepted and how many of others' it accepts, what they move in cash, and
how many lots come back that it gave away by a deal in the same game, or leave that it got by one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from stable_baselines3.common.logger import Logger

from monopoly_env.encoding.blocks import OFFSETS
from monopoly_env.engine.actions import IDS, OFFERS
from monopoly_env.engine.state import Int64s
from monopoly_env.envs.game_batch import GameBatch

PROPOSE, ACCEPT, REJECT = IDS["propose:1"], IDS["accept"], IDS["reject"]
MENU, GIVE_CASH, GET_CASH = (OFFSETS[n] for n in ("menu", "deal_give_cash", "deal_get_cash"))
MENU_FACTS, MENU_CASH = 8, 4
MENU_SCALE, DEAL_SCALE = 200.0, 500.0  # by which the observation squeezes cash


class Trades:
    """Watches the deals of the learners at some tables."""

    def __init__(self, batch: GameBatch) -> None:
        self._batch = batch
        self._owned = self._deeds()
        self._given = np.zeros(batch.n, np.int64)  # by deals in this game, as bit masks
        self._got = np.zeros(batch.n, np.int64)
        self._forget()

    def _forget(self) -> None:
        self.offers = self.made = self.asked = self.accepted = 0
        self.cash: list[float] = []  # received in each deal
        self.lots = self.back = 0

    def note(self, actions: Int64s, seen: npt.NDArray[Any], over: npt.NDArray[np.bool_]) -> None:
        """One step: the actions by id, what the learners saw before, which games ended."""
        before, self._owned = self._owned, self._deeds()
        is_offer = (actions >= PROPOSE) & (actions < PROPOSE + OFFERS)
        is_answer = (actions == ACCEPT) | (actions == REJECT)
        for index in np.flatnonzero((is_offer | is_answer) & ~over).tolist():
            gained = int(self._owned[index] & ~before[index])
            lost = int(before[index] & ~self._owned[index])
            if is_offer[index]:
                self.offers += 1
                self.made += bool(gained | lost)
                cash = menu_cash(seen[index], int(actions[index]) - PROPOSE)
            else:
                self.asked += 1
                self.accepted += int(actions[index] == ACCEPT)
                cash = deal_cash(seen[index])
            if gained | lost:
                self._note_deal(index, gained, lost, cash)
        self._given[over] = self._got[over] = 0

    def _note_deal(self, index: int, gained: int, lost: int, cash: float) -> None:
        """A deal was made."""
        self.cash.append(cash)
        self.lots += (gained | lost).bit_count()
        back = gained & int(self._given[index]) | lost & int(self._got[index])
        self.back += back.bit_count()
        self._given[index] |= lost
        self._got[index] |= gained

    def _deeds(self) -> Int64s:
        """The deeds of each learner, as bit masks."""
        batch = self._batch
        deeds: Int64s = batch.games["owned"][np.arange(batch.n), batch.seats]
        return deeds

    def report(self, logger: Logger, games: int) -> None:
        """Log what was seen since the last report; ``games`` ended since then."""
        if self.offers:
            logger.record("deals/offers_accepted", self.made / self.offers)
        if self.asked:
            logger.record("deals/accepts", self.accepted / self.asked)
        if self.cash:
            logger.record("deals/cash_received", float(np.mean(self.cash)))
            logger.record("deals/cash_moved", float(np.mean(np.abs(self.cash))))
            logger.record("deals/lots_back_and_forth", self.back / self.lots)
        if games:
            logger.record("deals/offers_a_game", self.offers / games)
            logger.record("deals/made_a_game", len(self.cash) / games)
        self._forget()


def menu_cash(seen: npt.NDArray[Any], offer: int) -> float:
    """Dollars that an offer of the menu brings; negative: costs."""
    value = float(seen[MENU + MENU_FACTS * offer + MENU_CASH])
    return MENU_SCALE * value / (1.0 - abs(value))


def deal_cash(seen: npt.NDArray[Any]) -> float:
    """Dollars that the offer at hand brings."""
    gives, gets = float(seen[GIVE_CASH]), float(seen[GET_CASH])
    return DEAL_SCALE * (gets / (1.0 - gets) - gives / (1.0 - gives))
