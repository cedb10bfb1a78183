"""The options of ``monopoly-env tournament`` as settings, and its test's verdict as a line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from monopoly_env.errors import show
from monopoly_training.cli_options.game import rules_of
from monopoly_training.common.bot_lists import split_names
from monopoly_training.common.schema import location_of
from monopoly_training.stats.sprt import Trial
from monopoly_training.tournament.config import TournamentConfig, load_tournament_config
from monopoly_training.tournament.ledger import FILE


def given(
    *,
    agents: str | None,
    form: str | None,
    seats: int | None,
    games: int | None,
    seed: int | None,
    edition: str,
    mode: str,
    rule: Iterable[str] | None,
    rounds: int | None = None,
    sprt: str | None = None,
    records: str | None = None,
) -> dict[str, object]:
    """The settings that were named on the command line."""
    found = {
        "agents": split_names(agents, "--agents") if agents is not None else None,
        "format": form,
        "seats": seats,
        "games": games,
        "rounds": rounds,
        "seed": seed,
        "sprt": hypotheses(sprt) if sprt is not None else None,
        "edition": edition or None,
        "mode": mode or None,
        "rules": rules_of(rule) or None,
    }
    named: dict[str, object] = {key: value for key, value in found.items() if value is not None}
    if records is not None:
        named["records"] = kept_games(records)
    return named


def settings(command: str, config: str | None, named: Mapping[str, object]) -> TournamentConfig:
    """The settings of a command that takes a config, or bots, or both."""
    if config is None and "agents" not in named:
        location_of(command).fail("name a config, or the bots: --agents fixed_a,fixed_b,random")
    return load_tournament_config(config, named)


def kept_games(text: str) -> int | None:
    """How many games are kept in full; None: all."""
    if text == "all":
        return None
    if text == "none":
        return 0
    if not text.isdecimal():
        location_of("--records").fail(f"must be a number, all or none, not {show(text)}")
    return int(text)


def hypotheses(text: str) -> dict[str, object]:
    """``p1`` or ``p0,p1`` as settings of the sequential test."""
    try:
        rates = [float(part) for part in text.split(",")]
    except ValueError:
        rates = []
    if not 1 <= len(rates) <= 2:
        location_of("--sprt").fail(f"must be p1 or p0,p1, such as 0.25,0.30, not {show(text)}")
    names = ("p1",) if len(rates) == 1 else ("p0", "p1")
    return {"enabled": True, **dict(zip(names, rates, strict=True))}


def verdict(trial: Trial) -> str:
    """How the sequential test ended, in a line."""
    test = trial.test
    what = f"p0 = {test.p0:.3f} or p1 = {test.p1:.3f}, after {trial.games:,} games"
    if trial.decided is None:
        return f"sequential test: {what}: undecided"
    return f"sequential test: {what}: {trial.decided} is decided"


def free_folder(folder: Path, resume: bool) -> Path:
    """The folder for a tournament that names none: the first one without a tournament in it.

    They are called ``tournament``, ``tournament-2`` and so on; ``resume`` means the last there is.
    """
    number, found = 1, folder
    while (found / FILE).exists():
        last = found
        number += 1
        found = folder.with_name(f"{folder.name}-{number}")
        if resume and not (found / FILE).exists():
            return last
    return found
