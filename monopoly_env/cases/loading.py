"""Reads files of rule cases and checks everything that does not depend on the edition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from monopoly_env.cases.checks import Check, check_text, parse_expect
from monopoly_env.editions import STANDARD, editions, is_generated
from monopoly_env.editions.values import PILES
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.state import new_games
from monopoly_env.errors import CaseError, Location, show
from monopoly_env.notation import LETTERS
from monopoly_env.position.hidden import set_dice
from monopoly_env.position.public_state import GIVEN_KEYS, flag, seat_in
from monopoly_env.yaml_text import read_yaml

KEYS = (
    "id",
    "editions",
    "mode",
    "rules",
    "source",
    "say",
    "given",
    "dice",
    "chance",
    "chest",
    "do",
    "expect",
)
START_KEYS = ("players", "start", "deal")
MAX_BYTES = 10_000_000
ENDINGS = (".yaml", ".yml")


@dataclass(frozen=True)
class Act:
    """One line of ``do``: a player's action."""

    number: int
    seat: int
    action: str

    def __str__(self) -> str:
        return f"do {self.number} ({LETTERS[self.seat]} {self.action})"


@dataclass(frozen=True)
class Expect:
    """The expectations at one point of a case."""

    where: str
    checks: tuple[Check, ...]


@dataclass(frozen=True, eq=False)
class Case:
    """One rule case, checked except for what depends on the edition."""

    id: str
    location: Location
    editions: tuple[str, ...]
    named: bool  # whether the case itself names its editions
    mode: str
    rules: dict[str, object]
    source: str
    description: str
    given: dict[str, object]
    players: int
    dice: list[object]
    piles: dict[str, list[str]]  # top cards
    steps: tuple[Act | Expect, ...]


def case_files(path: str | Path) -> list[Path]:
    """Return the YAML files at a path, in order. Raises: CaseError if there are none."""
    location, path = CaseError.at(path), Path(path)
    if not path.exists():
        location.fail("there is no such file or folder")
    if not path.is_dir():
        return [path]
    files = sorted(file for end in ENDINGS for file in path.rglob(f"*{end}"))
    if not files:
        location.fail("this folder has no .yaml files")
    return files


def load_cases(path: str | Path) -> list[Case]:
    """Return the cases of a file. Raises: CaseError for the first problem."""
    location = CaseError.at(path)
    raw = read_yaml(Path(path), location, MAX_BYTES)
    if not isinstance(raw, list) or not raw:
        location.fail(f"must be a list of cases, '- id: ...', not {show(raw)}")
    cases: dict[str, Case] = {}
    for number, entry in enumerate(raw, 1):
        case = _case(entry, number, location)
        if case.id in cases:
            (location / case.id / "id").fail("occurs twice in this file")
        cases[case.id] = case
    return list(cases.values())


def _case(raw: object, number: int, location: Location) -> Case:
    """Return one case of a file. Raises: CaseError."""
    here = location / f"case {number}"
    if not isinstance(raw, Mapping):
        here.fail(f"must be a mapping with an id, not {show(raw)}")
    if "id" not in raw:
        (here / "id").fail("is missing")
    id_ = (here / "id").text(raw["id"])
    here = location / id_
    entry = here.mapping(raw, "key", KEYS)
    given = (here / "given").mapping(entry.get("given"))
    if "players" not in given:
        (here / "given" / "players").fail("is missing: say how many, 2 to 8")
    players = (here / "given" / "players").whole(given["players"], 2, PLAYERS)
    case = Case(
        id=id_,
        location=here,
        editions=_editions(entry.get("editions"), here / "editions"),
        named=entry.get("editions") is not None,
        mode=(here / "mode").text(entry.get("mode", STANDARD)),
        rules=(here / "rules").mapping(entry.get("rules")),
        source=_text(entry.get("source", ""), here / "source"),
        description=_text(entry.get("say", ""), here / "say"),
        given=_given(given, players, here / "given"),
        players=players,
        dice=_dice(entry.get("dice"), here / "dice"),
        piles={name: _cards(entry.get(name), here / name) for name in PILES},
        steps=tuple(_steps(entry, players, here)),
    )
    if not case.steps:
        here.fail("does nothing and expects nothing; add `do` or `expect`")
    return case


def _text(raw: object, location: Location) -> str:
    if not isinstance(raw, str):
        location.fail(f"must be text, not {show(raw)}; put it in quotes")
    return raw


def _editions(raw: object, location: Location) -> tuple[str, ...]:
    """Return the editions that a case names (ids or files), or all built-in ones."""
    if raw is None:
        return editions()
    names = location.texts(raw)
    if not names:
        location.fail("names none; leave it out for all editions")
    for name in names:
        known = name in editions() or is_generated(name) or Path(name).suffix in ENDINGS
        if not known:
            location.fail_unknown(name, "edition", (*editions(), "the path of a YAML file"))
    return tuple(dict.fromkeys(names))


def _given(given: dict[str, object], players: int, location: Location) -> dict[str, object]:
    """Return the ``given`` section: a position, or the start of a game."""
    if not flag(given.get("start", False), location / "start"):
        location.mapping(given, "key", (*GIVEN_KEYS, "start", *LETTERS[:players]))
        if "deal" in given:
            (location / "deal").fail("needs start: true")
        return given
    location.mapping(given, "key beside start", START_KEYS)
    (location / "deal").mapping(given.get("deal"), "player", LETTERS[:players])
    return given


def _dice(raw: object, location: Location) -> list[object]:
    """Return the throws after checking them."""
    set_dice(new_games(1)[0], raw, location)
    return list(raw) if isinstance(raw, list) else []


def _cards(raw: object, location: Location) -> list[str]:
    return [] if raw is None else location.texts(raw)


def _steps(entry: Mapping[str, object], players: int, location: Location) -> Iterator[Act | Expect]:
    """Yield the lines of ``do``, and finally the expected result."""
    lines = entry.get("do")
    if lines is not None and not isinstance(lines, list):
        (location / "do").fail(f"must be a list of lines such as 'A roll', not {show(lines)}")
    for number, line in enumerate(lines or [], 1):
        here = location / "do" / str(number)
        if isinstance(line, str):
            yield _act(line, number, players, here)
        else:
            inner = here.mapping(line, "key", ("expect",))
            checks = parse_expect(inner.get("expect"), players, here / "expect")
            yield Expect(f"do {number}, expect", checks)
    if entry.get("expect") is not None:
        yield Expect("expect", parse_expect(entry["expect"], players, location / "expect"))


def _act(line: str, number: int, players: int, location: Location) -> Act:
    """Parse a line such as ``A roll``: a player's letter and an action."""
    letter, space, action = line.partition(" ")
    if not space:
        location.fail(f"must be a player and an action such as 'A roll', not {show(line)}")
    seat = seat_in(letter, players, location)
    check_text(action.strip(), players, location)
    return Act(number, seat, action.strip())
