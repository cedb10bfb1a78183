"""Who decides what (Phase), and what still has to happen (Task)."""

from __future__ import annotations

from enum import IntEnum


class Phase(IntEnum):
    """The decision that a game waits for; one at a time, by one player, the actor."""

    TURN = 0  # whose turn it is: before each throw                              turn.py
    BUY = 1  # the lander, on an unowned property                                buying.py
    AUCTION = 2  # each bidder in seat order                                     auction.py
    RENT = 3  # the owner, where rent must be asked for                          rent.py
    TAX = 4  # the lander, where the rule book gives a choice                    tax.py
    POWER = 5  # who threw the double, under Power Doubles                       powers.py
    TELEPORT = 6  # the same player: where to                                    powers.py
    ATTACK = 7  # the same player: which street                                  powers.py
    DEBT = 8  # who owes more than the cash in hand                              debt.py
    DEED = 9  # who received a mortgaged deed                                    mortgage.py
    CLAIM = 10  # each other player who could build, when buildings are scarce   scarcity.py
    PLACE = 11  # who won a scarce building                                      scarcity.py
    DEAL = 12  # the proposer, while composing an offer                          trade.py
    ANSWER = 13  # the other side of the offer                                   trade.py
    END = 14  # the player whose turn it was, after the last move                turn.py
    BETWEEN = 15  # every other player but the next, between turns               turn.py
    OVER = 16  # nobody: the game has ended                                      ending.py


PHASES = len(Phase)


class Task(IntEnum):
    """What an item of the agenda stands for: the decisions above, and steps between them.

    The item at the bottom of the agenda is always one of TURN, THROWN, END, BETWEEN: the frame
    of the turn. What interrupts it lies on top.
    """

    TURN = 0  # the player is to throw
    THROWN = 1  # all that followed a throw is settled: throw again, a power, or the end
    END = 2  # the window after the last move
    BETWEEN = 3  # the windows of the others
    MOVE = 4  # leave Jail by `amount` spaces (after the fine is paid)
    LAND = 5  # resolve the space the player stands on
    BUY = 6
    TAX = 7
    RENT = 8  # the window in which rent claim number `step` can be asked for
    DEBT = 9  # `player` owes `amount` to `other`
    DEED = 10  # mortgaged deeds in `squares` wait for their receivers' choice
    AUCTION = 11  # the auction described in the game's auction fields
    AUCTIONS = 12  # deeds in `squares` are auctioned one by one
    CLAIM = 13  # who else wants the scarce building: seats in `squares` are still to be asked
    PLACE = 14  # `player` places the building won
    DEAL = 15  # step 0: `player` composes an offer; step 1: `other` answers
    POWER = 16  # throw again, or use the power
    TELEPORT = 17
    ATTACK = 18
    FINISH = 19  # the short game ends here, once the estate is settled


class AuctionLot(IntEnum):
    """What is under the hammer, or asked for."""

    DEED = 0
    HOUSE = 1
    HOTEL = 2


class RentBy(IntEnum):
    """How the player came to the space, as far as the rent depends on it."""

    DICE = 0  # the total of that throw is in the item's amount
    MOVED = 1  # by a card or a power: no throw has moved the player here
    RAILROAD_CARD = 2  # the nearest-railroad card: twice the rent
    UTILITY_CARD = 3  # the nearest-utility card: ten times a fresh throw
