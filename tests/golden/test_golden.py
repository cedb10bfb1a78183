"""Golden transcripts replay line by line, and together they show every kind of action."""

from __future__ import annotations

import pytest

from monopoly_env.engine.actions import ACTIONS, KINDS
from monopoly_env.engine.phases import Phase
from tests.golden.transcripts import FOLDER, SETTINGS, begin, line

pytestmark = pytest.mark.promise("rules", "determinism")


def written(name: str) -> list[str]:
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()[1:]


@pytest.mark.parametrize("name", SETTINGS)
def test_transcript(name: str) -> None:
    game = begin(name)
    for number, expected in enumerate(written(name), 2):
        action = expected.split(" | ")[0]
        assert line(game, action) == expected, f"{name}.txt, line {number}"


def test_no_transcript_is_missing() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(SETTINGS)


def test_every_kind_of_action_in_every_phase_is_shown() -> None:
    shown: set[tuple[str, str]] = set()
    for name in SETTINGS:
        phase = Phase.TURN.name
        for text in written(name):
            kind = text.split(" | ")[0].split()[1].split(":")[0]
            shown.add((kind, phase))
            phase = text.split()[-1]
    assert {kind for kind, _ in shown} == set(KINDS)
    assert {phase for _, phase in shown} == {phase.name for phase in Phase} - {"OVER"}
    own = {
        (action.name, phase.name)
        for action in ACTIONS
        for phase in action.phases
        if len(action.phases) <= 2
    }
    assert own - shown == set()
