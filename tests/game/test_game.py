"""Game: what is legal, playing, refusing, copying, hiding."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from monopoly_env import Game, IllegalAction, Why, load_edition
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.phases import Phase
from monopoly_env.errors import EditionError, InputError
from tests.game.random_play import DEBTOR, play_randomly, played

# --- starting ---


@pytest.mark.promise("determinism")
def test_equal_seeds_give_equal_games() -> None:
    assert played(200) == played(200)
    assert Game(seed=1) != Game(seed=2)
    assert Game(seed=1) != Game(seed=1, rules={"salary": 400})
    assert Game(seed=1) != 1
    assert Game().seed != Game().seed


def test_an_edition_can_be_handed_over() -> None:
    edition = load_edition("pokemon_fr2000", "short", {"salary": 400})
    game = Game(edition, players=3, seed=1)
    assert game.edition is edition
    assert game == Game("pokemon_fr2000", 3, 1, mode="short", rules={"salary": 400})


def test_a_position_may_have_an_edition_that_is_loaded() -> None:
    edition = load_edition("kanto2014", rules={"salary": 400})
    game = Game.from_position({"players": 2, "edition": "classic"}, edition=edition, seed=1)
    assert game.edition is edition


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    "changes", [{"mode": "short"}, {"rules": {"salary": 400}}, {"rules": {"no_such_rule": 1}}]
)
def test_an_edition_that_is_loaded_is_not_changed(changes: dict[str, Any]) -> None:
    edition = load_edition("kanto2014")
    says = r"^edition: is loaded already; give mode and rules \(.*\) to load_edition$"
    with pytest.raises(InputError, match=says):
        Game(edition, **changes)
    with pytest.raises(InputError, match=says):
        Game.from_position({"players": 2}, edition=edition, **changes)


def test_rules_of_a_position_do_not_change_a_loaded_edition() -> None:
    position = {"players": 2, "rules": {"salary": 400}}
    with pytest.raises(InputError, match="edition: is loaded already"):
        Game.from_position(position, edition=load_edition("classic"))


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"edition": "clasic"}, "did you mean 'classic'"),
        ({"edition": 3}, "edition: must be an id or the path"),
        ({"mode": "long"}, "has no mode 'long'"),
        ({"rules": {"salry": 3}}, "did you mean 'salary'"),
        ({"players": 1}, "players: classic is for 2 to 8 players, not 1"),
        ({"players": 9}, "players: classic is for 2 to 8 players, not 9"),
        ({"edition": "mini", "players": 4}, "players: mini is for 2 players, not 4"),
        ({"players": 7, "edition": "kanto2014"}, "override the rule max_players with 7"),
        ({"players": "4"}, "players: must be a whole number, not '4'"),
        ({"players": True}, "players: must be a whole number, not True"),
        ({"seed": -1}, "seed: must be a whole number from 0"),
        ({"seed": 2**63}, "seed: must be a whole number from 0"),
        ({"seed": "7"}, "seed: must be a whole number from 0"),
    ],
)
def test_what_does_not_fit_is_one_line(arguments: dict[str, object], says: str) -> None:
    with pytest.raises(InputError) as caught:
        Game(**arguments)  # type: ignore[arg-type]
    of_the_edition = arguments.keys().isdisjoint({"players", "seed"})
    assert isinstance(caught.value, EditionError) == of_the_edition
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_more_players_than_the_book_says_by_override() -> None:
    assert Game("kanto2014", players=8, seed=1, rules={"max_players": 8}).players == 8


# --- deciding ---


def test_mask_ids_texts_and_reasons_agree() -> None:
    for game in play_randomly(Game(seed=5, rules={"deals": "menu"}), 300):
        mask = game.legal_mask()
        assert mask.dtype == np.int8
        assert mask.shape == (N_ACTIONS,)
        ids = game.legal_ids()
        assert ids == np.flatnonzero(mask).tolist()
        assert game.legal_actions() == [game.text(action) for action in ids]
        legal = {action for action in range(N_ACTIONS) if game.why(action) is Why.OK}
        assert legal == set(ids)


def test_ids_and_texts_play_the_same() -> None:
    by_text, by_id = Game(seed=4, players=3), Game(seed=4, players=3)
    for game in play_randomly(by_text, 100):
        before = game.copy()
        last = before.legal_actions()[-1]
        twin = before.copy()
        before.play(last)
        twin.play(np.int64(twin.legal_ids()[-1]))  # type: ignore[arg-type]
        assert before == twin
    for seat, action in by_text.history:
        assert by_id.actor_seat == seat
        by_id.play(action)
    assert by_id == by_text


def test_reasons() -> None:
    game = Game(players=3, seed=7)
    assert game.actor == "C"
    assert game.why("roll") is Why.OK
    assert game.why("build:boardwalk") is Why.NOT_OWNED
    assert game.why("to:jail") is Why.WRONG_PHASE
    assert game.why("attack:reading") is Why.NOT_A_STREET
    assert game.why("sell:reading") is Why.NOT_A_STREET
    assert game.why("deal:C") is Why.NO_SUCH_SEAT
    assert game.why("deal:D") is Why.NO_SUCH_SEAT
    for nothing in ("fly", "", N_ACTIONS, -1, 10**30, None, 1.0, True):
        assert game.why(nothing) is Why.NO_SUCH_ACTION  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("action", "reason", "says"),
    [
        ("jail_pay", Why.NOT_IN_JAIL, "jail_pay: the player is not in Jail; C decides (TURN)"),
        ("build:boardwalk", Why.NOT_OWNED, "build:boardwalk: nobody owns it yet; C decides"),
        ("sell:reading", Why.NOT_A_STREET, "'sell:reading': it is not a street; C decides"),
        ("fly", Why.NO_SUCH_ACTION, "no action 'fly'"),
        (-1, Why.NO_SUCH_ACTION, "-1: there is no such action"),
        (N_ACTIONS, Why.NO_SUCH_ACTION, "342: there is no such action"),
        (10**30, Why.NO_SUCH_ACTION, "there is no such action"),
        (None, Why.NO_SUCH_ACTION, "an action is an id or text, not None"),
        (True, Why.NO_SUCH_ACTION, "an action is an id or text, not True"),
    ],
)
def test_an_illegal_action_changes_nothing(action: object, reason: Why, says: str) -> None:
    game = Game(players=3, seed=7)
    before = game.copy()
    with pytest.raises(IllegalAction) as caught:
        game.play(action)  # type: ignore[arg-type]
    assert caught.value.reason is reason
    assert says in str(caught.value)
    assert str(caught.value).endswith("C decides (TURN), legal: roll")
    assert game == before
    assert game.history == []


def test_a_long_list_of_legal_actions_is_cut_short() -> None:
    game = Game.from_position({"players": 2, "A": {"deeds": ["reading", "water", "oriental"]}})
    game.play("deal:B")
    with pytest.raises(IllegalAction, match=r"give_cash:\d+ and \d+ more$"):
        game.play("roll")


def test_after_the_end_nothing_is_legal() -> None:
    game = Game.from_position(DEBTOR)
    game.play("roll")
    assert game.phase is Phase.DEBT
    assert "owes $25 to B" in str(game)
    game.play("bankrupt")
    assert game.over
    assert not game.truncated
    assert game.winners == ("B",)
    assert game.actor is None
    assert game.actor_seat == -1
    assert game.legal_actions() == []
    assert not game.legal_mask().any()
    assert game.why("roll") is game.why("deal:A") is game.why("sell:go") is Why.GAME_OVER
    assert game.why("fly") is Why.NO_SUCH_ACTION
    with pytest.raises(IllegalAction, match=r"^roll: the game is over$"):
        game.play("roll")
    assert "B won" in str(game)
    assert "over" in repr(game)


# --- copies ---


@pytest.mark.promise("copies")
def test_a_copy_goes_its_own_way() -> None:
    game = played(50)
    twin = game.copy()
    assert twin == game
    assert [str(event) for event in twin.journal()] == [str(event) for event in game.journal()]
    for _ in play_randomly(twin, 20, seed=8):
        pass
    assert twin != game
    assert len(game.history) == 50
    for _ in play_randomly(game, 5, seed=9):
        pass
    assert len(game.history) == 55
    assert len(twin.history) == 70
    assert game.history[:50] == twin.history[:50]


@pytest.mark.promise("copies")
@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))])
@pytest.mark.parametrize("journal", [True, False])
def test_other_ways_to_copy(how: object, journal: bool) -> None:
    game = played(60, journal=journal)
    twin = how(game)  # type: ignore[operator]
    assert twin == game
    assert twin.history == game.history
    for one, other in zip(play_randomly(game, 30), play_randomly(twin, 30), strict=True):
        assert one == other
    assert twin.seed == 3
    assert twin.record() == game.record()


@pytest.mark.promise("copies")
@pytest.mark.parametrize("journal", [True, False])
def test_a_scratch_game_becomes_a_copy_again_and_again(journal: bool) -> None:
    game, scratch = played(60, journal=journal), Game("kanto2014", players=2, seed=9)
    memory = scratch.state.__array_interface__["data"]
    for _ in range(3):
        scratch.copy_from(game)
        assert scratch.state.__array_interface__["data"] == memory
        assert scratch == game
        assert scratch.record() == game.record()
        assert list(map(str, scratch.journal())) == list(map(str, game.journal()))
        before, copied = game.copy(), game.copy()
        for one, other in zip(play_randomly(scratch, 30), play_randomly(copied, 30), strict=True):
            assert one == other
        assert game == before
        assert game.record() == before.record()


@pytest.mark.promise("bad_input")
def test_only_a_game_is_copied_from() -> None:
    game = played(20)
    with pytest.raises(InputError, match="other: must be a Game"):
        game.copy_from(game.state)
    assert game == played(20)


@pytest.mark.promise("copies")
@pytest.mark.parametrize("bits", [np.random.PCG64, np.random.MT19937, np.random.SFC64])
def test_a_generator_gives_the_seed_that_its_next_64_bits_are(bits: type) -> None:
    game, other, generator = played(40), played(40), np.random.Generator(bits(5))
    game.redraw(np.random.Generator(bits(5)))
    other.redraw(int(generator.integers(0, 2**64, dtype=np.uint64)))
    assert game == other


@pytest.mark.promise("isolation")
def test_a_wiped_copy_shows_no_future() -> None:
    game = played(80)
    other = game.copy()
    other.redraw(1)
    assert other != game
    assert other.wiped() == game.wiped()
    assert game.wiped().state["rng"] == 0
    assert game == played(80)


@pytest.mark.promise("copies")
def test_a_redrawn_game_is_sound_and_goes_on() -> None:
    game = played(80).wiped()
    game.redraw(np.random.default_rng(1))
    again = played(80).wiped()
    again.redraw(np.random.default_rng(1))
    assert again == game
    for _ in play_randomly(game, 100):
        assert game.status() == 0


# --- ending ---


@pytest.mark.promise("limits")
def test_a_limit_truncates() -> None:
    game = played(100, rules={"max_decisions": 20})
    assert game.over
    assert game.truncated
    assert game.winners
    assert "at a limit" in str(game)
