"""Parse comma-separated lists of bots, as configs and command-line options give them."""

from __future__ import annotations

from collections.abc import Sequence

from monopoly_env.errors import AgentError, show


def bots_of(entry: str) -> tuple[str, ...]:
    """Return the bot names in a comma-separated entry."""
    return tuple(name.strip() for name in entry.split(","))


def bots_at(entry: str, seats: int) -> tuple[str, ...]:
    """Return one bot per seat: those that an entry names, or a single bot for all seats."""
    bots = bots_of(entry)
    return bots * seats if len(bots) == 1 else bots


def split_names(text: str, option: str) -> list[str]:
    """Split an option's value ``a,b,c`` into names. Raises: AgentError for an empty name."""
    names = bots_of(text)
    if not all(names):
        AgentError.at(option).fail(
            f"must be bots with commas between them, such as random,fixed_a, not {show(text)}"
        )
    return list(names)


def distinct_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return a unique label for each bot of a line-up: ``#2`` marks a repeated name.

    >>> distinct_names(["random", "fixed_a", "random"])
    ('random', 'fixed_a', 'random#2')
    """
    taken: list[str] = []
    for name in names:
        number, called = 1, name
        while called in taken or (called != name and called in names):
            number += 1
            called = f"{name}#{number}"
        taken.append(called)
    return tuple(taken)
