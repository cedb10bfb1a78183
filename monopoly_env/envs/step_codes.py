"""What goes into a step of many games, and what comes out of it, as plain numbers."""

from __future__ import annotations

PLAY, RESET, SKIP = 0, 1, 2  # a game takes its action; begins anew; is left alone
RAISE, RANDOM, FORFEIT = 0, 1, 2  # an illegal action: refused; another one is drawn; game over
RUNNING, TERMINATED, TRUNCATED, STUCK = 0, 1, 2, 3  # how a step left a game
EXTERNAL = -1  # instead of a policy's number: whoever steps the games decides for this seat
