"""Rule cases: small positions from rule books, what is done in them, and what must be true after.

A case is data, a YAML list item; ``load_cases`` reads files of them strictly, ``run_case`` plays
one in one edition, ``run_paths`` does both for whole folders.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monopoly_env.cases.checks import Check, check_text, parse_expect
from monopoly_env.editions import Edition, EditionError, editions, load_edition
from monopoly_env.editions.loader import STANDARD
from monopoly_env.editions.values import PILES
from monopoly_env.engine import entry_points, new_game
from monopoly_env.engine.board import DEEDS, NOBODY, PLAYERS
from monopoly_env.engine.state import new_games
from monopoly_env.engine.turn import begin_turn
from monopoly_env.errors import InputError, Location, show
from monopoly_env.game import Game
from monopoly_env.notation import LETTERS
from monopoly_env.position.document import check_turn, run_to_decision
from monopoly_env.position.hidden import set_dice, set_pile
from monopoly_env.position.public_state import (
    GIVEN_KEYS,
    PositionError,
    flag,
    seat_in,
    set_table,
    square_of,
    unsound_text,
)
from monopoly_env.yaml_text import read_yaml

KEYS = (
    "id", "editions", "mode", "rules", "source", "say",
    "given", "dice", "chance", "chest", "do", "expect",
)  # fmt: skip
START_KEYS = ("players", "start", "deal")
NO_OPS = ("pass", "end_turn")
MAX_BYTES = 10_000_000
ENDINGS = (".yaml", ".yml")
MAX_WINDOWS = 1000  # passed over before a line; a guard, never reached


class CaseError(InputError):
    """A case that does not fit; one line that names the file, the case and the key."""


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
    """What must be true at a point."""

    where: str
    checks: tuple[Check, ...]


@dataclass(frozen=True, eq=False)
class Case:
    """One rule case, checked but for what depends on the edition."""

    id: str
    place: Location
    editions: tuple[str, ...]
    named: bool  # whether the case itself names its editions
    mode: str
    rules: dict[str, object]
    source: str
    say: str
    given: dict[str, object]
    players: int
    dice: list[object]
    piles: dict[str, list[str]]  # top cards
    steps: tuple[Act | Expect, ...]


@dataclass(frozen=True)
class Outcome:
    """What came of a case in an edition: nothing wrong, a failure, or a case that does not fit."""

    case: Case
    edition: str
    problem: str = ""
    misfit: bool = False

    def __str__(self) -> str:
        return (
            f"{self.case.place.file}: {self.case.id} [{self.edition}]: {self.problem or 'passed'}"
        )


# --- loading ---


def case_files(path: str | Path) -> list[Path]:
    """The YAML files of a path, in order. Raises: CaseError if there are none."""
    place, path = Location(str(path), error=CaseError), Path(path)
    if not path.exists():
        place.fail("there is no such file or folder")
    if not path.is_dir():
        return [path]
    files = sorted(file for end in ENDINGS for file in path.rglob(f"*{end}"))
    if not files:
        place.fail("this folder has no .yaml files")
    return files


def load_cases(path: str | Path) -> list[Case]:
    """The cases of one file. Raises: CaseError for the first thing that does not fit."""
    place = Location(str(path), error=CaseError)
    raw = read_yaml(Path(path), place, MAX_BYTES)
    if not isinstance(raw, list) or not raw:
        place.fail(f"must be a list of cases, '- id: ...', not {show(raw)}")
    cases: dict[str, Case] = {}
    for number, entry in enumerate(raw, 1):
        case = _case(entry, number, place)
        if case.id in cases:
            (place / case.id / "id").fail("stands twice in this file")
        cases[case.id] = case
    return list(cases.values())


def _case(raw: object, number: int, place: Location) -> Case:
    """One case of a file."""
    here = place / f"case {number}"
    if not isinstance(raw, Mapping):
        here.fail(f"must be a mapping with an id, not {show(raw)}")
    if "id" not in raw:
        (here / "id").fail("is missing")
    id_ = (here / "id").text(raw["id"])
    here = place / id_
    entry = here.mapping(raw, "key", KEYS)
    given = (here / "given").mapping(entry.get("given"))
    if "players" not in given:
        (here / "given" / "players").fail("is missing: say how many, 2 to 8")
    players = (here / "given" / "players").whole(given["players"], 2, PLAYERS)
    case = Case(
        id=id_,
        place=here,
        editions=_editions(entry.get("editions"), here / "editions"),
        named=entry.get("editions") is not None,
        mode=(here / "mode").text(entry.get("mode", STANDARD)),
        rules=(here / "rules").mapping(entry.get("rules")),
        source=_text(entry.get("source", ""), here / "source"),
        say=_text(entry.get("say", ""), here / "say"),
        given=_given(given, players, here / "given"),
        players=players,
        dice=_dice(entry.get("dice"), here / "dice"),
        piles={name: _cards(entry.get(name), here / name) for name in PILES},
        steps=tuple(_steps(entry, players, here)),
    )
    if not case.steps:
        here.fail("does nothing and expects nothing; add `do` or `expect`")
    return case


def _text(raw: object, place: Location) -> str:
    if not isinstance(raw, str):
        place.fail(f"must be text, not {show(raw)}; put it in quotes")
    return raw


def _editions(raw: object, place: Location) -> tuple[str, ...]:
    """The editions that a case names, ids or files; all built-in ones if it names none."""
    if raw is None:
        return editions()
    names = place.texts(raw)
    if not names:
        place.fail("names none; leave it out for all editions")
    for name in names:
        if name not in editions() and Path(name).suffix not in ENDINGS:
            place.fail_unknown(name, "edition", (*editions(), "the path of a YAML file"))
    return tuple(dict.fromkeys(names))


def _given(given: dict[str, object], players: int, place: Location) -> dict[str, object]:
    """The ``given`` section: a table, or the start of a game."""
    if not flag(given.get("start", False), place / "start"):
        place.mapping(given, "key", (*GIVEN_KEYS, "start", *LETTERS[:players]))
        if "deal" in given:
            (place / "deal").fail("needs start: true")
        return given
    place.mapping(given, "key beside start", START_KEYS)
    (place / "deal").mapping(given.get("deal"), "player", LETTERS[:players])
    return given


def _dice(raw: object, place: Location) -> list[object]:
    """The throws; their pips are checked here too."""
    set_dice(new_games(1)[0], raw, place)
    return list(raw) if isinstance(raw, list) else []


def _cards(raw: object, place: Location) -> list[str]:
    return [] if raw is None else place.texts(raw)


def _steps(entry: Mapping[str, object], players: int, place: Location) -> Iterator[Act | Expect]:
    """The lines of ``do``, and last what is expected in the end."""
    lines = entry.get("do")
    if lines is not None and not isinstance(lines, list):
        (place / "do").fail(f"must be a list of lines such as 'A roll', not {show(lines)}")
    for number, line in enumerate(lines or [], 1):
        here = place / "do" / str(number)
        if isinstance(line, str):
            yield _act(line, number, players, here)
        else:
            inner = here.mapping(line, "key", ("expect",))
            checks = parse_expect(inner.get("expect"), players, here / "expect")
            yield Expect(f"do {number}, expect", checks)
    if entry.get("expect") is not None:
        yield Expect("expect", parse_expect(entry["expect"], players, place / "expect"))


def _act(line: str, number: int, players: int, place: Location) -> Act:
    """``A roll``: a player's letter and an action."""
    letter, space, action = line.partition(" ")
    if not space:
        place.fail(f"must be a player and an action such as 'A roll', not {show(line)}")
    seat = seat_in(letter, players, place)
    check_text(action.strip(), players, place)
    return Act(number, seat, action.strip())


