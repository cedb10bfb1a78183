"""Integer codes for the inputs and outputs of a step."""

from __future__ import annotations

PLAY, RESET, SKIP = 0, 1, 2  # play the action; begin a new game; leave the game alone
RAISE, RANDOM, FORFEIT = 0, 1, 2  # illegal action: error; draw another; lose
RUNNING, TERMINATED, TRUNCATED, STUCK = 0, 1, 2, 3  # how a step left a game
EXTERNAL = -1  # in place of a policy's number: the caller plays this seat
