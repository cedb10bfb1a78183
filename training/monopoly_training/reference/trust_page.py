"""The page of promises: what holds, how it is tested, and what is not promised.

A test says which promise it keeps by a marker, on the function or for its whole file::

    @pytest.mark.promise("determinism")
    pytestmark = pytest.mark.promise("determinism", "copies")

The page is made from these markers, which are read from the sources of the tests. A promise that
no test keeps is an error, and so is a marker that names no promise.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monopoly_training.common.markdown import NOTE, table
from monopoly_training.fuzz.kept_run import RUNS_FILE, read_runs

PAGE = "trust.md"
MARKER = "pytest.mark.promise"


@dataclass(frozen=True)
class Promise:
    """Something that users can rely on, and where it ends."""

    title: str
    holds: str
    ends: str = ""  # what is not promised


PROMISES: dict[str, Promise] = {
    "rules": Promise(
        "Rules",
        "Games follow the rule books. Where a book leaves room, [rules.md](rules.md) says how we "
        "read it. After every decision of random play, no invariant is broken: money, deeds, "
        "buildings and cards are all accounted for.",
        "Editions for which no rule book was at hand.",
    ),
    "chance": Promise(
        "Chance",
        "Dice are fair, each card is equally likely in each place of a shuffled deck, cards are "
        "drawn without replacement as the rule books say, dealt deeds and who begins are fair. "
        "Seeds that count up give independent games. Bots draw by seeds of their own, hashes from "
        "which the game's seed cannot be worked out.",
        "Protection against somebody who works the dice to come out from many dice seen: the "
        "generator is no cryptographic one. A bot can guess a small seed, by trying one after "
        "another; seed games with large random numbers where that matters.",
    ),
    "determinism": Promise(
        "Determinism",
        "The same seeds and the same calls give the same games, observations, records, results "
        "and files.",
        "Bots that look at the clock; training on a GPU, or with another number of threads for "
        "torch; another version of NumPy or torch for what they compute with floating point.",
    ),
    "everywhere": Promise(
        "Equal bytes everywhere",
        "Games, masks, observations and rewards have the same bytes on Python 3.11, 3.12 and 3.13, "
        "compiled or as plain Python (`NUMBA_DISABLE_JIT=1`), alone, in a batch or in threads, in "
        "one process or several. `make test-pythons` runs the golden tests on each Python there "
        "is.",
        "Records of NumPy in memory (`game.state`), whose layout may change with a version.",
    ),
    "records": Promise(
        "Records",
        "A saved game is replayed action by action to the same result, or refused with the version "
        "that wrote it.",
    ),
    "copies": Promise(
        "Exact copies",
        "A copy of a game or an environment, by `copy`, `pickle` or its state, goes on exactly as "
        "the original would, and neither changes the other.",
        "Copies that another version of the package reads.",
    ),
    "isolation": Promise(
        "Isolation",
        "Nothing that is handed to a caller or to a bot leads back into the game: what they write "
        "into it changes neither rules, nor masks, nor later observations.",
        "`python:` bots run in the same process, with its rights: they can do whatever Python can.",
    ),
    "bad_input": Promise(
        "Bad input",
        "Arguments, configs, records, positions, actions, models and bots that are wrong get one "
        "line that says where, what and how to put it right. Nothing is lost or half written.",
    ),
    "bots": Promise(
        "Faulty bots",
        "A bot that raises, answers what is not legal, hangs or floods its output costs that "
        "decision; the game, the tournament and its report go on, and say so.",
        "A `python:` bot that never returns, or ends the process, stops the process it runs in. "
        "Programs behind `exec:` are stopped after their time, but not confined: run those that "
        "you do not trust in a container.",
    ),
    "resume": Promise(
        "Interruption",
        "Whatever kills a training, a tournament or a search, what was finished is kept; resumed, "
        "it ends with the results of an undisturbed run.",
        "Results of bots that look at the clock.",
    ),
    "checksums": Promise(
        "Files",
        "What is written is written whole. Damage to what is read again is noticed and named with "
        "its place.",
        "Protection against forgery: checksums are not signatures.",
    ),
    "no_code": Promise(
        "Files run no code",
        "Reading a record, position, edition, config, data set or model runs nothing that is in "
        "it.",
        "`--trust` loads files that can run any code, such as Stable-Baselines3's `.zip`; "
        "`python:` and `exec:` run what they name.",
    ),
    "memory": Promise(
        "Memory",
        "Environments keep as much memory after millions of steps as after a few; readers stop at "
        "a stated limit; settings that need more memory than there is are refused before they "
        "start.",
        "What a caller keeps, and what Stable-Baselines3 and torch take on top of their buffers.",
    ),
    "limits": Promise(
        "Limits",
        "Whatever the rules allow, numbers stay in range to the last turn; every game ends.",
    ),
    "statistics": Promise(
        "Statistics",
        "95 % intervals hold the truth as often as they say, and the sequential test errs as "
        "rarely as it is told to, though the games of a seed are alike. Both are simulated.",
        "Win rates after an early stop are biased a little towards what was decided.",
    ),
    "api": Promise(
        "A stable interface",
        "Public names with their signatures, action ids, observation blocks, formats of files and "
        "options of the command line change only together with a version number and a line in "
        "CHANGELOG.md. `tests/golden/api` holds them as text.",
        "Names that begin with an underscore, and modules that no page of the documentation names.",
    ),
    "supply": Promise(
        "Dependencies",
        "`requirements.lock` names one set of versions that works; `requirements.hashes.txt` and "
        "`requirements.torch.txt` add the hashes of their files. [licenses.md](licenses.md) lists "
        "their licenses, `make sbom` writes a bill of materials, `make audit` looks up known "
        "vulnerabilities.",
        "A CPU build of torch comes from another index than PyPI, with a hash of its own.",
    ),
}


@dataclass(frozen=True)
class Proof:
    """A test that keeps a promise."""

    file: str  # in the folder of tests
    test: str  # its name


# Reading the tests


def proofs(folder: Path) -> dict[str, list[Proof]]:
    """The tests that keep each promise, file by file.

    Raises: ValueError for a marker that names no promise, and for a promise that no test keeps.
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
    """Each test of a module, with the promises it is marked with."""
    everywhere = [name for node in module.body for name in names_for_all(node)]
    for node in module.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            here = [name for one in node.decorator_list for name in names_in(one)]
            yield node.name, list(dict.fromkeys(everywhere + here))


