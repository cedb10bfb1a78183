"""Generates ``dispatch.py`` from the action table, because Numba cannot cache code made by exec.

Imports only :mod:`monopoly_env.engine.actions`, so that it works even if the dispatch is outdated.
Run ``python -m monopoly_env.engine.write_dispatch``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from monopoly_env.engine.actions import (
    ACTIONS,
    ARGUMENTS,
    KINDS,
    WINDOWS,
    Action,
)
from monopoly_env.engine.phases import Phase

TARGET = Path(__file__).with_name("dispatch.py")


def _function(reference: str) -> str:
    return reference.split(":")[1]


FIXED_IMPORTS = {
    "actions": ("BASE", "DEED_INDEX", "KIND_OF", "STREET_INDEX", "VALUE_OF"),
    "board": ("PLAYERS",),
    "deeds": ("deed_bits", "item_bits"),
    "journal": ("Log",),
    "phases": ("Phase",),
    "rules": ("RuleSet",),
    "state": ("GameState", "Int64s"),
    "why": ("Why",),
}


def _imports() -> Iterator[str]:
    """Yield one sorted import per rule module, with the functions that the table names."""
    names: dict[str, set[str]] = {module: set(row) for module, row in FIXED_IMPORTS.items()}
    for action in ACTIONS:
        for reference in (action.legal, action.apply, action.candidates, action.exactly):
            if reference:
                module, function = reference.split(":")
                names.setdefault(module, set()).add(function)
    yield "from monopoly_env.compiler.bits import bit, lowest"
    yield "from monopoly_env.compiler.jit import jit"
    for module in sorted(names):
        yield f"from monopoly_env.engine.{module} import {', '.join(sorted(names[module]))}"


def _header() -> Iterator[str]:
    yield '"""Written by write_dispatch.py from the table in actions.py. Do not edit."""'
    yield ""
    yield "from __future__ import annotations"
    yield ""
    yield "from enum import IntEnum"
    yield ""
    yield from _imports()


def _kinds() -> Iterator[str]:
    yield ""
    yield ""
    yield "class Kind(IntEnum):"
    yield '    """The kinds of action, as named in the table."""'
    yield ""
    for index, name in enumerate(KINDS):
        yield f"    {name.upper()} = {index}"


def _value(name: str) -> str:
    """Return the expression for an action's argument."""
    if ARGUMENTS[name].name == "none":
        return "0"
    if ARGUMENTS[name].name == "seat":
        return "seat_of(game, VALUE_OF[action])"
    return "int(VALUE_OF[action])"


def _phase_test(phases: tuple[Phase, ...]) -> str:
    return " or ".join(f"phase == Phase.{phase.name}" for phase in phases)


def _rows(name: str) -> list[Action]:
    return [action for action in ACTIONS if action.name == name]


def _seat_of() -> str:
    return '''

@jit
def seat_of(game: GameState, left: int) -> int:
    """Return the seat ``left`` places to the actor's left; PLAYERS if there is none."""
    if left >= game.players:
        return PLAYERS
    seat = int(game.actor) + left
    return seat if seat < game.players else seat - int(game.players)


@jit
def seat_bits(game: GameState, seats: int) -> int:
    """Reorder a bit mask of other seats to begin with the actor's left neighbor."""
    if seats == 0:  # also without a running game
        return 0
    first = int(game.actor) + 1
    return seats >> first | (seats & (bit(first) - 1)) << (int(game.players) - first)
'''


def _why() -> Iterator[str]:
    yield ""
    yield ""
    yield "@jit"
    yield "def why(game: GameState, rules: RuleSet, action: int) -> int:"
    yield '    """Return why an action is illegal, or Why.OK."""'
    yield "    phase = game.phase"
    yield "    kind = KIND_OF[action]"
    yield "    if phase == Phase.OVER:"
    yield "        return Why.GAME_OVER"
    for name in KINDS:
        for action in _rows(name):
            yield f"    if kind == Kind.{name.upper()} and ({_phase_test(action.phases)}):"
            yield f"        return {_function(action.legal)}(game, rules, {_value(name)})"
    yield "    return Why.WRONG_PHASE"


def _apply() -> Iterator[str]:
    yield ""
    yield ""
    yield "@jit"
    yield "def apply(game: GameState, rules: RuleSet, log: Log, action: int) -> None:"
    yield '    """Perform a legal action."""'
    yield "    phase = game.phase"
    yield "    kind = KIND_OF[action]"
    first = True
    for name in KINDS:
        rows = _rows(name)
        for action in rows:
            test = f"kind == Kind.{name.upper()}"
            if len(rows) > 1:
                test += f" and ({_phase_test(action.phases)})"
            yield f"    {'if' if first else 'elif'} {test}:"
            yield f"        {_function(action.apply)}(game, rules, log, {_value(name)})"
            first = False


