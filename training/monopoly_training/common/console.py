"""Consoles that print text as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def new_console(
    *, stderr: bool = False, highlight: bool = True, soft_wrap: bool = False
) -> Console:
    """Create a console that prints text literally.

    Names of bots, editions and files may look like rich's markup or emoji codes: without this,
    ``random:train:17`` is printed with a tram in the middle, and ``[/x]`` raises an error.

    >>> new_console().print("random:train:17 [/x]")
    random:train:17 [/x]
    """
    from rich.console import Console

    return Console(
        stderr=stderr, markup=False, emoji=False, highlight=highlight, soft_wrap=soft_wrap
    )
