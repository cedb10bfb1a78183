"""The kinds of decisions (Phase), and of pending tasks (Task)."""

from __future__ import annotations

from enum import IntEnum


class Phase(IntEnum):
    """The decision that a game waits for: one at a time, by one player, the actor."""

    TURN = 0  # the player to move, before each throw                            turn.py
    BUY = 1  # the player on an unowned property                                 buying.py
    AUCTION = 2  # each bidder in seat order                                     auction.py
    RENT = 3  # the owner, where rent must be asked for                          rent.py
    TAX = 4  # the player on a tax space with a choice                           tax.py
    POWER = 5  # the player who threw a double (Power Doubles)                   powers.py
    TELEPORT = 6  # the same player: the destination                             powers.py
    ATTACK = 7  # the same player: the street                                    powers.py
    DEBT = 8  # a debtor without enough cash                                     debt.py
    DEED = 9  # the receiver of a mortgaged deed                                 mortgage.py
    CLAIM = 10  # each other player who could build, when buildings are scarce   scarcity.py
    PLACE = 11  # the winner of a scarce building                                scarcity.py
    DEAL = 12  # the proposer, while composing an offer                          trade.py
    ANSWER = 13  # the other side of the offer                                   trade.py
    END = 14  # the player whose turn it was, after the last move                turn.py
    BETWEEN = 15  # every other player but the next, between turns               turn.py
    OVER = 16  # nobody: the game has ended                                      ending.py


PHASES = len(Phase)


class Task(IntEnum):
    """The kinds of agenda items: the decisions above, and the steps between them.

    The bottom item of the agenda is always TURN, THROWN, END or BETWEEN: the frame of the turn.
    Interruptions are above it.
    """

    TURN = 0  # the player must throw
    THROWN = 1  # the throw is resolved: throw again, use a power, or end
    END = 2  # the window after the last move
    BETWEEN = 3  # the windows of the other players
    MOVE = 4  # leave Jail by `amount` spaces (after the fine is paid)
    LAND = 5  # resolve the space the player stands on
    BUY = 6
    TAX = 7
    RENT = 8  # the window in which rent claim number `step` can be asked for
    DEBT = 9  # `player` owes `amount` to `other`
    DEED = 10  # the receivers of the mortgaged deeds `squares` must choose
    AUCTION = 11  # the auction described in the game's auction fields
    AUCTIONS = 12  # deeds in `squares` are auctioned one by one
    CLAIM = 13  # who else wants the building: `squares` are the seats left to ask
    PLACE = 14  # `player` places the building that was won
    DEAL = 15  # step 0: `player` composes an offer; step 1: `other` answers
    POWER = 16  # throw again, or use the power
    TELEPORT = 17
    ATTACK = 18
    FINISH = 19  # the short game ends here, once the estate is settled


class AuctionLot(IntEnum):
    """The kind of lot in an auction or claim."""

    DEED = 0
    HOUSE = 1
    HOTEL = 2


class RentBy(IntEnum):
    """How the player reached the space, as far as the rent depends on it."""

    DICE = 0  # the item's amount is the total of the throw
    MOVED = 1  # by a card or power, not by a throw
    RAILROAD_CARD = 2  # the nearest-railroad card: twice the rent
    UTILITY_CARD = 3  # the nearest-utility card: ten times a fresh throw
