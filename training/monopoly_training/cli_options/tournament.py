"""The options of ``monopoly-env tournament`` as settings, and its test's verdict as a line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from monopoly_env.errors import InputError, show
from monopoly_training.cli_options.game import rules_of
from monopoly_training.common.bot_lists import split_names
from monopoly_training.stats.sprt import Trial
from monopoly_training.tournament.config import TournamentConfig, load_tournament_config
from monopoly_training.tournament.ledger import FILE


def tournament_config(
    command: str, config: str | None, options: Mapping[str, Any]
) -> TournamentConfig:
    """The config of a command, or that of the bots it names, with its options over it.

    ``options`` are settings by name, as they were typed; None: they were not.
    """
    typed = {name: value for name, value in options.items() if value is not None}
    if config is None and "agents" not in typed:
        InputError.at(command).fail("name a config, or the bots: --agents fixed_a,fixed_b,random")
    for name in typed.keys() & PARSERS.keys():
        typed[name] = PARSERS[name](typed[name])
    return load_tournament_config(config, typed)


def kept_games(text: str) -> int | None:
    """How many games are kept in full; None: all."""
    if text == "all":
        return None
    if text == "none":
        return 0
    if not text.isdecimal():
        InputError.at("--records").fail(f"must be a number, all or none, not {show(text)}")
    return int(text)


def hypotheses(text: str) -> dict[str, object]:
    """``p1`` or ``p0,p1`` as settings of the sequential test."""
    try:
        rates = [float(part) for part in text.split(",")]
    except ValueError:
        rates = []
    if not 1 <= len(rates) <= 2:
        InputError.at("--sprt").fail(f"must be p1 or p0,p1, such as 0.25,0.30, not {show(text)}")
    names = ("p1",) if len(rates) == 1 else ("p0", "p1")
    return {"enabled": True, **dict(zip(names, rates, strict=True))}


PARSERS: dict[str, Callable[[Any], object]] = {
    "agents": lambda text: split_names(text, "--agents"),
    "sprt": hypotheses,
    "rules": rules_of,
    "records": kept_games,
}


def verdict(trial: Trial) -> str:
    """How the sequential test ended, in a line."""
    test = trial.test
    decision = "undecided" if trial.decided is None else f"{trial.decided} is decided"
    return (
        f"sequential test: p0 = {test.p0:.3f} or p1 = {test.p1:.3f}, after {trial.games:,} games "
        f"of {trial.seeds:,} seeds: {decision}"
    )


def free_folder(folder: Path, resume: bool) -> Path:
    """The folder for a tournament that names none: the first one without a tournament in it.

    They are called ``tournament``, ``tournament-2`` and so on; ``resume`` means the last there is.
    """
    number, candidate = 1, folder
    while (candidate / FILE).exists():
        last = candidate
        number += 1
        candidate = folder.with_name(f"{folder.name}-{number}")
        if resume and not (candidate / FILE).exists():
            return last
    return candidate
