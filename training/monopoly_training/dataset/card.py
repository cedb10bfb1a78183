"""Write a dataset's card: README.md with the metadata that the Hugging Face Hub reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import yaml

from monopoly_training.common.markdown import table
from monopoly_training.common.memory import size
from monopoly_training.dataset.parts import Part
from monopoly_training.dataset.reader import COLUMNS

CARD = "README.md"
LICENSE = "apache-2.0"
# The Hub's size categories: row limits and names.
CLASSES = (
    (10**3, "n<1K"),
    (10**4, "1K<n<10K"),
    (10**5, "10K<n<100K"),
    (10**6, "100K<n<1M"),
    (10**7, "1M<n<10M"),
    (10**8, "10M<n<100M"),
    (10**9, "100M<n<1B"),
)
LARGEST = "n>1B"


def card(about: dict[str, Any], parts: Sequence[Part]) -> str:
    """Return the card of a complete dataset; ``about`` is its dataset.json."""
    head = yaml.safe_dump(_head(about, parts), sort_keys=False, allow_unicode=True)
    return f"---\n{head}---\n\n{_text(about, parts)}"


def _head(about: dict[str, Any], parts: Sequence[Part]) -> dict[str, Any]:
    """Return the Hub's metadata: license, tags, size, files and features."""
    stored = sum(part.bytes for part in parts)
    kept = [one for one in COLUMNS if about["observations"] or one.name != "observation"]
    features = [
        {"name": one.name, "dtype": "binary" if one.kind.startswith("binary") else one.kind}
        for one in kept
    ]
    split = {"name": "train", "num_bytes": stored, "num_examples": about["rows"]}
    return {
        "license": LICENSE,
        "pretty_name": _title(about),
        "task_categories": ["reinforcement-learning"],
        "tags": ["reinforcement-learning", "offline-rl", "imitation-learning", "monopoly"],
        "size_categories": [size_class(about["rows"])],
        "configs": [
            {
                "config_name": "default",
                "data_files": [{"split": "train", "path": "part-*.parquet"}],
            }
        ],
        "dataset_info": {
            "features": features,
            "splits": [split],
            "download_size": stored,
            "dataset_size": stored,
        },
    }


def size_class(rows: int) -> str:
    """Return the Hub's size category for a number of rows."""
    return next((name for limit, name in CLASSES if rows < limit), LARGEST)


def _title(about: dict[str, Any]) -> str:
    return f"Monopoly decisions of {', '.join(_kept(about))}"


def _kept(about: dict[str, Any]) -> Sequence[str]:
    """Return the bots whose decisions the dataset holds."""
    names: Sequence[str] = about["wanted"]["bots"] or about["bots"]
    return names


def _text(about: dict[str, Any], parts: Sequence[Part]) -> str:
    """Return the text of the card."""
    config, code = about["config"], about["code"]
    made = [
        ("games", f"{about['games']:,} of {about['players']} players, format {config['format']}"),
        ("bots", ", ".join(config["agents"])),
        ("decisions of", ", ".join(_kept(about))),
        ("edition", f"{config['edition']}, {config['mode']}"),
        ("rules", ", ".join(f"{k}={v}" for k, v in config["rules"].items()) or "as printed"),
        ("seeds", f"from {config['seed']}, each in every rotation of the seats"),
        ("forced decisions", "kept" if about["wanted"]["forced"] else "left out"),
        ("monopoly-env", f"{code['version']}, rules {code['rules_version']}"),
        ("observations", f"version {about['observation_version']}"),
        ("actions", f"table {code['actions_version']}"),
    ]
    kinds = {one.name: one for one in COLUMNS}
    columns = [
        (f"`{one.name}`", one.kind, one.meaning)
        for one in kinds.values()
        if about["observations"] or one.name != "observation"
    ]
    stored = size(sum(part.bytes for part in parts))
    return f"""# {_title(about)}

{about["rows"]:,} decisions from {about["games"]:,} games of Monopoly: what the seat saw, what was
legal, what it did, and what came of the game. {len(parts):,} Parquet files, {stored}.

## How it was made

By `monopoly-env generate`; the same settings give the same bytes.

{table(("setting", "value"), made)}
`dataset.json` has all settings; `parts.jsonl` has the SHA-256 of each file.

## Features

One row is one decision, in the order of play.

{table(("column", "type", "meaning"), columns)}
## How to read it

```python
from monopoly_training.dataset.episodes import episodes

for episode in episodes("FOLDER"):
    episode.observations, episode.masks, episode.actions, episode.rewards
```

Any reader of Parquet takes the files, too: masks and observations are bytes of fixed size.

## License

{LICENSE}, as monopoly-env, which made it. Where bots of your own played, choose what fits them, and
say so here and in the head of this file.
"""
