"""The tasks behind ``monopoly-env suite``: make a set, score an agent or a file of answers."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from monopoly_env.errors import FileError
from monopoly_env.files import check_output_folder
from monopoly_training.common import stopping
from monopoly_training.common.compile_notice import announce
from monopoly_training.common.files import package_version
from monopoly_training.common.progress import Live
from monopoly_training.matches.bot_errors import ErrorLog
from monopoly_training.matches.entrants import entrant
from monopoly_training.matches.runner import Players
from monopoly_training.matches.workers import WorkOptions
from monopoly_training.suite.ask_agent import ask_all
from monopoly_training.suite.decisions import VERSION, DecisionSet, write_set
from monopoly_training.suite.kinds import SIZE
from monopoly_training.suite.make_set import SAMPLES, SEED, MakeOptions, make
from monopoly_training.suite.prompts import read_answers
from monopoly_training.suite.scoring import SuiteScore, score
from monopoly_training.suite.shipped import FILE, write_scores

FOLDER = Path("runs/suite")


def make_set(
    folder: Path | None,
    decisions: int | None,
    samples: int | None,
    seed: int | None,
    work: WorkOptions,
) -> tuple[Path, int]:
    """Make a set in a folder; return its file and the number of decisions. Raises: FileError."""
    folder = folder or FOLDER
    seed = SEED if seed is None else seed
    options = MakeOptions(decisions or SIZE, samples or SAMPLES, seed)
    stopping.resume_with()
    with Live() as progress:
        rows = make(folder, options, work, progress)
    path = folder / f"set_{VERSION}.jsonl.gz"
    made = {
        "command": f"monopoly-env suite make --decisions {options.decisions} "
        f"--samples {options.samples} --seed {options.seed}",
        **options.settings(),
        "decisions": options.decisions,
        "samples": options.samples,
        "version": package_version("monopoly-env"),
    }
    return path, write_set(path, rows, made)


def score_agent(name: str, chosen: DecisionSet, trust: bool) -> SuiteScore:
    """Score a bot on a set. Raises: AgentError if the bot cannot be loaded."""
    asked, errors = entrant(name, trust), ErrorLog()
    stopping.set_discard_message("a score keeps nothing; the same command asks again")
    with Live() as progress, closing(Players([asked], errors)) as players:
        announce(progress, "sequential")
        (agent,) = players.agents([0])
        answers = ask_all(agent, asked.name, chosen.decisions, errors, progress)
    return score(asked.name, chosen, answers)


def write_page(folder: Path, chosen: DecisionSet) -> Path:
    """Score the included bots and write the file from which docs/suite.md is generated."""
    check_output_folder(folder, FileError.at(folder), (FILE,))
    return write_scores(folder, chosen, lambda bot: score_agent(bot, chosen, trust=False))


def score_answers(name: str, path: Path, chosen: DecisionSet) -> SuiteScore:
    """Score a file of answers. Raises: FileError."""
    return score(name, chosen, read_answers(path, chosen.decisions))
