"""What goes into a step of many games, and what comes out of it, as plain numbers."""

from __future__ import annotations

RESET, SKIP = -1, -2  # instead of an action: begin a new game; leave the game alone
RUNNING, TERMINATED, TRUNCATED, STUCK = 0, 1, 2, 3  # how a step left a game
EXTERNAL = -1  # instead of a policy's number: whoever steps the games decides for this seat
