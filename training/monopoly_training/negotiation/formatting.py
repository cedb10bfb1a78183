"""Format negotiations for people: a transcript, and a summary of the statistics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from monopoly_env.editions import load_edition
from monopoly_env.notation import LETTERS
from monopoly_env.text.talk_reading import entry_text
from monopoly_training.negotiation.retracing import Retraced

NOBODY = -1  # a reader without a seat


def tell(retraced: Retraced) -> Iterator[str]:
    """Yield what was said, offered and promised, one entry per line, with its action number."""
    record = retraced.record
    names = load_edition(record["edition"], record["mode"], record.get("rules") or {}).names
    seats = ", ".join(
        f"{LETTERS[seat]} {retraced.player(seat)}" for seat in range(record["players"])
    )
    yield f"{seats}; seed {record.get('seed', 'of a position')}"
    for entry in retraced.entries:
        yield f"{entry['at']:5} {entry_text(entry, NOBODY, names)}"


def table(result: Mapping[str, Any]) -> str:
    """Format the statistics as text."""
    how = f"{result['samples']} paired rollouts each" if result["samples"] else "the learned value"
    third, efficiency = result["third_parties"], result["efficiency"]
    lines = [
        (
            f"{result['games']} games, {result['exchanges']} exchanges, {result['deals']} deals "
            f"({_percent(result['deal_rate'])}); {result['offers']} offers, "
            f"{_percent(result['accepted'])} accepted; deals valued by {how}"
        ),
        (
            f"efficiency {_mean(efficiency)}, with exchanges that failed "
            f"{_mean(result['efficiency_with_failures'])}; others gain {_points(third)} a deal"
        ),
    ]
    lines += [
        f"  step {row['step']}: {row['n']:4} offers, {100 * row['own']:+6.2f} points for who makes it, "
        f"{100 * row['other']:+6.2f} for the other, conceded {100 * row['conceded']:+6.2f}"
        for row in result["concessions"]
    ]
    lines += [line for name, row in result["players"].items() for line in _player(name, row)]
    beliefs = result["beliefs"]["all"]
    if beliefs["n"]:
        lines.append(
            f"beliefs: {beliefs['n']} stated, Brier {beliefs['brier']:.3f} (base rate "
            f"{beliefs['brier_of_base_rate']:.3f}), log loss {beliefs['log_loss']:.3f} "
            f"({beliefs['log_loss_of_base_rate']:.3f})"
        )
    return "\n".join(lines)


def _player(name: str, row: Mapping[str, Any]) -> Iterator[str]:
    yield (
        f"{name}: {row['offers']} offers, {_percent(row['accepted'])} accepted; {row['deals']} deals, "
        f"{_points(row['gain_a_deal'])} each, share of the surplus {_mean(row['surplus_share'])}; "
        f"deals of others {_points(row['deals_of_others'])}"
    )
    promises = row["promises"]
    yield (
        f"  {row['messages']} messages, {row['words']} words; promises kept {promises['kept']}, broken "
        f"{promises['broken']}, void {promises['void']}, open {promises['open']}: kept "
        f"{_percent(promises['kept_rate'])}"
    )


def _percent(rate: float | None) -> str:
    return "–" if rate is None else f"{100 * rate:.0f}%"


def _mean(row: Mapping[str, Any]) -> str:
    if row["mean"] is None:
        return "–"
    error = "" if row["standard_error"] is None else f" ± {row['standard_error']:.2f}"
    return f"{row['mean']:.2f}{error}"


def _points(row: Mapping[str, Any]) -> str:
    """Format a gain in points of win probability, with its standard error."""
    if row["mean"] is None:
        return "–"
    error = "" if row["standard_error"] is None else f" ± {100 * row['standard_error']:.2f}"
    return f"{100 * row['mean']:+.2f}{error} points"
