"""The short form of ``make test-kills``: every command is killed at random and gone on with."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.training import kills

pytestmark = [
    pytest.mark.promise("resume"),
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc"),
]
NEEDS = {"train": "sb3_contrib", "tune": "cma", "league": "sb3_contrib", "generate": "pyarrow"}


@pytest.mark.parametrize("name", kills.COMMANDS)
def test_killed_and_gone_on_with(name: str, tmp_path: Path) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    told = kills.kill_and_go_on(name, 2, 1, tmp_path)
    assert sum("kill" in line for line in told) == 2


def test_a_difference_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = iter([1, 2])
    command = kills.Command(("docs", "--help"), "x", lambda _: next(results), lambda _: ())
    monkeypatch.setattr(
        command.__class__, "line", lambda *_: [sys.executable, "-c", "import time; time.sleep(3)"]
    )
    monkeypatch.setitem(kills.COMMANDS, "none", command)
    with pytest.raises(kills.Failed, match="differs from"):
        kills.kill_and_go_on("none", 1, 1, tmp_path)
