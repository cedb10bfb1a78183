"""docs/write_a_bot.md as a reader follows it: files are saved, code and commands are run, in order."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "write_a_bot.md").read_text(encoding="utf-8")
SECTIONS = [text for text in re.split(r"^## ", PAGE, flags=re.MULTILINE) if "```" in text]
LONGEST = 600  # seconds that a block may take, so that one that waits for ever fails
FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the file it is saved as, if any, and its text."""

    language: str
    file: str
    text: str


def blocks(section: str) -> list[Block]:
    return [Block(*found) for found in FENCE.findall(section)]


FILES = {block.file: block.text for block in blocks(PAGE) if block.file}


def environment(folder: Path) -> dict[str, str]:
    """The commands of this Python; what pip installs goes into the folder, without a network."""
    site = folder / "site"
    return os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(site),
        "PIP_TARGET": str(site),
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip reads this as: none
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


def run(block: Block, folder: Path) -> str:
    """What a block prints; it must succeed."""
    shell = ["bash", "-ec", block.text]
    done = subprocess.run(
        shell if block.language == "sh" else [sys.executable, "-c", block.text],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST,
    )
    assert done.returncode == 0, done.stderr
    assert "said once" not in done.stderr  # no fault of a program
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("section", SECTIONS, ids=lambda text: text.partition("\n")[0])
def test_a_section_works_as_written(section: str, tmp_path: Path) -> None:
    for file, text in FILES.items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    for block in blocks(section):
        if not block.file:
            out = run(block, tmp_path)
            assert out or "envs" in block.text


def test_every_block_is_run_or_saved() -> None:
    found = blocks(PAGE)
    assert len(found) * 2 == len(re.findall("^```", PAGE, re.MULTILINE))
    assert len(FILES) == 8
    assert {block.language for block in found if not block.file} == {"sh", "python"}


def test_links_lead_somewhere() -> None:
    for page in ("write_a_bot.md", "protocol.md"):
        text = (DOCS / page).read_text(encoding="utf-8")
        for link in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", text):
            assert link.startswith("https://") or (DOCS / link).exists(), link
