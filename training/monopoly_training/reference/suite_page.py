"""Generate docs/suite.md: the decision suite and the scores of the included bots."""

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
HEAD = f"""# Decision suite

{NOTE}`monopoly-env suite AGENT` tests an agent on a fixed set of decisions. Each action has a known value: the
win probability after it, estimated by rollouts. The test takes seconds for a bot, or a few hundred short
prompts for a language model, and shows which kinds of decision the agent gets wrong. To measure strength in
complete games, see [judging.md](judging.md).

```sh
monopoly-env suite veteran                          # also model:PATH, search:N, ...
monopoly-env suite "exec:python3 examples/bots/bot.py" --json
monopoly-env suite python:my_bot.py:MyBot --kind answer --kind propose
monopoly-env suite --prompts prompts.jsonl          # for a language model: id, kind, prompt
monopoly-env suite --answers answers.jsonl          # {{"id": "buy-001", "answer": "… {{\\"action\\": 2}}"}}
```
"""
COLUMNS = """
## Columns

- **lost**: the mean loss per decision: the win probability after the best action minus that after the agent's
  action, in percentage points, with a 95% bootstrap interval over decisions. An agent that always takes the
  best action loses 0.
- **at random**: the loss of a uniformly random action.
- **agrees**: how often the agent's action is the best one, or not significantly worse (two standard errors).
- **illegal**: illegal or late answers, and crashes. They count as the worst action.
- **time**: the time per decision.

In the agent's view, only the compared actions are legal, and there is no history of the game. Bots that would do
something else first, such as offer a deal before building, have already made all offers of the turn.

After the action, `{policy}` plays all seats, so a value is the result of a decision among players like that
bot. An agent that uses a position better may be right to decide differently. A low loss
indicates sound decisions; it does not guarantee wins.
"""


def page_of(folder: Path) -> dict[str, str]:
    """Return the page by name, if the folder of pages has scores."""
    path = folder / FILE
    return {PAGE: suite_page(read_scores(path))} if path.exists() else {}


def suite_page(content: Mapping[str, Any]) -> str:
    """Return the page."""
    card, scores = content["card"], content["scores"]
    by_chance = points(scores[0]["kinds"][ALL]["by_chance"])
    return (
        f"{HEAD}\n## Results of the included bots\n\n"
        f"Set {content['set']}: {card['decisions']:,} decisions. Points lost per decision; a random action loses "
        f"{by_chance}.\n\n{overview(scores)}\nPoints lost per decision, by kind:\n\n{by_kind(scores)}"
        + COLUMNS.replace("{policy}", card["made"]["policy"])
        + "".join(content_sections(card))
    )


def overview(scores: list[dict[str, Any]]) -> str:
    """Return the table with a row for each bot."""
    head = ("bot", "lost", "95%", "lost in deals", "95%", "agrees", "illegal", "time")
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
                f"{100 * whole['agreement']:.0f}%",
                whole["illegal"],
                time_text(whole["seconds"]),
            )
        )
    return table(head, rows)


def ends(score: Mapping[str, Any]) -> str:
    """Format the interval of a loss."""
    return "" if score["interval"] is None else " to ".join(map(points, score["interval"]))


def by_kind(scores: list[dict[str, Any]]) -> str:
    """Return the table with a row for each kind of decision and a column for each bot."""
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


def content_sections(card: Mapping[str, Any]) -> Iterator[str]:
    """Yield the sections on the set's content and generation."""
    made = card["made"]
    yield "\n## What is in the set\n\n"
    deals = sum(count for kind, count in card["kinds"].items() if kind in DEAL_KINDS)
    rows = [(kind, count, ALL_KINDS[kind].about) for kind, count in card["kinds"].items()]
    yield table(("kind", "decisions", "decision"), rows)
    yield (
        f"\n{deals:,} decisions are about deals. Every action has a value for each seat, including third parties. "
        "The games use all editions with 2 to 8 players, bots drawn for each seat, and "
        "deals in steps, from the menu or off. A decision is selected if short rollouts suggest "
        "that it matters; its values come from separate rollouts.\n"
        "\n## How the set was made\n\n"
        f"Each action has {card['samples']['least']:,} to {card['samples']['most']:,} "
        "rollouts; more where "
        "the loss is not yet accurate to 0.3 points or a tenth of its size. Sample k has the same dice "
        f"and cards after every action. `{made['policy']}` plays all seats, including deals, for "
        f"{made['turns']} player turns or {made['rounds']} rounds; then the learned value of that version "
        f"({made['value']}, [value.md](value.md)) estimates each player's win probability.\n\n"
        f"```sh\n{made['command']} --out runs/suite --jobs 2\n```\n\n"
        f"The command asks for {made['decisions']:,} decisions; this set has {card['decisions']:,} of them. "
        "The same command of the same version gives the same set, also after interruptions and "
        "`--resume`; a resumed run may increase `--samples` and `--decisions`. `--set FILE` uses "
        "your own set.\n\n"
        f"`training/monopoly_training/suite/set_{card['version']}.jsonl.gz` has one decision per line: id, kind, seat, "
        "position (for `Game.from_position`), actions, and for each action the value of every "
        "seat, its standard error, and the standard error of the loss. The card, "
        f"`set_{card['version']}.json`, has the SHA-256. License: {card['license']}\n\n"
        "A published set never changes; a better one gets a new version, and scores name their "
        "set. Set 1 had fewer rollouts, and an earlier value at their ends: "
        "`--set training/monopoly_training/suite/set_1.jsonl.gz`. `monopoly-env suite --page docs` tests all included bots again.\n"
    )
