"""Show each player's win probability in a position."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from monopoly_training.cli_options.game import AsJson

if TYPE_CHECKING:
    from monopoly_env.game import Game

YAML = (".yaml", ".yml")


def command(
    position: Annotated[Path, typer.Argument(help="A position as YAML, or a file of saved games.")],
    moment: Annotated[
        int | None,
        typer.Option(help="In a saved game: after this many actions; the end by default.", min=0),
    ] = None,
    game: Annotated[int, typer.Option(help="Number of the game in the file, from 1.", min=1)] = 1,
    rollouts: Annotated[int, typer.Option(help="Also play this many rollouts.", min=0)] = 0,
    policy: Annotated[
        str,
        typer.Option(help="Bot for the rollouts, or one per seat, comma-separated."),
    ] = "veteran",
    seed: Annotated[int, typer.Option(help="Seed of the rollouts.", min=0)] = 0,
    value: Annotated[
        Path | None, typer.Option(help="Your own value model instead of the included one.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show each player's win probability, by the learned value and optionally by rollouts.

    Rollouts redraw hidden information: future dice and the order of undrawn cards. The standings
    decide truncated games. Intervals are Wilson's at 95%.
    """
    from monopoly_env.value.chances import win_chances
    from monopoly_env.value.weights import load_value, shipped_value
    from monopoly_training.cli_options.dependent_options import check_goes_with, check_only, given
    from monopoly_training.common.bot_lists import split_names
    from monopoly_training.common.progress import Live
    from monopoly_training.evaluation.rollouts import play_out

    check_goes_with({"policy": ["rollouts"], "seed": ["rollouts"]})
    if position.suffix in YAML:
        check_only("a position", [*given().keys() - {"game", "moment"}])
    shown, bots = _position(position, moment, game)
    judge = shipped_value() if value is None else load_value(value)
    chances, played = win_chances(shown, judge), None
    if rollouts:
        with Live() as progress:
            played = play_out(shown, rollouts, split_names(policy, "--policy"), seed, progress)
    rows: list[dict[str, Any]] = [
        {
            "seat": row.player,
            "bot": bots[seat] if bots else None,
            "chance": float(chances[seat]),
            "cash": shown.cash[seat],
            "net_worth": row.worth,
        }
        for seat, row in enumerate(sorted(shown.standings(), key=lambda row: row.player))
    ]
    if played is not None:
        for row, chance, ends in zip(rows, played.chances, played.intervals, strict=True):
            row |= {"rollouts": chance, "ci95": ends}
    result: dict[str, Any] = {"value": judge.digest, "seats": rows}
    if played is not None:
        result["rollouts"] = {
            "games": played.games,
            "truncated": played.truncated,
            "policy": policy,
            "seed": seed,
        }
    if as_json:
        typer.echo(json.dumps(result))
    else:
        _print(shown, result)


def _position(path: Path, moment: int | None, number: int) -> tuple[Game, list[str]]:
    """Return the position and, for a saved game, the bots by seat."""
    from monopoly_env.errors import RecordError
    from monopoly_env.game import Game
    from monopoly_env.records import record_at
    from monopoly_env.replay import replay_steps

    if path.suffix in YAML:
        return Game.from_position(path, seed=0), []
    record = record_at(path, number)
    here = RecordError.at(f"{path}: game {number}")
    found = None
    for k, (position, _) in enumerate(replay_steps(record, here)):
        found = position
        if k == moment:
            break
    else:
        if moment is not None:
            here.fail(f"has {len(record['actions'])} actions; --moment {moment} is beyond them")
    assert found is not None  # the first position always exists
    return found, list(record.get("bots") or ())


def _print(game: Game, result: dict[str, Any]) -> None:
    """Print the table."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from monopoly_training.common.console import new_console
    from monopoly_training.common.progress import percent
    from monopoly_training.evaluation.score_table import interval

    played = result.get("rollouts")
    over = "over" if game.over else f"{game.actor} decides ({game.phase.name})"
    table = Table(title=over, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    bots = any(row["bot"] for row in result["seats"])
    for name in ("seat", *(["bot"] if bots else [])):
        table.add_column(name)
    heads = ["cash", "net worth", "chance", *(["rollouts", "95% interval"] if played else [])]
    for name in heads:
        table.add_column(name, justify="right", no_wrap=True)
    for row in result["seats"]:
        money = game.edition.names.money
        cells = [row["seat"], *([row["bot"]] if bots else [])]
        cells += [money(row["cash"]), money(row["net_worth"]), percent(row["chance"])]
        cells += [percent(row["rollouts"]), interval(row["ci95"])] if played else []
        table.add_row(*cells)
    new_console().print(table)
    typer.echo(f"win probabilities by the value model {result['value']}")
    if played:
        typer.echo(
            f"rollouts: {played['games']:,} games by {played['policy']}, seed {played['seed']}, "
            f"{played['truncated'] / played['games']:.1%} truncated"
        )
