"""Generate the documentation pages that are derived from the code, so that they stay current."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np

from monopoly_env.compiler.records import Field, fields
from monopoly_env.editions import editions, load_edition
from monopoly_env.encoding.blocks import BLOCKS, OBSERVATION_SIZE, OBSERVATION_VERSION, OFFSETS
from monopoly_env.encoding.packed import (
    MOST_PRICE,
    MOST_RENT,
    PACKED_SIZE,
    PACKED_VERSION,
    PLACE,
    PackedRow,
)
from monopoly_env.engine import phases
from monopoly_env.engine.actions import ACTIONS, ARGUMENTS, IDS, KINDS, N_ACTIONS
from monopoly_env.engine.journal import Event, EventRecord, Reason
from monopoly_env.engine.rules import Rule, RuleSet
from monopoly_env.engine.state import AgendaItem, GameState, RentClaim
from monopoly_env.engine.status import Status
from monopoly_env.engine.why import SENTENCES, Why
from monopoly_env.errors import FileError
from monopoly_env.files import check_output_folder, read_text
from monopoly_training.bench.page import page_of
from monopoly_training.common.files import write_atomic
from monopoly_training.common.markdown import NOTE, table
from monopoly_training.reference import (
    baselines_page,
    clients_page,
    leaderboard_page,
    rule_index,
    suite_page,
    trust_page,
)
from monopoly_training.reference.architecture_page import architecture_page
from monopoly_training.reference.edition_page import editions_page
from monopoly_training.reference.value_page import value_page

MOST_BYTES = 16 << 20  # maximum size of a page


def comments(enum: type) -> dict[str, str]:
    """Return the comment on each member of an enumeration."""
    members = re.findall(r"^    (\w+) = \d+  # (.+)$", inspect.getsource(enum), re.MULTILINE)
    return {name: re.sub(r"\s{2,}\S+\.py$", "", text) for name, text in members}


def _ids(name: str) -> str:
    first = IDS[f"{name}:{ARGUMENTS[name].labels[0]}"] if ARGUMENTS[name].labels[0] else IDS[name]
    last = first + len(ARGUMENTS[name].values) - 1
    return str(first) if first == last else f"{first} to {last}"


def actions_page() -> str:
    """Return the page of all actions."""
    rows = [
        (
            _ids(action.name),
            f"`{action.name}`"
            if action.argument.name == "none"
            else f"`{action.name}:{action.argument.name.upper()}`",
            ", ".join(phase.name for phase in action.phases),
            action.text.format(action.argument.name.upper()),
            f"`{action.legal.split(':')[0]}.py`",
            action.source,
        )
        for action in ACTIONS
    ]
    arguments = {action.argument.name: action.argument for action in ACTIONS}
    values = [
        (f"`{name.upper()}`", len(argument.values), " ".join(argument.labels))
        for name, argument in arguments.items()
        if name != "none"
    ]
    reasons = [(f"`{why.name}`", SENTENCES[why]) for why in Why]
    return (
        f"# Actions\n\n{NOTE}The action space has {N_ACTIONS} ids of {len(KINDS)} kinds. It is the "
        "same for every edition, mode and number of players. Seats in ids are relative to the player who "
        "decides (`left1` is the next player to the left). In transcripts, seats are letters.\n\n"
        + table(("ids", "action", "phases", "effect", "rule", "source"), rows)
        + "\n## Arguments\n\n"
        + table(("argument", "values", "in order"), values)
        + "\n## Why an action is illegal\n\n`game.why(action)` returns the reason.\n\n"
        + table(("reason", "meaning"), reasons)
    )


def phases_page() -> str:
    """Return the page of phases: the decision in each, and what follows."""
    acts = {
        phase: [action.name for action in ACTIONS if phase in action.phases]
        for phase in phases.Phase
    }
    meanings = comments(phases.Phase)
    rows = [
        (f"`{phase.name}`", meanings[phase.name], " ".join(f"`{name}`" for name in acts[phase]))
        for phase in phases.Phase
    ]
    tasks = [(f"`{name}`", text) for name, text in comments(phases.Task).items()]
    return (
        f"# Phases\n\n{NOTE}Every decision has one actor, one phase and one action mask.\n\n"
        + table(("phase", "player who decides", "actions"), rows)
        + "\n```mermaid\nflowchart TD\n"
        + "  TURN -->|roll| LAND[the space]\n"
        + "  LAND --> BUY & TAX & RENT & DEBT\n  BUY -->|auction| AUCTION\n"
        + "  DEBT -->|bankrupt| DEED & AUCTION\n  LAND -->|double| TURN & POWER\n"
        + "  POWER --> TELEPORT & ATTACK\n  LAND --> END --> BETWEEN --> TURN\n"
        + "  TURN & END & BETWEEN & DEBT -->|deal| DEAL -->|offer| ANSWER\n  ANSWER -->|accept| DEED\n"
        + "  TURN & END & BETWEEN -->|build, scarce| CLAIM --> AUCTION --> PLACE\n```\n"
        + "\n## The agenda\n\nThe game record has a stack of pending tasks, the agenda. The top "
        "item is next.\n\n" + table(("task", "meaning"), tasks)
    )


def _record(record: type) -> str:
    rows = []
    for name, field in fields(record).items():
        shape = " × ".join(str(size) for size in field.shape)
        storage = str(field.storage) if isinstance(field.storage, str) else "record"
        rows.append((f"`{name}`", storage, shape, field.unit, field.meaning))
    return table(("field", "type", "shape", "unit", "meaning"), rows)


def state_page() -> str:
    """Return the page of the game record."""
    events = [(f"`{name}`", text) for name, text in comments(Event).items()]
    broken = [(f"`{name}`", text) for name, text in comments(Status).items()]
    return (
        f"# The game record\n\n{NOTE}A game is one NumPy record with no state outside it, so copying, saving, "
        "resuming and replaying are exact.\n\n"
        + _record(GameState)
        + "\n## Agenda items\n\n"
        + _record(AgendaItem)
        + "\n## Rent claims\n\n"
        + _record(RentClaim)
        + "\n## The journal\n\nThe events since the last decision, in a separate record.\n\n"
        + _record(EventRecord)
        + "\n"
        + table(("event", "fields"), events)
        + "\nReasons of payments: "
        + ", ".join(f"`{reason.name}`" for reason in Reason)
        + ".\n\n## Invariants\n\n`game.status()` returns the flags of all violated invariants.\n\n"
        + table(("flag", "meaning"), broken)
    )


def _range(field: Field) -> str:
    return f"{field.low} to {field.high}" if isinstance(field, Rule) else ""


def switches_page() -> str:
    """Return the page of all rule values, with each edition's."""
    names = editions()
    loaded = {name: load_edition(name).rules[0] for name in names}
    rows = [
        (
            f"`{name}`",
            field.unit,
            _range(field),
            field.meaning,
            *(int(loaded[edition][name]) for edition in names),
        )
        for name, field in fields(RuleSet).items()
        if isinstance(field, Rule) and not field.shape
    ]
    arrays = [
        (f"`{name}`", " × ".join(map(str, field.shape)), field.unit, field.meaning)
        for name, field in fields(RuleSet).items()
        if field.shape or not isinstance(field, Rule)
    ]
    return (
        f"# Rule switches\n\n{NOTE}Every difference between the rule books is a number in this table. You can override "
        'any of them: `Game(rules={"salary": 400})`.\n\n'
        + table(("rule", "unit", "range", "meaning", *names), rows)
        + "\n## Tables\n\n"
        + table(("rule", "shape", "unit", "meaning"), arrays)
    )


