"""Options for the edition, mode and rules, shared by several commands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

from monopoly_env.errors import InputError, show
from monopoly_env.extras import require
from monopoly_env.yaml_text import parse_yaml

Edition = Annotated[str, typer.Option(help="Edition: an id, such as classic or mini, or a file.")]
Mode = Annotated[str, typer.Option(help="Mode of the edition.")]
Rules = Annotated[
    list[str] | None,
    typer.Option("--rule", help="Override a rule: name=value, such as deals=menu. Repeatable."),
]
Agents = Annotated[str | None, typer.Option(help="The bots, comma-separated.")]
Seats = Annotated[int | None, typer.Option(help="Players in each game.")]
Games = Annotated[int | None, typer.Option(help="Number of games.")]
FirstSeed = Annotated[int | None, typer.Option(help="First seed; seeds are consecutive.")]
Jobs = Annotated[int, typer.Option(min=1, max=1024, help="Number of processes.")]
Backend = Annotated[
    str,
    typer.Option(help="processes, or ray for a Ray cluster (extra ray)."),
]
Address = Annotated[
    str | None,
    typer.Option(help="With --backend ray: address of the cluster; this machine by default."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
BehaviorToo = Annotated[
    bool,
    typer.Option(
        "--behavior", help="Measure how bots deal, bid and keep cash; about 2 ms per game."
    ),
]
LuckAdjusted = Annotated[
    str | None,
    typer.Option(
        help="Also report luck-adjusted results, by: formula (fast), value (learned) or both."
    ),
]
Trust = Annotated[
    bool,
    typer.Option("--trust", help="Load pickles of SB3 or RLlib, which can run arbitrary code."),
]


def check_backend(backend: str, address: str | None, jobs: int) -> None:
    """Refuse an unknown or unavailable backend. Raises: InputError, MissingExtra."""
    if backend not in ("processes", "ray"):
        InputError.at("--backend").fail(f"must be processes or ray, not {show(backend)}")
    if backend == "ray":
        require("--backend ray", "ray", extra="ray")
        if jobs != 1:
            InputError.at("--jobs").fail("works only with --backend processes")
    elif address is not None:
        InputError.at("--address").fail("needs --backend ray; add it, or leave this out")


def rules_of(texts: Iterable[str] | None) -> dict[str, object]:
    """Parse rule overrides from ``name=value`` texts; values are YAML."""
    rules: dict[str, object] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals or not name:
            InputError.at("--rule").fail(
                f"must be name=value, such as deals=menu, not {show(text)}"
            )
        parsed = parse_yaml(value, InputError.at("--rule") / name)
        rules[name] = "off" if parsed is False and value.strip() == "off" else parsed
    return rules