# --- setting up ---


def set_up(case: Case, edition: Edition) -> Game:
    """The game in which a case begins.

    Raises: CaseError for a position that the rules cannot reach in this edition.
    """
    games = new_games(1)
    game, rules = games[0], edition.rules[0]
    place = case.place / "given"
    try:
        if case.given.get("start"):
            _deal_and_begin(case, games, rules)
            entry_points.resume(games, 0, edition.rules, entry_points.NO_JOURNALS)
        else:
            set_table(game, rules, case.given, place)
            _set_hidden(case, game, rules)
            check_turn(game, place)
            run_to_decision(games, edition, place)
    except PositionError as problem:
        place.fail(str(problem))
    return Game.from_record(games, edition)


def _set_hidden(case: Case, game: Any, rules: Any) -> None:
    """Put the case's cards on top of the piles, and allow its throws only."""
    for name, pile in PILES.items():
        set_pile(game, rules, pile, case.piles[name], case.place / name)
    set_dice(game, case.dice, case.place / "dice")
    game["forced_only"] = 1


def _deal_and_begin(case: Case, games: Any, rules: Any) -> None:
    """A new game as its mode deals it, with the case's deeds, cards and throws."""
    game, log = games[0], entry_points.NO_JOURNALS[0]
    new_game.clear_game(game, rules, case.players)
    _set_hidden(case, game, rules)
    if "deal" in case.given:
        _deal(case, game, rules, log)
    else:
        new_game.deal_deeds(game, rules, log)
    game["starter"] = new_game.opening_throws(game, log)
    begin_turn(game, rules, log, int(game["starter"]))