def observation_page() -> str:
    """Return the page of all observation features."""
    rows = []
    for block in BLOCKS:
        first = OFFSETS[block.name]
        last = first + block.size - 1
        index = str(first) if first == last else f"{first} to {last}"
        rows.append(
            (
                index,
                f"`{block.name}`",
                block.size,
                block.unit,
                f"{block.low:g} to {block.high:g}",
                block.meaning,
            )
        )
    layouts = [
        (f"`{block.name}`", ", ".join(block.labels[:3]) + (", …" if block.size > 3 else ""))
        for block in BLOCKS
        if block.size > 1
    ]
    return (
        f"# Observation\n\n{NOTE}Version {OBSERVATION_VERSION}: {OBSERVATION_SIZE} features "
        "(float32), the same for every edition, mode and number of players. Seats are relative: "
        "the observing player first, then to the left. The observation contains no hidden information, such as "
        "the order of the cards or future rolls.\n\n`monopoly_env.encoding.blocks.labels()` names each feature.\n\n"
        + table(("index", "block", "size", "unit", "range", "meaning"), rows)
        + "\n## Order within the blocks\n\n"
        + table(("block", "first labels"), layouts)
        + PACKED_TEXT
        + packed_table()
    )


FROM = "from"  # split, so that import scanners do not find an import here
PACKED_TEXT = f"""
## Packed

With `observation="packed"`, every environment returns the observation in {PACKED_SIZE} bytes per row (uint8). This
is less than a sixth of the memory to transfer, store in a replay buffer, or send to a learner. The mask is
separate, as with `flat`. A decoder restores the exact float32 observation wherever you need it:

```python
import torch
from torch import nn

from monopoly_env.envs.vector import VectorEnv
from monopoly_env.learners import DecodePlan, unpack
{FROM} monopoly_training.packed.torch_decoder import PackedDecoder

env = VectorEnv(256, opponents=["random"] * 3, observation="packed", narrow=True, deals="off")
rows, infos = env.reset(seed=0)  # uint8[256, 832]
numbers = unpack(rows, DecodePlan(env.columns))  # NumPy: float32[256, 622]

decode = PackedDecoder(env.columns)  # PyTorch: on any device, under torch.compile
network = nn.Sequential(decode, nn.Linear(decode.size, 64), nn.Tanh())
hidden = network(torch.from_numpy(rows))
```

For JAX, `monopoly_training.packed.jax_decoder.make_decoder(env.columns)` returns a function for `jax.jit`.
With `narrow`, rows keep their length; `env.columns` selects the features.

Decoding computes nothing: each feature is copied from the row or looked up in a table, so
all devices give the same values. `monopoly_env.encoding.packed.columns()` gives the bytes and the table of each of
the {OBSERVATION_SIZE} features; `DecodePlan` has the same as arrays, for your own decoder. Rules with a rent
above ${MOST_RENT:,} or a price above ${MOST_PRICE:,} cannot be packed; the environment then raises an
error.

On a CPU, decoding takes longer than copying the same features, so packing does not help a learner on one core
(`ppo/minimal.py` is up to 10% slower with a decoder in its network). It helps when rows are moved or
stored: to a GPU, between processes, in a replay buffer.

Packed version {PACKED_VERSION}; every row contains the version. Words are little-endian. Later versions may add
fields; read them with `PACKED`, the record type of a row.

"""


