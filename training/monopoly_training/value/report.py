"""Output of ``monopoly-env value``: a value's description, and scores as tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from monopoly_env.value.features import FEATURES, TABLE_FEATURES
from monopoly_env.value.network import HIDDEN, LAYERS
from monopoly_env.value.weights import Value
from monopoly_training.value.scoring import FORMULA, VALUE, table_lines

MADE = {"made": "the printed editions", "made_for_boards": "other boards"}  # keys of a card


def show_lines(value: Value) -> list[str]:
    """Return lines that say what a value is, how it was made and how well it predicts."""
    lines = [
        f"value {value.digest}, features version {value.card['features_version']}",
        f"{FEATURES} features a seat, {TABLE_FEATURES} of the table, {LAYERS + 1} layers of {HIDDEN}",
    ]
    for key, boards in MADE.items():
        made = value.card.get(key, {})
        lines += [
            f"for {boards}: {made.get('command', 'not known')}",
            f"from {made.get('positions', 0):,} positions of {made.get('games', 0):,} games",
        ]
    return [*lines, *score_lines(value.card.get("scores", {}))]


def report_lines(value: Value, report: Mapping[str, Any]) -> list[str]:
    """Return the scores of a test as lines."""
    return [f"value {value.digest}", *score_lines(report)]


def score_lines(report: Mapping[str, Any]) -> list[str]:
    """Return scores as Markdown tables."""
    lines: list[str] = []
    for name, table in report.items():
        lines += ["", f"{name}:", ""]
        if name.startswith("by "):
            lines += loss_lines(name[3:], table)
        else:
            positions = int(table[VALUE]["all"]["positions"])
            lines[-2] = f"{name} ({positions:,} positions):"
            lines += table_lines(table)
    return lines


def loss_lines(key: str, table: Mapping[str, Mapping[str, float]]) -> list[str]:
    """Return log-losses by edition, mode, deals or players as a Markdown table."""
    names = (VALUE, FORMULA, "strategist, sharp")
    lines = [f"| {key} | positions | {' | '.join(names)} |", "| --- " * 5 + "|"]
    for one, row in table.items():
        losses = " | ".join(f"{row[name]:.3f}" for name in names)
        lines.append(f"| {one} | {int(row['positions']):,} | {losses} |")
    return lines
