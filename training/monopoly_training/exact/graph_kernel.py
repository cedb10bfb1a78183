"""The compiled search over all positions of a small game, which uses the engine's own steps."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from monopoly_env.compiler.bits import lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Records
from monopoly_env.engine.actions import BASE, N_KINDS
from monopoly_env.engine.dice import mix
from monopoly_env.engine.dispatch import legal_bits
from monopoly_env.engine.ending import stands_before
from monopoly_env.engine.flow import proceed, step
from monopoly_env.engine.journal import Log
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy_loop import only_action
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState, Int8s, Int32s, Int64s
from monopoly_env.engine.turn import begin_turn
from monopoly_training.exact.packing import ROLL, THROW, blank, pack, simplify, unpack

A_WINS, B_WINS, TIE = 0, 1, 2  # the first three nodes: how games end
N_ENDS = 3
CHANCE, END = 2, 3  # in the place of the seat that moves
ROOM = 64  # edges of one node at most, and so new nodes
DONE, FULL, LOST = 0, 1, 2  # how a call ends: all is known, more memory, a fault in packing
BLANK = 2
# First pips, second pips, how many of the 36 throws are like it
DOUBLES = [(pips, pips, 1) for pips in range(1, 7)]
TOTALS = [
    (max(total - 6, 1), total - max(total - 6, 1), 2 * ((min(total - 1, 13 - total)) // 2))
    for total in range(3, 12)
]
THROWS = np.array(DOUBLES + TOTALS, np.int64)
assert THROWS[:, 2].sum() == 36


class Desk(NamedTuple):
    """The working memory of the search."""

    games: Records  # GAME[3]: the one that is played, the one its numbers give, a blank one
    raw: Int64s  # int64[3, GAME.itemsize / 8], the same memory
    rules: Records  # RULES[1]
    journals: Records  # JOURNAL[1], off
    deeds: Int64s  # on the route
    bits: Int64s  # [N_KINDS]
    words: Int64s  # [3]
    counts: Int64s  # [3]: nodes, edges, nodes whose edges are known


class Nodes(NamedTuple):
    """The graph found so far; see :class:`~monopoly_training.exact.graph.Graph`."""

    words: Int64s  # [nodes, 3]
    mover: Int8s  # [nodes]
    first: Int64s  # [nodes + 1]
    target: Int32s  # [edges]
    label: Int32s  # [edges]
    table: Int32s  # [a power of two]: node + 1 by hash, 0: free


@jit
def slot_of(nodes: Nodes, words: Int64s) -> int:
    """Return the index of a position in the hash table, or where it would be inserted."""
    last = len(nodes.table) - 1
    key = np.uint64(words[0])
    key = mix(key) ^ np.uint64(words[1])
    key = mix(key) ^ np.uint64(words[2])
    slot = int(np.int64(mix(key) >> np.uint64(1))) & last
    while True:
        node = int(nodes.table[slot]) - 1
        if node < 0:
            return slot
        if (
            nodes.words[node, 0] == words[0]
            and nodes.words[node, 1] == words[1]
            and nodes.words[node, 2] == words[2]
        ):
            return slot
        slot = (slot + 1) & last


@jit
def settle(game: GameState, rules: RuleSet, log: Log, bits: Int64s) -> int:
    """Play forced moves; return who chooses next, CHANCE if only the dice can be thrown, or END.

    Leaves the legal actions in ``bits``.
    """
    while game.phase != Phase.OVER:
        legal_bits(game, rules, bits)
        action = only_action(bits)
        if action < 0:
            return int(game.actor)
        if action == ROLL:
            return CHANCE
        step(game, rules, log, action)
    return END


@jit
def wait_for_dice(game: GameState, rules: RuleSet) -> None:
    """Change the position to the one in which the dice are thrown; a throw gives new offers."""
    game.phase = THROW
    game.offers_left[game.turn] = rules.trade_limit


@jit
def set_out(desk: Desk, index: int, words: Int64s) -> None:
    """Unpack ``words`` into ``desk.games[index]``."""
    desk.games[index] = desk.games[BLANK]
    unpack(desk.games[index], desk.deeds, words)


@jit
def node_of(desk: Desk, nodes: Nodes, mover: int) -> int:
    """Return the node of ``desk.games[0]``, added if it is new; -1 if packing would lose something."""
    game, rules = desk.games[0], desk.rules[0]
    if mover == END:
        if stands_before(game, rules, 0, 1):
            return A_WINS
        return B_WINS if stands_before(game, rules, 1, 0) else TIE
    if mover == CHANCE:
        wait_for_dice(game, rules)
    simplify(game)
    pack(game, desk.deeds, desk.words)
    slot = slot_of(nodes, desk.words)
    if nodes.table[slot] != 0:
        return int(nodes.table[slot]) - 1
    set_out(desk, 1, desk.words)
    for index in range(desk.raw.shape[1]):
        if desk.raw[0, index] != desk.raw[1, index]:
            return -1
    node = int(desk.counts[0])
    desk.counts[0] += 1
    nodes.table[slot] = node + 1
    nodes.mover[node] = mover
    for index in range(3):
        nodes.words[node, index] = desk.words[index]
    return node


@jit
def add_edge(desk: Desk, nodes: Nodes, label: int) -> bool:
    """Add an edge to the position that ``desk.games[0]`` leads to; False if packing would lose something."""
    mover = settle(desk.games[0], desk.rules[0], desk.journals[0], desk.bits)
    node = node_of(desk, nodes, mover)
    if node < 0:
        return False
    edge = int(desk.counts[1])
    nodes.target[edge] = node
    nodes.label[edge] = label
    desk.counts[1] += 1
    return True


@jit
def throw(game: GameState, rules: RuleSet, log: Log, one: int, other: int) -> None:
    """Play a throw in a position that waits for it."""
    game.phase = Phase.TURN
    game.forced[0, 0] = one
    game.forced[0, 1] = other
    game.forced_count = 1
    game.forced_next = 0
    step(game, rules, log, ROLL)


@jit
def add_throws(desk: Desk, nodes: Nodes, words: Int64s) -> bool:
    """Add an edge for each result of a throw; its label is the number of the 36 throws that give it.

    Of throws that are no doubles, only the total matters.
    """
    for one, other, count in THROWS:
        set_out(desk, 0, words)
        throw(desk.games[0], desk.rules[0], desk.journals[0], one, other)
        first = int(desk.counts[1])
        if not add_edge(desk, nodes, count):
            return False
        merge_last(desk, nodes, first)
    return True


@jit
def merge_last(desk: Desk, nodes: Nodes, last: int) -> None:
    """Merge the last edge with one of the same node that leads to the same position."""
    first = int(nodes.first[desk.counts[2]])
    for edge in range(first, last):
        if nodes.target[edge] == nodes.target[last]:
            nodes.label[edge] += nodes.label[last]
            desk.counts[1] = last
            return


@jit
def add_choices(desk: Desk, nodes: Nodes, words: Int64s, legal: Int64s) -> bool:
    """Add an edge for each legal action, labeled with its id. Throws have nodes of their own."""
    game, rules, log = desk.games[0], desk.rules[0], desk.journals[0]
    set_out(desk, 0, words)
    legal_bits(game, rules, legal)
    for kind in range(N_KINDS):
        remaining = legal[kind]
        while remaining != 0:
            action = int(BASE[kind]) + lowest(remaining)
            remaining &= remaining - 1
            set_out(desk, 0, words)
            if action == ROLL:
                node = node_of(desk, nodes, CHANCE)
                if node < 0:
                    return False
                edge = int(desk.counts[1])
                nodes.target[edge] = node
                nodes.label[edge] = action
                desk.counts[1] += 1
            else:
                step(game, rules, log, action)
                if not add_edge(desk, nodes, action):
                    return False
    return True


@jit
def begin(desk: Desk, nodes: Nodes) -> int:
    """Add the root, in which A has won the opening throw; return its node, or -1."""
    game, rules, log = desk.games[0], desk.rules[0], desk.journals[0]
    blank(desk.games[BLANK], rules)
    desk.games[0] = desk.games[BLANK]
    begin_turn(game, rules, log, 0)
    proceed(game, rules, log)
    desk.counts[0] = N_ENDS
    desk.counts[2] = N_ENDS
    for node in range(N_ENDS):
        nodes.mover[node] = END
    return node_of(desk, nodes, settle(game, rules, log, desk.bits))


@jit
def explore(desk: Desk, nodes: Nodes) -> int:
    """Find the edges of known nodes, one after another; return DONE, FULL or LOST."""
    words, legal = np.zeros(3, np.int64), np.zeros(N_KINDS, np.int64)
    while desk.counts[2] < desk.counts[0]:
        if desk.counts[0] + ROOM > len(nodes.mover) or desk.counts[1] + ROOM > len(nodes.target):
            return FULL
        node = int(desk.counts[2])
        nodes.first[node] = desk.counts[1]
        words[:] = nodes.words[node]
        if nodes.mover[node] == CHANCE:
            known = add_throws(desk, nodes, words)
        else:
            known = add_choices(desk, nodes, words, legal)
        if not known:
            return LOST
        desk.counts[2] += 1
        nodes.first[node + 1] = desk.counts[1]
    return DONE


@jit
def enter_all(nodes: Nodes, count: int) -> None:
    """Insert all nodes into a larger hash table."""
    words = np.zeros(3, np.int64)
    for node in range(N_ENDS, count):
        words[:] = nodes.words[node]
        nodes.table[slot_of(nodes, words)] = node + 1


@jit
def write_positions(desk: Desk, words: Int64s, games: Records) -> None:
    """Unpack ``words``, int64[n, 3], into ``games``."""
    for row in range(len(games)):
        games[row] = desk.games[BLANK]
        unpack(games[row], desk.deeds, words[row])
        if games[row].phase == THROW:
            games[row].phase = Phase.TURN


@jit
def write_order(first: Int64s, target: Int32s, root: int, order: Int32s) -> None:
    """Return all nodes depth first, each after the nodes that it leads to."""
    n = len(order)
    next_edge = first[:-1].copy()
    seen = np.zeros(n, np.int8)
    stack = np.zeros(n, np.int32)
    written = 0
    for node in range(N_ENDS):
        seen[node] = 1
        order[written] = node
        written += 1
    depth = 0
    if seen[root] == 0:
        stack[0] = root
        seen[root] = 1
        depth = 1
    while depth > 0:
        node = stack[depth - 1]
        if next_edge[node] == first[node + 1]:
            order[written] = node
            written += 1
            depth -= 1
        else:
            following = target[next_edge[node]]
            next_edge[node] += 1
            if seen[following] == 0:
                seen[following] = 1
                stack[depth] = following
                depth += 1


@jit
def find_node(desk: Desk, nodes: Nodes, throws: bool) -> int:
    """Return the node of the position in ``desk.games[0]``, or -1.

    ``throws``: the node is meant at which the dice are thrown.
    """
    game = desk.games[0]
    if throws:
        wait_for_dice(game, desk.rules[0])
    simplify(game)
    pack(game, desk.deeds, desk.words)
    return int(nodes.table[slot_of(nodes, desk.words)]) - 1
