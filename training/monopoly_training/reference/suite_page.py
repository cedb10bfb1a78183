"""The page of the suite, docs/suite.md: what it asks, and how the bots that come along answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from monopoly_training.common.markdown import NOTE, table
from monopoly_training.suite.kinds import ALL_KINDS, DEAL_KINDS
from monopoly_training.suite.report import points, time_text
from monopoly_training.suite.scoring import ALL, DEALS
from monopoly_training.suite.shipped import FILE, read_scores

PAGE = "suite.md"
HEAD = f"""# The suite

{NOTE}How well does an agent decide? `monopoly-env suite AGENT` asks it for frozen decisions, each
action of which has a known value: the chance to win after it, found by rollouts. It takes seconds for
a bot and a few hundred short prompts for a language model, and says in which kind of decision the agent
loses most. Games against opponents say how much that matters: [judging.md](judging.md).

```sh
monopoly-env suite veteran                          # a bot by name, model:PATH, search:N
monopoly-env suite "exec:python3 examples/bots/bot.py" --json
monopoly-env suite python:my_bot.py:MyBot --kind answer --kind propose
monopoly-env suite --prompts prompts.jsonl          # for a language model: id, kind, prompt
monopoly-env suite --answers answers.jsonl          # {{"id": "buy-001", "answer": "… {{\\"action\\": 2}}"}}
```
"""
COLUMNS = """
## What the columns mean

- **lost**: how much less the agent's chance to win is after its actions than after the best ones, a
  decision, in points (hundredths of a chance); with the 95 % interval by drawing decisions anew. An
  agent that always takes the best action loses 0.
- **at random**: what an action drawn at random loses.
- **agrees**: how often its action is the best one, or not surely worse (two standard errors).
- **illegal**: answers that are none of the actions, late, or crashes. They count as the worst action.
- **time**: of a decision.

Only the actions that are compared are legal in the view that an agent gets; it has seen nothing of
the game before. Bots that mean to do something else first, such as to offer a deal before building,
have made all offers of the turn already.

A value says how a decision turns out among players like `{policy}`: it plays all seats after the action.
An agent that knows how to use a position better may be right to decide otherwise. So a low loss is
a sign of sound judgment, not a promise to win.
"""


def page_of(folder: Path) -> dict[str, str]:
    """The page by its name, if its scores lie in the folder of pages."""
    path = folder / FILE
    return {PAGE: suite_page(read_scores(path))} if path.exists() else {}


def suite_page(content: Mapping[str, Any]) -> str:
    """The page."""
    card, scores = content["card"], content["scores"]
    by_chance = points(scores[0]["kinds"][ALL]["by_chance"])
    return (
        f"{HEAD}\n## How the bots that come along decide\n\n"
        f"Set {content['set']}: {card['decisions']:,} decisions. Points lost a decision; at random "
        f"{by_chance}.\n\n{overview(scores)}\nPoints lost a decision, by kind:\n\n{by_kind(scores)}"
        + COLUMNS.replace("{policy}", card["made"]["policy"])
        + "".join(how_it_is_made(card))
    )


def overview(scores: list[dict[str, Any]]) -> str:
    """A row for each bot."""
    head = ("bot", "lost", "95 %", "lost in deals", "95 %", "agrees", "illegal", "time")
    rows = []
    for one in scores:
        whole, deals = one["kinds"][ALL], one["kinds"].get(DEALS)
        rows.append(
            (
                f"`{one['agent']}`",
                points(whole["loss"]),
                ends(whole),
                points(deals["loss"]) if deals else "",
                ends(deals) if deals else "",
                f"{100 * whole['agreement']:.0f} %",
                whole["illegal"],
                time_text(whole["seconds"]),
            )
        )
    return table(head, rows)


def ends(score: Mapping[str, Any]) -> str:
    """The interval of a loss."""
    return "" if score["interval"] is None else " to ".join(map(points, score["interval"]))


def by_kind(scores: list[dict[str, Any]]) -> str:
    """A row for each kind of decision, a column for each bot."""
    kinds = [kind for kind in ALL_KINDS if kind in scores[0]["kinds"]]
    head = ("kind", "decisions", "at random", *(f"`{one['agent']}`" for one in scores))
    rows = [
        (
            kind,
            scores[0]["kinds"][kind]["decisions"],
            points(scores[0]["kinds"][kind]["by_chance"]),
            *(points(one["kinds"][kind]["loss"]) for one in scores),
        )
        for kind in kinds
    ]
    return table(head, rows)


def how_it_is_made(card: Mapping[str, Any]) -> Iterator[str]:
    """What is in the set, and how it is made again."""
    made = card["made"]
    yield "\n## What is in the set\n\n"
    deals = sum(count for kind, count in card["kinds"].items() if kind in DEAL_KINDS)
    rows = [(kind, count, ALL_KINDS[kind].about) for kind, count in card["kinds"].items()]
    yield table(("kind", "decisions", "what is decided"), rows)
    yield (
        f"\n{deals:,} are about deals; every action has a value for each seat, third parties too. "
        "The games are between bots drawn for each seat, at tables of all editions with 2 to 8 "
        "players, deals in steps, from the menu or off. A decision is taken where a short look says "
        "that something is at stake; it is then valued by other rollouts than those of the look.\n"
        "\n## How it is made\n\n"
        f"Each action is followed by {card['samples']['least']:,} to {card['samples']['most']:,} "
        "rollouts, more where "
        "the loss is not sure to 0.3 points or a tenth of itself. Sample k has the same dice "
        f"and cards after every action. All seats are played by `{made['policy']}`, deals included, for "
        f"{made['turns']} player turns or {made['rounds']} of everybody; then the learned value of the time "
        f"({made['value']}, [value.md](value.md)) estimates each seat's chance.\n\n"
        f"```sh\n{made['command']} --out runs/suite --jobs 2\n```\n\n"
        f"Of the {made['decisions']:,} decisions that it asks for, {card['decisions']:,} are in this set. "
        "The same command of the same version gives the same set, however often it is cut off and goes "
        "on with `--resume`; `--samples` and `--decisions` may grow then, as they did for the set that "
        "comes along. `--set FILE` asks for "
        "the decisions of a set of your own.\n\n"
        "`training/monopoly_training/suite/set_1.jsonl.gz` has a decision a line: id, kind, seat, "
        "position (as `Game.from_position` reads it), actions, and for each of them the value of every "
        "seat, its standard error, the standard error of the loss. The card beside it, "
        f"`set_1.json`, has the SHA-256. License: {card['license']}\n\n"
        "A set never changes; a better one has another version, and scores name the set they are "
        "of. `monopoly-env suite --page docs` asks all bots that come along again.\n"
    )
