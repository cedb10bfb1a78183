"""Measure an agent's win rate against other bots."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from monopoly_training.cli_options.faults import (
    Strict,
    bots_print_to_stderr,
    end_strictly,
    show_faults,
)
from monopoly_training.cli_options.game import (
    Address,
    AsJson,
    Backend,
    BehaviorToo,
    Edition,
    Jobs,
    LuckAdjusted,
    Mode,
    Rules,
    Trust,
)

if TYPE_CHECKING:
    from monopoly_env.envs.options import TableOptions
    from monopoly_training.evaluation.evaluate import Evaluation
    from monopoly_training.matches.entrants import Entrant


def command(
    agent: Annotated[str, typer.Argument(help="Name of a bot, or model:PATH.")],
    against: Annotated[str, typer.Option(help="Its opponents, comma-separated.")],
    games: Annotated[int, typer.Option(help="Number of games.")] = 1000,
    seats: Annotated[
        str,
        typer.Option(help="rotate: each seed from every seat; random: a random order per game."),
    ] = "rotate",
    seed: Annotated[int, typer.Option(help="First seed; seeds are consecutive.")] = 0,
    edition: Edition = "classic",
    mode: Mode = "standard",
    rules: Rules = None,
    behavior: BehaviorToo = False,
    luck_adjusted: LuckAdjusted = None,
    jobs: Jobs = 1,
    backend: Backend = "processes",
    address: Address = None,
    as_json: AsJson = False,
    trust: Trust = False,
    strict: Strict = False,
) -> None:
    """Measure an agent's win rate against other bots, with its interval, and its mean rank.

    The standings decide truncated games; a shared win counts as a fraction. The 95% interval is a
    bootstrap over seeds; with --seats random, with a single seed, or if all games have the same
    result, it is Wilson's. The same arguments give the same games.

    Each bot's first error is shown when it happens. Faults are decisions that were replaced because
    the answer was illegal, late or missing. --luck-adjusted also removes luck of dice and cards.
    To keep the games, play them with `tournament --records all`.
    """
    from monopoly_env.envs.options import TableOptions
    from monopoly_training.cli_options.game import check_backend, rules_of
    from monopoly_training.common import stopping
    from monopoly_training.common.bot_lists import split_names
    from monopoly_training.common.compile_notice import announce
    from monopoly_training.common.progress import Games, Live
    from monopoly_training.evaluation.evaluate import EvaluationSpec, evaluate
    from monopoly_training.matches.bot_errors import ErrorLog
    from monopoly_training.matches.entrants import entrant, entrants
    from monopoly_training.matches.runner import loop_kind
    from monopoly_training.matches.workers import WorkOptions

    check_backend(backend, address, jobs)
    spec = EvaluationSpec(games, seats, seed)
    others = entrants(split_names(against, "--against"), trust)
    options = TableOptions(
        edition=edition,
        mode=mode,
        num_players=len(others) + 1,
        rules=rules_of(rules),
        skip_forced=True,
    )
    options.editions()
    evaluated = entrant(agent, trust)
    stopping.set_discard_message(
        "an evaluation keeps nothing; the same command plays its games again"
    )
    errors = ErrorLog()
    with Live() as progress, bots_print_to_stderr():
        announce(progress, loop_kind([evaluated, *others]))
        evaluation = evaluate(
            evaluated,
            others,
            spec,
            options,
            Games(progress, games),
            errors,
            behavior,
            luck_adjusted,
            WorkOptions(jobs, trust=trust, backend=backend, address=address),
        )
    if as_json:
        typer.echo(json.dumps(evaluation.as_json()))
        end_strictly(strict, errors.any or evaluation.any_faults)
        return
    show_evaluation(evaluation, evaluated, options)
    end_strictly(strict, errors.any or evaluation.any_faults)


def show_evaluation(evaluation: Evaluation, evaluated: Entrant, options: TableOptions) -> None:
    """Print an evaluation: its table, faults, behavior and games, and what the agent's card says."""
    from monopoly_training.common.console import new_console
    from monopoly_training.evaluation.score_table import behavior_table, score_table

    title = f"{evaluation.agent} against {', '.join(evaluation.against)}"
    made = sum(next(iter(evaluation.faults.values())).values())  # the agent's own; it comes first
    new_console().print(
        score_table(
            title,
            ["agent"],
            [([evaluation.agent], evaluation.score)],
            [made],
            [evaluation.win_rate_by_seed] if evaluation.seats == "rotate" else None,
        )
    )
    show_faults(evaluation.faults)
    if evaluation.behavior is not None:
        new_console().print(behavior_table(evaluation.behavior))
    last = evaluation.seed + evaluation.seeds - 1
    typer.echo(
        f"seeds {evaluation.seed} to {last}, seats: {evaluation.seats}; "
        f"{evaluation.mean_turns:.0f} turns per game; even share {1 / options.num_players:.0%}"
    )
    if evaluation.luck_adjusted is not None:
        typer.echo(str(evaluation.luck_adjusted))
    show_table_of_model(evaluated, options)


def show_table_of_model(evaluated: Entrant, options: TableOptions) -> None:
    """Print where a trained agent's table differs from the one that was played."""
    model = evaluated.model
    if model is None:
        return
    if not model.plays_at(options):
        typer.echo(f"{evaluated.name} leaves this table to {model.table.fallback}: its card, where")
    missing = model.missing_rules(options)
    if missing:
        texts = " ".join(f"--rule {name}={value}" for name, value in missing.items())
        composes = model.composes(options.editions().first)
        how = "; here, it composes the menu's offers in steps" if composes else ""
        typer.echo(f"{evaluated.name} was trained with other rules: {texts}{how}")
