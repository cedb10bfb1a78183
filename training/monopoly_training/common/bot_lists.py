"""Lists of bots in one text, with commas between the names: in configs and behind options."""

from __future__ import annotations

from collections.abc import Sequence

from monopoly_env.errors import AgentError, show


def bots_of(entry: str) -> tuple[str, ...]:
    """The bots that an entry names, with commas between them."""
    return tuple(name.strip() for name in entry.split(","))


def bots_at(entry: str, seats: int) -> tuple[str, ...]:
    """Who plays in so many seats: the bots that an entry names, or one bot in all of them."""
    bots = bots_of(entry)
    return bots * seats if len(bots) == 1 else bots


def split_names(text: str, option: str) -> list[str]:
    """The bots behind an option, ``a,b,c``. Raises: AgentError, one line, for an empty name."""
    names = bots_of(text)
    if not all(names):
        AgentError.at(option).fail(
            f"must be bots with commas between them, such as random,fixed_a, not {show(text)}"
        )
    return list(names)


def distinct_names(names: Sequence[str]) -> tuple[str, ...]:
    """What to call each place of a line-up, in results and files: a name twice is told apart.

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