def _bits(action: Action) -> Iterator[str]:
    """Yield a function that checks ``legal`` for a row's candidates; none for plain actions."""
    name, argument = action.name, action.argument
    legal = _function(action.legal)
    yield ""
    yield ""
    yield "@jit"
    yield f"def bits_{name}(game: GameState, rules: RuleSet) -> int:"
    yield f'    """Return the legal ``{name}`` actions: bit k is the kind\'s k-th id."""'
    if action.exactly:
        legal_values = f"{_function(action.exactly)}(game, rules)"
        yield f"    return {argument.name}_bits({'game, ' * (argument.name == 'seat')}{legal_values})"
        return
    yield "    bits = 0"
    if action.candidates:
        index = {"group": "value", "offer": "value"}.get(
            argument.name, f"{argument.name.upper()}_INDEX[value]"
        )
        yield f"    remaining = {_function(action.candidates)}(game, rules)"
        yield "    while remaining != 0:"
        yield "        value = lowest(remaining)"
        yield "        remaining &= remaining - 1"
        yield f"        if {legal}(game, rules, value) == Why.OK:"
        yield f"            bits |= bit({index})"
    else:
        yield f"    base = BASE[Kind.{name.upper()}]"
        yield f"    for index in range({len(argument.values)}):"
        yield f"        if {legal}(game, rules, int(VALUE_OF[base + index])) == Why.OK:"
        yield "            bits |= bit(index)"
    yield "    return bits"


def _fill(action: Action, indent: str) -> Iterator[str]:
    """Yield the line that fills one kind's bits."""
    kind = f"Kind.{action.name.upper()}"
    if action.argument.name == "none":
        yield f"{indent}bits[{kind}] = 1 if {_function(action.legal)}(game, rules, 0) == Why.OK else 0"
    else:
        yield f"{indent}bits[{kind}] = bits_{action.name}(game, rules)"


def _legal() -> Iterator[str]:
    yield ""
    yield ""
    yield "@jit"
    yield "def legal_bits(game: GameState, rules: RuleSet, bits: Int64s) -> None:"
    yield '    """Write the legal actions of each kind: bit k of bits[kind] is its k-th id."""'
    yield "    bits[:] = 0"
    yield "    phase = game.phase"
    managing = [a for a in ACTIONS if set(WINDOWS) <= set(a.phases)]
    raising = [a for a in managing if Phase.BUY in a.phases]
    windows_only = [a for a in managing if a not in raising]
    yield f"    if {_phase_test(WINDOWS)}:"
    for action in windows_only:
        yield from _fill(action, "        ")
    yield f"    if {_phase_test(raising[0].phases)}:"
    for action in raising:
        yield from _fill(action, "        ")
    first = True
    for phase in Phase:
        rows = [
            a
            for a in ACTIONS
            if phase in a.phases and not (a in raising or (a in windows_only and phase in WINDOWS))
        ]
        if not rows:
            continue
        yield f"    {'if' if first else 'elif'} phase == Phase.{phase.name}:"
        first = False
        for action in rows:
            yield from _fill(action, "        ")


def _has_choice() -> Iterator[str]:
    yield ""
    yield ""
    yield "@jit"
    yield "def has_choice(game: GameState, rules: RuleSet) -> bool:"
    yield '    """Return whether the actor can do anything in a window but pass."""'
    managing = [a for a in ACTIONS if set(WINDOWS) <= set(a.phases)]
    costly = ("deal", "propose")  # checked last
    cheap_first = sorted(managing, key=lambda action: action.name in costly)
    tests = [f"bits_{a.name}(game, rules) != 0" for a in cheap_first]
    yield "    return bool("
    yield "        " + "\n        or ".join(tests)
    yield "    )"


def dispatch_source() -> str:
    """Return the text of ``dispatch.py``, before formatting."""
    lines = [*_header(), *_kinds(), _seat_of().rstrip("\n"), *_why(), *_apply()]
    for action in ACTIONS:
        if action.argument.name != "none":
            lines.extend(_bits(action))
    lines.extend([*_legal(), *_has_choice()])
    return "\n".join(lines) + "\n"


def write_dispatch(target: Path = TARGET) -> None:
    """Write the file; ``ruff format`` gives it its final shape."""
    target.write_text(dispatch_source(), encoding="utf-8")


if __name__ == "__main__":
    write_dispatch()