def names_for_all(node: ast.stmt) -> Iterator[str]:
    """The promises that ``pytestmark = …`` marks every test of the file with."""
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
        for call in ast.walk(node.value):
            yield from names_in(call)


def names_in(node: ast.AST) -> Iterator[str]:
    """The promises that a marker names."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == MARKER:
        for argument in node.args:
            yield str(ast.literal_eval(argument))


# Writing the page


def trust_page(found: Mapping[str, list[Proof]], runs: Sequence[Mapping[str, Any]]) -> str:
    """The page, from the tests that keep each promise and the longest run of random play."""
    rows = [
        (f"[{promise.title}](#{anchor(promise.title)})", len(found[name]), promise.ends)
        for name, promise in PROMISES.items()
    ]
    head = (
        f"# What you can rely on\n\n{NOTE}Each promise is kept by tests that are marked with it; the "
        "sentences below are their names. All of them run in `make test`.\n\n"
    )
    summary = table(("promise", "tests", "what is not promised"), rows)
    sections = [section(promise, found[name]) for name, promise in PROMISES.items()]
    return "".join([head, summary, fuzz_text(runs), *sections])


def section(promise: Promise, tests: list[Proof]) -> str:
    """One promise with its tests, a line a file."""
    by_file: dict[str, list[str]] = {}
    for proof in tests:
        by_file.setdefault(proof.file, []).append(proof.test)
    lines = [
        f"- [{file}](../tests/{file}): {'; '.join(map(sentence, names))}\n"
        for file, names in by_file.items()
    ]
    ends = f"Not promised: {lower_first(promise.ends)}\n\n" if promise.ends else ""
    return f"\n## {promise.title}\n\n{promise.holds}\n\n{ends}{''.join(lines)}"


def sentence(test: str) -> str:
    """The name of a test in words."""
    return test.removeprefix("test_").replace("_", " ")


def lower_first(text: str) -> str:
    """A sentence that goes on after a colon."""
    return text[:1].lower() + text[1:] if not text.startswith("`") else text


def anchor(title: str) -> str:
    """Where a link to a heading leads."""
    return title.lower().replace(" ", "-")


def fuzz_text(runs: Sequence[Mapping[str, Any]]) -> str:
    """What the kept runs of random play come to: those of the newest run's rules together."""
    if not runs:
        return ""
    rules = runs[-1]["rules"]
    total = sum(run["decisions"] for run in runs if run["rules"] == rules)
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
        f"\nRandom play by [`monopoly-env fuzz`](fuzz.md) took {total:,} decisions under the rules whose "
        f"sources have the digest `{rules}`, and found nothing in them. `docs/{RUNS_FILE}` keeps the "
        f"runs that it is the sum of:\n\n{table(head, rows)}"
    )


def page_of(tests: Path, folder: Path | None) -> dict[str, str]:
    """The page by its name; ``folder`` is that of the pages."""
    runs = [] if folder is None else read_runs(folder / RUNS_FILE)
    return {PAGE: trust_page(proofs(tests), runs)}
