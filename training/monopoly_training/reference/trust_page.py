"""Generate the page of guarantees: what each includes, its limits, and the tests that verify it.

Tests are assigned to guarantees by a marker, on a function or on its whole file::

    @pytest.mark.promise("determinism")
    pytestmark = pytest.mark.promise("determinism", "copies")

The markers are read from the sources of the tests. A promise without a test is an error, and so is
a marker that names no promise.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monopoly_training.common.markdown import NOTE, table
from monopoly_training.fuzz.resumable_run import RUNS_FILE, read_runs

PAGE = "trust.md"
MARKER = "pytest.mark.promise"


@dataclass(frozen=True)
class Promise:
    """A guarantee to users, and its limits."""

    title: str
    holds: str
    ends: str = ""  # what is not included


PROMISES: dict[str, Promise] = {
    "rules": Promise(
        "Rules",
        "Games follow the rule books. [rules.md](rules.md) says how we interpret them where they are "
        "unclear. No decision of random play violates an invariant of money, deeds, buildings or "
        "cards.",
        "Editions whose rule book was not available.",
    ),
    "chance": Promise(
        "Chance",
        "Dice are fair, shuffled decks are uniform, cards are drawn without replacement as in the rule "
        "books, and dealt deeds and the starting player are fair. Consecutive seeds give independent "
        "games. Bots have their own seeds: hashes that do not reveal the game's seed.",
        "Cryptographic security: with enough observed rolls, future dice can be computed. A bot can "
        "also guess a small seed by trial; use large random seeds where that matters.",
    ),
    "determinism": Promise(
        "Determinism",
        "The same seeds and the same calls give the same games, observations, records, results "
        "and files.",
        "Bots that depend on the clock; training on a GPU, or with a different number of torch "
        "threads; floating-point results with another version of NumPy or torch.",
    ),
    "everywhere": Promise(
        "Equal bytes everywhere",
        "Games, masks, observations and rewards are byte-identical on Python 3.11, 3.12 and 3.13, "
        "compiled or as plain Python (`NUMBA_DISABLE_JIT=1`), alone, in a batch or in threads, in "
        "one process or several. `make test-pythons` runs the golden tests on every installed "
        "Python.",
        "NumPy records in memory (`game.state`), whose layout may change between versions.",
    ),
    "records": Promise(
        "Records",
        "A saved game replays action by action to the same result. If another version wrote it and "
        "it cannot be replayed, the error names that version.",
    ),
    "copies": Promise(
        "Exact copies",
        "A copy of a game or an environment, by `copy`, `pickle` or a saved state, continues exactly "
        "as the original would, and neither affects the other.",
        "Copies made with another version of the package.",
    ),
    "isolation": Promise(
        "Isolation",
        "Callers and bots cannot change the game through the objects they receive: writing into "
        "them affects neither rules, nor masks, nor later observations.",
        "`python:` bots run in the same process and can do whatever Python can.",
    ),
    "bad_input": Promise(
        "Bad input",
        "Wrong arguments, configs, records, positions, actions, models and bots give a one-line "
        "error with the place, the problem and the remedy. Nothing is lost or half written.",
    ),
    "bots": Promise(
        "Faulty bots",
        "If a bot raises an error, answers illegally, hangs or floods its output, it loses only that "
        "decision. The game and the tournament continue, and the report counts the fault.",
        "A `python:` bot that never returns, or ends the process, stops the process it runs in. "
        "Programs behind `exec:` have time limits but are not sandboxed: run untrusted ones in a "
        "container.",
    ),
    "resume": Promise(
        "Interruption",
        "If a training run, a tournament or a search is killed, finished work is kept. The resumed "
        "run gives the results of an uninterrupted one.",
        "Results of bots that depend on the clock.",
    ),
    "checksums": Promise(
        "Files",
        "Files are written atomically. When a file is read, damage is detected and reported with its "
        "location.",
        "Protection against forgery: checksums are not signatures.",
    ),
    "no_code": Promise(
        "Files run no code",
        "Reading a record, position, edition, config, data set or model never executes code from "
        "the file.",
        "`--trust` loads files that can run any code, such as Stable-Baselines3's `.zip`; "
        "`python:` and `exec:` run what they name.",
    ),
    "memory": Promise(
        "Memory",
        "Environments use as much memory after millions of steps as after a few. Readers have "
        "documented limits. Settings that need more memory than is available are refused before "
        "they start.",
        "Memory kept by the caller, and what Stable-Baselines3 and torch use on top of their buffers.",
    ),
    "limits": Promise(
        "Limits",
        "Under any legal rules, numbers stay in range until the last turn, and every game ends.",
    ),
    "statistics": Promise(
        "Statistics",
        "95% intervals have their nominal coverage, and the sequential test its nominal error "
        "rates, although the games of a seed are correlated. Simulations verify both.",
        "Win rates after an early stop are slightly biased toward the decision.",
    ),
    "api": Promise(
        "A stable interface",
        "Public names with their signatures, action ids, observation blocks, file formats and "
        "command-line options change only together with a version number and an entry in "
        "CHANGELOG.md. `tests/golden/api` stores them as text.",
        "Names that begin with an underscore, and modules that the documentation does not name.",
    ),
    "supply": Promise(
        "Dependencies",
        "`requirements.lock` pins a tested set of versions; `requirements.hashes.txt` and "
        "`requirements.torch.txt` add file hashes. [licenses.md](licenses.md) lists "
        "the licenses, `make sbom` writes a bill of materials, and `make audit` checks for known "
        "vulnerabilities.",
        "CPU builds of torch, which come from an index other than PyPI and have different hashes.",
    ),
}


@dataclass(frozen=True)
class Proof:
    """A test that verifies a promise."""

    file: str  # relative to the folder of tests
    test: str  # name of the test


# Reading the tests


def proofs(folder: Path) -> dict[str, list[Proof]]:
    """Return the tests of each promise, in file order.

    Raises: ValueError for a marker that names no promise, or a promise without a test.
    """
    found: dict[str, list[Proof]] = {name: [] for name in PROMISES}
    for path in sorted(folder.rglob("test_*.py")):
        file = path.relative_to(folder).as_posix()
        for test, names in marked_tests(ast.parse(path.read_text(encoding="utf-8"))):
            for name in names:
                if name not in found:
                    raise ValueError(
                        f"tests/{file}: {test}: no promise {name!r}; promises are {', '.join(found)}"
                    )
                found[name].append(Proof(file, test))
    broken = [name for name, tests in found.items() if not tests]
    if broken:
        raise ValueError(f"no test keeps the promise {', '.join(broken)}: mark one, or take it out")
    return found


def marked_tests(module: ast.Module) -> Iterator[tuple[str, list[str]]]:
    """Yield each test of a module with the promises it is marked with."""
    everywhere = [name for node in module.body for name in names_for_all(node)]
    for node in module.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            here = [name for one in node.decorator_list for name in names_in(one)]
            yield node.name, list(dict.fromkeys(everywhere + here))


def names_for_all(node: ast.stmt) -> Iterator[str]:
    """Yield the promises by which ``pytestmark = …`` marks all tests of the file."""
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
        for call in ast.walk(node.value):
            yield from names_in(call)


def names_in(node: ast.AST) -> Iterator[str]:
    """Yield the promises named in a marker."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == MARKER:
        for argument in node.args:
            yield str(ast.literal_eval(argument))