def packed_table() -> str:
    """Return the table of fields in a packed row."""
    rows = []
    for name, field in sorted(fields(PackedRow).items(), key=lambda item: PLACE[item[0]]):
        size = np.dtype(field.storage).itemsize
        count = math.prod(field.shape)
        place = PLACE[name]
        index = f"{place}" if size * count == 1 else f"{place} to {place + size * count - 1}"
        kind = {"f4": "float32", "u4": "uint32", "u2": "uint16", "u1": "uint8"}[str(field.storage)]
        shape = " × ".join(map(str, field.shape)) or "1"
        rows.append((index, f"`{name}`", kind, shape, field.unit or "-", field.meaning or "-"))
    rows.append((f"{PACKED_SIZE - 1}", "", "uint8", "1", "-", "always 0"))
    return table(("bytes", "field", "type", "count", "holds", "meaning"), rows)


def rules_page(cases_folder: Path) -> str:
    """Return the page of rules: function, rule-book lines and cases."""
    known = rule_index.cases(cases_folder)
    rows = []
    for entry in rule_index.rules():
        shown = rule_index.shown_by(entry, known)
        text = ", ".join(f"`{name}`" for name in shown[:6])
        more = f" and {len(shown) - 6} more" if len(shown) > 6 else ""
        rows.append(
            (entry.rule, f"`{entry.module}`: `{entry.function}`", entry.source, text + more)
        )
    readings = [
        (f"`{entry.module}`: `{entry.function}`", entry.differs)
        for entry in rule_index.rules()
        if entry.differs
    ]
    books = [
        (f"`{number}`", rule_index.LETTERS[number], title)
        for number, title in rule_index.BOOKS.items()
    ]
    return (
        f"# Rules\n\n{NOTE}Each rule with its function, its source, and the rule cases "
        "(`tests/rulebook/cases`) that test it. Rule books are cited by number and by line of "
        "their plain text, or by letter.\n\n"
        + table(("number", "letter", "rule book"), books)
        + "\n## Rule by rule\n\n"
        + table(("rule", "function", "source", "cases"), rows)
        + "\n## Interpretations\n\n"
        + table(("function", "interpretation"), readings)
    )


PAGES: dict[str, Callable[[], str]] = {
    "actions.md": actions_page,
    "architecture.md": architecture_page,
    "editions.md": editions_page,
    "observation.md": observation_page,
    "phases.md": phases_page,
    "state.md": state_page,
    "switches.md": switches_page,
    "value.md": value_page,
}


def pages(
    cases_folder: Path | None, folder: Path | None = None, tests_folder: Path | None = None
) -> dict[str, str]:
    """Return all generated pages by name.

    The rules page needs ``cases_folder``, the guarantees page ``tests_folder``, pages of results
    their data in ``folder``, and the client pages both of the latter.
    """
    written = {name: page() for name, page in PAGES.items()}
    if folder is not None:
        for page in (baselines_page, leaderboard_page, suite_page):
            written |= page.page_of(folder)
        written |= page_of(folder)
    if cases_folder is not None:
        written["rules.md"] = rules_page(cases_folder)
    if tests_folder is not None:
        written |= trust_page.page_of(tests_folder, folder)
    if folder is not None and tests_folder is not None:
        written |= clients_page.pages_of(folder, tests_folder)
    return written


def write_pages(folder: Path, written: dict[str, str]) -> list[Path]:
    """Write pages to ``folder``; return the files that changed."""
    changed = []
    check_output_folder(folder, FileError.at(folder))
    for name, text in written.items():
        path = folder / name
        if is_old(path, text):
            write_atomic(path, text)
            changed.append(path)
    return changed


def is_old(path: Path, text: str) -> bool:
    """Return whether a page is missing or differs from ``text``."""
    return not path.exists() or read_text(path, FileError.at(path), MOST_BYTES) != text
