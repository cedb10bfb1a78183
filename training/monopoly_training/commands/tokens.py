"""Count the tokens that a game costs a language model."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from monopoly_training.cli_options.game import AsJson, Edition, Mode, Rules


def command(
    preset: Annotated[str, typer.Argument(help="Preset of TextEnv: short or full.")] = "short",
    player: Annotated[
        str, typer.Option(help="The bot that answers instead of a model.")
    ] = "strategist",
    against: Annotated[
        str, typer.Option(help="The bots in the other seats, comma-separated.")
    ] = "background,background,background",
    games: Annotated[int, typer.Option(help="Number of games.", min=1)] = 50,
    seed: Annotated[int, typer.Option(help="First seed; seeds are consecutive.", min=0)] = 0,
    tokenizer: Annotated[
        str | None,
        typer.Option(help="o200k_base, cl100k_base (extra tokens), or pieces, an estimate."),
    ] = None,
    price: Annotated[
        float | None,
        typer.Option(help="Price per million input tokens in $, to print the cost.", min=0),
    ] = None,
    price_written: Annotated[
        float, typer.Option(help="With --price: price per million output tokens in $.", min=0)
    ] = 0.0,
    written: Annotated[
        int,
        typer.Option(help="With --price: output tokens per answer, including reasoning.", min=0),
    ] = 100,
    edition: Edition = "classic",
    mode: Mode = "standard",
    rules: Rules = None,
    as_json: AsJson = False,
) -> None:
    """Count the prompt tokens of one seat per game, with a bot giving the answers.

    A prompt is the instructions and the observation, as sent to a model without a conversation
    history. The model's output is not included.
    """
    from monopoly_env.text.env import TextEnv
    from monopoly_training.cli_options.dependent_options import check_goes_with
    from monopoly_training.cli_options.game import rules_of
    from monopoly_training.common.bot_lists import split_names
    from monopoly_training.common.progress import Live
    from monopoly_training.language_models.tokens import default_tokenizer, measure

    check_goes_with({"price_written": ["price"], "written": ["price"]})
    env = TextEnv(
        preset,
        opponents=split_names(against, "--against"),
        edition=edition,
        mode=mode,
        rules=rules_of(rules),
    )
    with Live() as progress:
        seeds = range(seed, seed + games)
        cost = measure(env, player, seeds, tokenizer or default_tokenizer(), progress)
    result = {"preset": preset, "player": player, "against": against, **cost.summary()}
    if price is not None:
        result |= cost.price(price, price_written, written)
    typer.echo(json.dumps(result) if as_json else table(result))


def table(result: dict[str, Any]) -> str:
    """Format the figures as text."""
    said = result["against"]
    lines = [
        f"{result['preset']}: {result['player']} against {said}, {result['games']} games",
        (
            f"tokens of prompts a game ({result['tokenizer']}): {result['tokens_mean']:,}; 95% of games up "
            f"to {result['tokens_p95']:,}, most {result['tokens_most']:,}"
        ),
        (
            f"prompts a game: {result['answers_mean']}, with {result['instructions']} tokens of "
            f"instructions each; the guide has {result['guide']}, and is in none"
        ),
    ]
    if "cost_mean" in result:
        lines.append(
            f"cost a game: ${result['cost_mean']:.4f}; 95% of games up to ${result['cost_p95']:.4f} "
            f"({result['tokens_written_an_answer']} tokens written an answer)"
        )
    for phase, row in result["phases"].items():
        lines.append(f"  {phase:8} {row['a_game']:6} a game, {row['tokens_mean']:5} tokens each")
    return "\n".join(lines)