def _deal(case: Case, game: Any, rules: Any, log: Any) -> None:
    """Deal the deeds that a case names."""
    place = case.place / "given" / "deal"
    count = int(rules["deal_count"])
    dealt = place.mapping(case.given["deal"])
    for seat in range(case.players):
        here = place / LETTERS[seat]
        ids = here.texts(dealt.get(LETTERS[seat], []))
        if len(ids) != count:
            here.fail(f"this mode deals {count} deeds to each player, not {len(ids)}")
        for id_ in ids:
            square = square_of(id_, DEEDS, here)
            if game["owner"][square] != NOBODY:
                here.fail(f"{id_} is dealt twice")
            new_game.deal_deed(game, rules, log, square, seat)


# --- running ---


def load_case_edition(case: Case, edition: str) -> Edition:
    """The edition of a run, in the case's mode and with its rules."""
    try:
        return load_edition(edition, case.mode, case.rules)
    except EditionError as problem:
        case.place.fail(str(problem))


def run_case(case: Case, edition: str) -> Outcome:
    """Play a case in one edition and say what came of it."""
    try:
        game = set_up(case, load_case_edition(case, edition))
    except CaseError as problem:
        return Outcome(case, edition, str(problem).removeprefix(f"{case.place.file}: "), True)
    return Outcome(case, edition, _play(case, game) or "")


def _play(case: Case, game: Game) -> str | None:
    """The first thing that goes wrong, None if nothing does."""
    if game.state["dice_missing"]:
        return "the opening throws need more dice than the case has"
    for step in case.steps:
        if isinstance(step, Expect):
            problem = _first_difference(step, game)
        else:
            problem = _act_on(step, game)
        if problem:
            return problem
    return None


def _first_difference(expect: Expect, game: Game) -> str | None:
    for check in expect.checks:
        if difference := check.test(game):
            return f"{expect.where}: {check.key}: {difference}"
    return None


def _act_on(act: Act, game: Game) -> str | None:
    """Pass over windows that the case does not mention, then act."""
    refused = ""
    for _ in range(MAX_WINDOWS):
        legal = [] if game.over else game.legal_actions()
        if game.actor_seat == act.seat and act.action in legal:
            return _step(act.action, f"{act}", game)
        if game.actor_seat == act.seat and not refused:
            refused = f"in {game.phase.name}: {game.why(act.action)}"
        no_op = next((text for text in NO_OPS if text in legal), None)
        if no_op is None:
            return _explain(act, game, refused)
        if problem := _step(no_op, f"{act}, passing over", game):
            return problem
    return f"{act}: {MAX_WINDOWS} windows were passed over, and no end of them"


def _step(action: str, where: str, game: Game) -> str | None:
    """Play one action; what breaks is a failure."""
    game.play(action)
    if game.state["dice_missing"]:
        return f"{where}: a throw is made, and the case has no dice left"
    if broken := game.status():
        return f"{where}: the position is unsound: {unsound_text(broken)}"
    return None


def _explain(act: Act, game: Game, refused: str) -> str:
    """Why a line cannot be played: what speaks against it, and who decides what instead."""
    reason = f" ({refused})" if refused else ""
    if game.over:
        return f"{act}: is not possible{reason}: the game is over"
    return (
        f"{act}: is not possible{reason}: {game.actor} decides, {game.phase.name}; "
        f"legal: {', '.join(game.legal_actions())}"
    )


def run_paths(
    paths: Iterable[str | Path], only: Sequence[str] | None = None
) -> Iterator[Outcome | CaseError]:
    """Run every case of every file; ``only`` names editions, ids or paths of edition files.

    A case that names no editions runs in any; an error stands for a file that does not fit.
    """
    for path in paths:
        try:
            files = case_files(path)
        except CaseError as problem:
            yield problem
            continue
        for file in files:
            try:
                cases = load_cases(file)
            except CaseError as problem:
                yield problem
                continue
            for case in cases:
                yield from (run_case(case, edition) for edition in _chosen(case, only))


def _chosen(case: Case, only: Sequence[str] | None) -> list[str]:
    """The editions a case runs in."""
    if only is None:
        return list(case.editions)
    return [name for name in only if name in case.editions or not case.named]
