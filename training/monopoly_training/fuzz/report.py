"""Report a fuzz run: its coverage, or how to reproduce the fault."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from monopoly_env.engine.actions import N_ACTIONS, TEXTS
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.why import Why
from monopoly_env.game import Game
from monopoly_training.common.files import write_atomic
from monopoly_training.common.progress import clock
from monopoly_training.fuzz.cases import Failure
from monopoly_training.fuzz.kernel import CLOSELY
from monopoly_training.fuzz.run import Outcome, Plan

TOLD = 20  # actions shown on the terminal; the file has all
NEVER = {"to:jail", "to:go_to_jail"}  # actions that are never legal
# Reasons that only apply to text that is no action, or to games that are over
ELSEWHERE = {Why.NO_SUCH_ACTION, Why.NOT_A_DEED, Why.NOT_A_STEP, Why.NOT_A_STREET, Why.GAME_OVER}


def summary(outcome: Outcome) -> Iterator[str]:
    """Yield what was played, what was checked, and what never came up."""
    seen = outcome.seen
    speed = seen.decisions / outcome.seconds if outcome.seconds > 0 else 0.0
    yield (
        f"{seen.decisions:,} decisions of {seen.games:,} games under {seen.cases:,} settings in "
        f"{clock(outcome.seconds)} ({speed:,.0f}/s), seed {outcome.plan.seed}: all sound"
    )
    yield (
        "checked at each: invariants, the journal's money and property, `why` of one action; at "
        f"1 in {CLOSELY}: all actions, observations, places; at 1 in {outcome.plan.per_case:,}: copies, YAML, "
        "records, refusals"
    )
    if not seen.counts:
        return
    actions, reasons, phases = (seen.counts[name] for name in ("actions", "reasons", "phases"))
    never = [TEXTS[i] for i in range(N_ACTIONS) if actions[i] == 0 and TEXTS[i] not in NEVER]
    missing = [p.name for p in Phase if p is not Phase.OVER and phases[p] == 0]
    unmet = [w.name for w in Why if reasons[w] == 0 and w not in ELSEWHERE]
    for what, names in (("phases", missing), ("actions", never), ("reasons", unmet)):
        if names:
            yield f"{what} that never came up: {', '.join(names[:TOLD])}" + (
                f" and {len(names) - TOLD} more" if len(names) > TOLD else ""
            )


def story(failure: Failure, plan: Plan) -> Iterator[str]:
    """Yield the lines about a failure: what, where, and how to reproduce it."""
    case, seed = failure.case, plan.seed
    edition = "" if plan.generated is None else f" --edition {plan.generated.id}"
    detail = f": {failure.detail}" if failure.detail else ""
    yield f"FAILED in case {case.number} of seed {seed}: {failure.fault} ({failure.fault.name}){detail}"
    yield (
        f"repeat: monopoly-env fuzz --seed {seed} --first {case.number} "
        f"--decisions {case.decisions}{edition}"
    )
    yield f"setting: {case.setting}"
    if not failure.repeats:
        yield "the same actions, taken again, lead to no fault: suspect memory, or the machine"
    yield (
        f"the shortest prefix that fails has {len(failure.actions)} of the {failure.taken} actions"
        " that were taken in that game"
    )


def transcript(failure: Failure) -> Iterator[str]:
    """Yield the failing game's actions and events, as far as it can be played."""
    try:
        game = Game.from_record(failure.start, failure.case.setting.load(), journal=True)
        for number, action in enumerate(failure.actions, 1):
            line = f"{number:5} {game.phase.name:8} {game.actor} {game.text(action):<20}"
            game.play(action)
            yield f"{line} {'; '.join(str(event) for event in game.journal())}".rstrip()
    except Exception as problem:  # noqa: BLE001 (the game is faulty: report whatever happens)
        yield f"cannot be replayed further: {type(problem).__name__}: {problem}"


def write_files(failure: Failure, plan: Plan, folder: Path) -> list[Path]:
    """Write the failure's report with its full transcript and, if possible, its record."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"fuzz-{plan.seed}-{failure.case.number}.txt"
    edition = failure.case.setting.load()
    parts = [*story(failure, plan), "", *transcript(failure), ""]
    written = [path]
    try:
        game = Game.from_record(failure.start, edition)
        parts += ["the game began with:", game.to_yaml()]
        for action in failure.actions:
            game.play(action)
        record = path.with_suffix(".jsonl")
        write_atomic(record, json.dumps(game.record()) + "\n")
        written.append(record)
    except Exception as problem:  # noqa: BLE001 (as above)
        parts.append(f"no record can be made of it: {type(problem).__name__}: {problem}")
    write_atomic(path, "\n".join(parts) + "\n")
    return written
