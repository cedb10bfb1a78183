"""The page of the leaderboard, docs/leaderboard.md, written from a run that is kept."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from monopoly_training.common.markdown import NOTE, table
from monopoly_training.leaderboard.page_data import FILE, read_board

PAGE = "leaderboard.md"
HEAD = f"""# Leaderboard

{NOTE}How strong are these bots? All of them play one protocol, `configs/leaderboard/default.yaml`: each sits
at each table with the same opponents, for each seed once in every seat.

"""
FOOT = """
## Take part

Add a line with your bot to `bots` in `configs/leaderboard/default.yaml`: a name of `monopoly-env agents`,
`model:PATH`, `python:FILE:NAME` or `exec:COMMAND`. Then

```sh
monopoly-env leaderboard --resume --jobs 2                  # plays your bot's games; the others' are kept
monopoly-env leaderboard --seeds 10 --out runs/quick        # the same with fewer seeds, for a first look
monopoly-env leaderboard --resume --page docs && monopoly-env docs   # writes this page
```

Every bot at every table has a ledger of its own in `runs/leaderboard`; what was cut off goes on with
`--resume`. Games of other versions of the code are refused. A protocol of your own is a file in the
same form: `monopoly-env leaderboard my_protocol.yaml`. Which figure answers which question stands in
[judging.md](judging.md); how bots decide, kind by kind, in [suite.md](suite.md).
"""


def page_of(folder: Path) -> dict[str, str]:
    """The page by its name, if a leaderboard lies in the folder of pages."""
    path = folder / FILE
    return {PAGE: leaderboard_page(read_board(path))} if path.exists() else {}


def leaderboard_page(content: Mapping[str, Any]) -> str:
    """The page."""
    tables = content["tables"]
    head = ("", "bot", "rating", "95 %", *tables, "illegal")
    rows = [
        (
            place,
            f"`{row['bot']}`",
            "" if row["elo"] is None else f"{row['elo']:.0f}",
            ends(row["elo_ci95"], 1.0, 0),
            *(rate_text(row["tables"][name]) for name in tables),
            sum(at["faults"] for at in row["tables"].values()),
        )
        for place, row in enumerate(content["bots"], 1)
    ]
    games = sum(row["games"] for row in content["bots"])
    return (
        f"{HEAD}{games:,} games, {content['seeds']} seeds at each table, monopoly-env "
        f"{content['version']}. The rating is one Plackett-Luce fit to who won the games of all tables, in Elo "
        f"points; `{content['anchor']}` is 0. Under each table: wins in %, with the 95 % interval by a "
        f"bootstrap over seeds, as of the rating.\n\n{table(head, rows)}"
        f"\n## The tables\n\n{table_of_tables(tables)}{FOOT}"
    )


def rate_text(at: Mapping[str, Any]) -> str:
    """A win rate with its interval, in %."""
    between = ends(at["win_rate_by_seed"], 100.0, 1)
    return f"{100 * at['win_rate']:.1f}" + (f" ({between})" if between else "")


def ends(interval: list[float] | None, times: float, digits: int) -> str:
    """An interval as text; empty if there is none."""
    if interval is None:
        return ""
    return " to ".join(f"{times * end:.{digits}f}" for end in interval)


def table_of_tables(tables: Mapping[str, Any]) -> str:
    """What is played at each table."""
    rows = [
        (
            name,
            at["edition"],
            at["players"],
            ", ".join(f"`{bot}`" for bot in at["opponents"]),
            ", ".join(f"{rule}: {_word(value)}" for rule, value in at["rules"].items()),
            f"{100 / at['players']:.1f}",
        )
        for name, at in tables.items()
    ]
    return table(("table", "edition", "players", "opponents", "rules", "even share, %"), rows)


def _word(value: object) -> str:
    return "off" if value is False else str(value)
