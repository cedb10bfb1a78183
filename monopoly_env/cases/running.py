"""Runs rule cases: sets one up in an edition, plays it, and reports the first problem."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monopoly_env.cases.loading import Act, Case, Expect, case_files, load_cases
from monopoly_env.editions import Edition, load_edition
from monopoly_env.editions.values import PILES
from monopoly_env.engine import entry_points, new_game
from monopoly_env.engine.board import DEEDS, NOBODY
from monopoly_env.engine.state import new_games
from monopoly_env.engine.turn import begin_turn
from monopoly_env.errors import CaseError, EditionError, PositionError
from monopoly_env.game import Game
from monopoly_env.notation import LETTERS
from monopoly_env.position.document import check_turn, run_to_decision
from monopoly_env.position.hidden import set_dice, set_pile
from monopoly_env.position.public_state import (
    set_bank_balance,
    set_public_state,
    square_of,
    unsound_text,
)

NO_OPS = ("pass", "end_turn")
MAX_WINDOWS = 1000  # windows skipped before a line; guards against endless loops


@dataclass(frozen=True)
class Outcome:
    """The outcome of a case in an edition: passed, failed, or not applicable (``misfit``)."""

    case: Case
    edition: str
    problem: str = ""
    misfit: bool = False

    def __str__(self) -> str:
        return f"{self.case.location.file}: {self.case.id} [{self.edition}]: {self.problem or 'passed'}"


# --- setting up ---


def set_up(case: Case, edition: Edition) -> Game:
    """Return the game at the start of a case.

    Raises: CaseError for a position that the rules cannot reach in this edition.
    """
    games = new_games(1)
    game, rules = games[0], edition.rules[0]
    location = case.location / "given"
    try:
        if case.given.get("start"):
            _deal_and_begin(case, games, rules)
            entry_points.resume(games, 0, edition.rules, entry_points.NO_JOURNALS)
        else:
            set_public_state(game, rules, case.given, location)
            set_bank_balance(game, location)
            _set_hidden(case, game, rules)
            check_turn(game, location)
            run_to_decision(games, edition, location)
    except PositionError as problem:
        location.fail(str(problem))
    return Game.from_record(games, edition)


def _set_hidden(case: Case, game: Any, rules: Any) -> None:
    """Put the case's cards on top of the decks, and allow only its throws."""
    for name, pile in PILES.items():
        set_pile(game, rules, pile, case.piles[name], case.location / name)
    set_dice(game, case.dice, case.location / "dice")
    game["forced_only"] = 1


def _deal_and_begin(case: Case, games: Any, rules: Any) -> None:
    """Start a new game in its mode, with the case's deeds, cards and throws."""
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
    """Deal the deeds that a case names. Raises: CaseError."""
    location = case.location / "given" / "deal"
    count = int(rules["deal_count"])
    dealt = location.mapping(case.given["deal"])
    for seat in range(case.players):
        here = location / LETTERS[seat]
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
    """Return an edition with the case's mode and rules. Raises: CaseError."""
    try:
        return load_edition(edition, case.mode, case.rules)
    except EditionError as problem:
        case.location.fail(str(problem))


def run_case(case: Case, edition: str) -> Outcome:
    """Run a case in one edition and return its outcome."""
    try:
        game = set_up(case, load_case_edition(case, edition))
    except CaseError as problem:
        return Outcome(case, edition, str(problem).removeprefix(f"{case.location.file}: "), True)
    return Outcome(case, edition, _play(case, game) or "")


def _play(case: Case, game: Game) -> str | None:
    """Play a case; return the first problem, or None."""
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
    """Pass in windows that the case does not mention, then play the action."""
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
    """Play one action; return a problem if dice run out or an invariant breaks."""
    game.play(action)
    if game.state["dice_missing"]:
        return f"{where}: a throw is made, and the case has no dice left"
    if broken := game.status():
        return f"{where}: the position is unsound: {unsound_text(broken)}"
    return None


def _explain(act: Act, game: Game, refused: str) -> str:
    """Return why a line cannot be played, who decides instead, and what is legal."""
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
    """Run every case of every file; ``only`` names editions, as ids or paths of edition files.

    A case that names no editions runs in any. A file that cannot be read yields its error.
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
    """Return the editions in which a case runs."""
    if only is None:
        return list(case.editions)
    return [name for name in only if name in case.editions or not case.named]
