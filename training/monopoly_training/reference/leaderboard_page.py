"""Generate docs/leaderboard.md from the saved leaderboard."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from monopoly_training.common.markdown import NOTE, table
from monopoly_training.leaderboard.page_data import FILE, read_board

PAGE = "leaderboard.md"
HEAD = f"""# Leaderboard

{NOTE}Ratings of the included bots by one fixed protocol, `configs/leaderboard/default.yaml`. In each setting, every
bot plays the same seeds from every seat against the same opponents.

"""
FOOT = """
## Add your bot

Add your bot to `bots` in `configs/leaderboard/default.yaml`: a name from `monopoly-env agents`,
`model:PATH`, `python:FILE:NAME` or `exec:COMMAND`. Then run

```sh
monopoly-env leaderboard --resume --jobs 2                  # plays your bot's games and keeps the others'
monopoly-env leaderboard --seeds 10 --out runs/quick        # a quick version with fewer seeds
monopoly-env leaderboard --resume --page docs && monopoly-env docs   # writes this page
```

`runs/leaderboard` has one ledger for every bot in every setting. `--resume` continues an interrupted run; it
refuses games from other versions of the code. To use your own protocol, pass a file in the
same format: `monopoly-env leaderboard my_protocol.yaml`. [judging.md](judging.md) says which number answers
which question; [suite.md](suite.md) tests bots by kind of decision.
"""


def page_of(folder: Path) -> dict[str, str]:
    """Return the page by name, if the folder of pages has a leaderboard."""
    path = folder / FILE
    return {PAGE: leaderboard_page(read_board(path))} if path.exists() else {}


def leaderboard_page(content: Mapping[str, Any]) -> str:
    """Return the page."""
    tables = content["tables"]
    head = ("", "bot", "rating", "95%", *tables, "illegal")
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
        f"{HEAD}{games:,} games, {content['seeds']} seeds per setting, monopoly-env "
        f"{content['version']}. The rating is one Plackett-Luce fit to the winners of all games, in Elo "
        f"points; `{content['anchor']}` has 0. The other columns are win rates in %. All intervals are 95% "
        f"bootstrap intervals over seeds.\n\n{table(head, rows)}"
        f"\n## Settings\n\n{table_of_tables(tables)}{FOOT}"
    )


def rate_text(at: Mapping[str, Any]) -> str:
    """Format a win rate with its interval, in percent."""
    between = ends(at["win_rate_by_seed"], 100.0, 1)
    return f"{100 * at['win_rate']:.1f}" + (f" ({between})" if between else "")


def ends(interval: list[float] | None, times: float, digits: int) -> str:
    """Format an interval; empty if there is none."""
    if interval is None:
        return ""
    return " to ".join(f"{times * end:.{digits}f}" for end in interval)


def table_of_tables(tables: Mapping[str, Any]) -> str:
    """Return the table of the protocol's settings."""
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
    return table(("setting", "edition", "players", "opponents", "rules", "even share, %"), rows)


def _word(value: object) -> str:
    return "off" if value is False else str(value)