# Writing the page


def trust_page(found: Mapping[str, list[Proof]], runs: Sequence[Mapping[str, Any]]) -> str:
    """Return the page, given the tests of each promise and the saved fuzz runs."""
    rows = [
        (f"[{promise.title}](#{anchor(promise.title)})", len(found[name]), promise.ends)
        for name, promise in PROMISES.items()
    ]
    head = (
        f"# Guarantees\n\n{NOTE}Each guarantee is verified by tests that are marked with it; their names "
        "are listed below. All of them run in `make test`.\n\n"
    )
    summary = table(("guarantee", "tests", "not included"), rows)
    sections = [section(promise, found[name]) for name, promise in PROMISES.items()]
    return "".join([head, summary, fuzz_text(runs), *sections])


def section(promise: Promise, tests: list[Proof]) -> str:
    """Return the section on a promise, with one line per test file."""
    by_file: dict[str, list[str]] = {}
    for proof in tests:
        by_file.setdefault(proof.file, []).append(proof.test)
    lines = [
        f"- [{file}](../tests/{file}): {'; '.join(map(sentence, names))}\n"
        for file, names in by_file.items()
    ]
    ends = f"Not included: {lower_first(promise.ends)}\n\n" if promise.ends else ""
    return (
        f"\n## {promise.title}\n\n{promise.holds}\n\n{ends}<details>\n<summary>{len(tests)} tests"
        f"</summary>\n\n{''.join(lines)}\n</details>\n"
    )


def sentence(test: str) -> str:
    """Turn a test's name into words."""
    return test.removeprefix("test_").replace("_", " ")


def lower_first(text: str) -> str:
    """Lower the first letter of a sentence, to follow a colon."""
    return text[:1].lower() + text[1:] if not text.startswith("`") else text


def anchor(title: str) -> str:
    """Return the anchor of a heading."""
    return title.lower().replace(" ", "-")


def fuzz_text(runs: Sequence[Mapping[str, Any]]) -> str:
    """Describe the saved fuzz runs: the total, and those of the newest run's rules."""
    if not runs:
        return ""
    rules = runs[-1]["rules"]
    total = sum(run["decisions"] for run in runs)
    newest = sum(run["decisions"] for run in runs if run["rules"] == rules)
    rows = [
        (
            f"{run['decisions']:,}",
            f"{run['games']:,}" if run["games"] else "not kept",
            run["seed"],
            f"{run['first']:,} to {run['first'] + run['cases'] - 1:,}",
            f"`{run['rules']}`",
            run["version"],
            f"{run['began']} to {run['ended']}, {run['starts']}",
        )
        for run in runs
    ]
    head = ("decisions", "games", "seed", "cases", "rules", "version", "days, starts")
    return (
        f"\nRandom play by [`monopoly-env fuzz`](fuzz.md) checked {total:,} decisions and found no error, "
        f"{newest:,} of them with the newest rules that were checked (source digest `{rules}`). "
        f"`docs/{RUNS_FILE}` lists the runs:\n\n"
        f"{table(head, rows)}"
    )


def page_of(tests: Path, folder: Path | None) -> dict[str, str]:
    """Return the page by name; ``folder`` holds the pages."""
    runs = [] if folder is None else read_runs(folder / RUNS_FILE)
    return {PAGE: trust_page(proofs(tests), runs)}
