"""Let bots play a tournament: a table, plots, results as JSON and CSV."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from monopoly_training.table_options import Edition, Mode, Rules


def command(
    config: Annotated[
        str | None, typer.Argument(help="A YAML file, or the name of a config that comes along.")
    ] = None,
    agents: Annotated[
        str | None, typer.Option(help="The bots, with commas between them, one a seat.")
    ] = None,
    games: Annotated[int | None, typer.Option(help="How many games.")] = None,
    seed: Annotated[int | None, typer.Option(help="The first seed; the others follow it.")] = None,
    edition: Edition = "",
    mode: Mode = "",
    rule: Rules = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the results; runs/ and the config's name.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    trust: Annotated[
        bool, typer.Option("--trust", help="Load zip files of SB3, which can run any code.")
    ] = False,
) -> None:
    """Let bots play each other from every seat, and show who wins how often.

    Each seed is played in every rotation of the seats. The folder receives results.json,
    table.csv and win_rates.png. Settings: configs/tournaments/default.yaml.
    """
    from rich.console import Console

    from monopoly_training import tournament
    from monopoly_training.lineup import split_names
    from monopoly_training.screen import Games, Live
    from monopoly_training.settings import place_of
    from monopoly_training.standings import score_table
    from monopoly_training.table_options import rules_of
    from monopoly_training.warm_up import announce

    if config is None and agents is None:
        place_of("tournament").fail("name a config, or the bots: --agents fixed_a,fixed_b,random")
    given: dict[str, object] = {
        "agents": split_names(agents, "--agents") if agents is not None else None,
        "games": games,
        "seed": seed,
        "edition": edition or None,
        "mode": mode or None,
        "rules": rules_of(rule) or None,
    }
    settings = tournament.load_tournament_config(
        config, {key: value for key, value in given.items() if value is not None}
    )
    folder = out or Path("runs") / (Path(config).stem if config else "tournament")
    with Live() as screen:
        announce(screen)
        count = len(tournament.schedule(settings))
        found = tournament.play_tournament(settings, trust, Games(screen, count))
    paths = tournament.write_report(found, folder)
    if as_json:
        typer.echo(json.dumps(found.as_json()))
        return
    title = f"{count:,} games, seeds {settings.seed} to {settings.seed + found.seeds - 1}"
    rows = [([row.agent], row.score) for row in found.standings]
    Console().print(score_table(title, ["agent"], rows))
    typer.echo(f"{found.mean_turns:.0f} turns a game; written: {', '.join(map(str, paths))}")
