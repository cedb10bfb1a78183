"""Information set Monte Carlo tree search on the public API, as a bot.

Use it as ``python:examples/ismcts_bot.py:ISMCTS``. Each iteration redraws dice and unseen cards and
descends one tree that all iterations share; a node stands for a sequence of actions, regardless of
chance. From a new leaf, ``veteran`` plays on for a few turns, and the value model estimates the win
probabilities.

Source: Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 2012
(SO-ISMCTS); the prior in its bound is PUCT's, Rosin 2011.
"""

from __future__ import annotations

from math import sqrt
from random import Random

import numpy as np

from monopoly_env import Game, rollouts
from monopoly_env.bots import KIND_OF, View
from monopoly_env.learners import kind_bias

PRIOR = np.exp(kind_bias()).tolist()  # actions of the same kind share one unit of prior


class Node:
    """Statistics of an action: visits, summed wins, and iterations in which it was legal."""

    def __init__(self) -> None:
        self.visits, self.total, self.available = 0, 0.0, 0
        self.children: dict[tuple[int, int], Node] = {}  # by seat and action


class ISMCTS:
    """A bot that searches every decision with more than one legal action."""

    def __init__(self, iterations: int = 200, exploration: float = 0.5, horizon: int = 8) -> None:
        self.iterations, self.exploration, self.horizon = iterations, exploration, horizon

    def reset(self, seed: int) -> None:
        """Start a new game."""
        self.random = Random(seed)

    def decide(self, view: View) -> int:
        """Return the most visited action."""
        root, scratch, legal = Node(), view.game.copy(), np.flatnonzero(view.mask).tolist()
        for _ in range(self.iterations if len(legal) > 1 else 0):
            scratch.copy_from(view.game)
            scratch.redraw(self.random.getrandbits(63))
            self.search(root, scratch)
        visits = {action: node.visits for (_, action), node in root.children.items()}
        return max(legal, key=lambda action: visits.get(action, 0))

    def search(self, node: Node, game: Game) -> None:
        """Run one iteration: descend to a new leaf, and back up its value."""
        path: list[tuple[int, Node]] = []
        while not game.over and (not path or path[-1][1].visits):
            seat, legal = game.actor_seat, game.legal_ids()
            action = self.select(node, seat, legal) if len(legal) > 1 else legal[0]
            game.play(action)
            if len(legal) > 1:
                node = node.children[seat, action]
                path.append((seat, node))
        seed = self.random.getrandbits(63)
        won = rollouts(game, "veteran", samples=1, horizon=self.horizon, seed=seed).win_shares[0, 0]
        for seat, one in path:
            one.visits += 1
            one.total += float(won[seat])

    def select(self, node: Node, seat: int, legal: list[int]) -> int:
        """Return the action with the highest bound; untried actions get the mean of the node."""
        kinds = len({KIND_OF[action] for action in legal})
        mean, best, chosen = self.mean(node), -1.0, legal[0]
        for action in legal:
            child = node.children.setdefault((seat, action), Node())
            child.available += 1
            value = child.total / child.visits if child.visits else mean
            prior = PRIOR[action] / kinds
            bound = value + self.exploration * prior * sqrt(child.available) / (1 + child.visits)
            if bound > best:
                best, chosen = bound, action
        return chosen

    def mean(self, node: Node) -> float:
        """Return the mean value of a node's children."""
        visits = sum(child.visits for child in node.children.values())
        return sum(child.total for child in node.children.values()) / visits if visits else 0.5
