"""The reachable positions of a small two-player edition, and the edges between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from monopoly_env.compiler.records import Records, copy_records
from monopoly_env.editions import Edition, load_edition
from monopoly_env.engine.actions import N_KINDS
from monopoly_env.engine.board import DEEDS
from monopoly_env.engine.decks import CardKind
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.state import Int8s, Int32s, Int64s, new_games
from monopoly_env.errors import InputError
from monopoly_env.game import Game
from monopoly_training.exact.graph_kernel import (
    CHANCE,
    DONE,
    FULL,
    ROOM,
    Desk,
    Nodes,
    begin,
    enter_all,
    explore,
    find_node,
    write_order,
    write_positions,
)
from monopoly_training.exact.packing import MOST_CASH, MOST_DEEDS, MOST_TURNS, ROLL, WORDS

FEW_NODES, FEW_EDGES = 1 << 12, 1 << 14  # to begin with
MOST_NODES = 40_000_000  # 5 GB; more is refused
Progress = Callable[[float, int], None]


@dataclass(frozen=True, eq=False)
class Graph:
    """A game's positions as nodes, with actions and throws as edges.

    Nodes 0, 1 and 2 are the ends: A wins, B wins, a tie. A node is a choice between two or more
    actions, or a throw of the dice; forced moves are played at once. Player A begins.

    Attributes:
        edition: what is played.
        root: the node at which a game begins.
        words: the positions, int64[nodes, 3]; see :meth:`positions`.
        mover: who moves, int8[nodes]: seat 0 or 1, 2 for the dice, 3 for the ends.
        first: the edges of node n are ``first[n]`` to ``first[n + 1] - 1``, int64[nodes + 1].
        target: where each edge leads, int32[edges].
        label: an edge's action id, or for how many of the 36 throws it stands, int32[edges].
        order: all nodes, those that come later in a game first, int32[nodes].
        nodes: the same arrays with room to spare, and the table by which positions are found.
        desk: what compiled code works with.
    """

    edition: Edition
    root: int
    words: Int64s
    mover: Int8s
    first: Int64s
    target: Int32s
    label: Int32s
    order: Int32s
    nodes: Nodes
    desk: Desk

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self.mover)

    @cached_property
    def choices(self) -> Int64s:
        """Return the nodes at which a player chooses, ascending."""
        return np.flatnonzero(self.mover < CHANCE)

    def positions(self, nodes: Int64s) -> Records:
        """Return the positions of some nodes, GAME[n], without hidden information."""
        games = new_games(len(nodes))
        write_positions(self.desk, self.words[nodes], games)
        return games

    def node(self, game: Game) -> int:
        """Return the node of a position with a choice, or with a throw as the only action.

        Raises: InputError if play from the root does not lead there.
        """
        self.desk.games[0] = game.state
        found = find_node(self.desk, self.nodes, game.legal_ids() == [ROLL])
        if found < 0:
            _fail(self.edition, "no game that A begins comes to this position")
        return int(found)


def build_graph(edition: Edition | str = "mini", on_progress: Progress | None = None) -> Graph:
    """Find all positions of an edition that two players can reach.

    Args:
        edition: small enough: see docs/mini.md. Rules can be overridden with ``load_edition``.
        on_progress: called now and then with the share of the nodes found so far whose edges are
            known, and their number.

    Raises:
        InputError: the edition has a rule that the graph does not know, or too many positions.

    >>> from monopoly_env import load_edition
    >>> graph = build_graph(load_edition("mini", rules={"time_limit_rounds": 1}))
    >>> len(graph), len(graph.choices)
    (112070, 99629)
    """
    loaded = load_edition(edition) if isinstance(edition, str) else edition
    _check(loaded)
    deeds = np.array([square for square in loaded.route if square in DEEDS], np.int64)
    desk, nodes = _new_desk(copy_records(loaded.rules), deeds), _new_nodes(FEW_NODES, FEW_EDGES)
    root = begin(desk, nodes)
    ended = explore(desk, nodes)
    while ended == FULL:
        if on_progress is not None:
            on_progress(int(desk.counts[2]) / int(desk.counts[0]), int(desk.counts[0]))
        if len(nodes.mover) > MOST_NODES:
            _fail(loaded, f"has more than {MOST_NODES:,} positions; take fewer deeds or turns")
        nodes = _grown(nodes, int(desk.counts[0]), int(desk.counts[1]))
        ended = explore(desk, nodes)
    if ended != DONE:
        _fail(loaded, "has a position that its numbers do not give back; see exact/packing.py")
    n, edges = int(desk.counts[0]), int(desk.counts[1])
    order = np.zeros(n, np.int32)
    first, target = nodes.first[: n + 1], nodes.target[:edges]
    write_order(first, target, root, order)
    return Graph(
        loaded, root, nodes.words[:n], nodes.mover[:n], first, target, nodes.label[:edges], order, nodes, desk
    )  # fmt: skip


def _fail(edition: Edition, problem: str) -> None:
    InputError.at(edition.id).fail(problem)


def _check(edition: Edition) -> None:
    """Return the rules that positions are packed for."""
    rules = edition.rules[0]
    deeds = sum(square in DEEDS for square in edition.route)
    size = rules["deck_size"]
    wrong = {
        "min_players 2": edition.min_players > 2,
        f"at most {MOST_DEEDS} deeds on the route": deeds > MOST_DEEDS,
        "mortgages: false": not rules["no_mortgages"],
        "auctions: false": bool(rules["auctions"]),
        "deals: menu or off": int(rules["deals"]) == 1,
        "debt_trade_limit: 0": bool(rules["debt_trade_limit"]),
        "trade_limit up to 3": int(rules["trade_limit"]) > 3,
        "between_windows: false": bool(rules["between_windows"]),
        "rent_asked: false": bool(rules["rent_asked"]),
        "power_doubles: false": bool(rules["power_doubles"]),
        "free_parking_jackpot: false": bool(rules["free_parking_jackpot"]),
        "buy_after_laps: 0": bool(rules["buy_after_laps"]),
        "deal_count: 0": bool(rules["deal_count"]),
        "jail_tries up to 3": int(rules["jail_tries"]) > 3,
        "one card in each deck": bool((size > 1).any()),
        "cards that are not kept": bool(
            (rules["card_kind"][rules["deck"][:, 0]] == CardKind.KEEP).any()
        ),
        "time_limit_rounds 1 to 31": not 1 <= int(rules["time_limit_rounds"]) <= MOST_TURNS // 2,
        "no choice of taxes": bool(rules["tax_percent"].any()),
        "start_cash up to 4,000": int(rules["start_cash"]) > MOST_CASH // 4,
    }
    needed = [name for name, is_wrong in wrong.items() if is_wrong]
    if needed:
        _fail(edition, f"cannot be solved exactly: that needs {', '.join(needed)}")


def _new_desk(rules: Any, deeds: Int64s) -> Desk:
    """Return the working memory of the search."""
    games = new_games(3)
    return Desk(
        games=games,
        raw=games.view(np.int64).reshape(3, -1),
        rules=rules,
        journals=new_journals(1, on=False),
        deeds=deeds,
        bits=np.zeros(N_KINDS, np.int64),
        words=np.zeros(WORDS, np.int64),
        counts=np.zeros(3, np.int64),
    )


def _new_nodes(nodes: int, edges: int) -> Nodes:
    """Allocate arrays for a number of nodes and edges; the hash table is at most half full."""
    return Nodes(
        words=np.zeros((nodes, WORDS), np.int64),
        mover=np.zeros(nodes, np.int8),
        first=np.zeros(nodes + 1, np.int64),
        target=np.zeros(edges, np.int32),
        label=np.zeros(edges, np.int32),
        table=np.zeros(1 << (2 * nodes - 1).bit_length(), np.int32),
    )


def _grown(old: Nodes, nodes: int, edges: int) -> Nodes:
    """Grow the arrays that are nearly full."""
    rooms = [len(old.mover), len(old.target)]
    if nodes + ROOM > rooms[0]:
        rooms[0] *= 2
    if edges + ROOM > rooms[1]:
        rooms[1] *= 2
    new = _new_nodes(*rooms)
    for name in ("words", "mover", "first", "target", "label"):
        kept = getattr(old, name)
        getattr(new, name)[: len(kept)] = kept
    enter_all(new, nodes)
    return new
