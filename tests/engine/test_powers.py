"""Pokémon Power Doubles: what each double may be used for."""

from __future__ import annotations

from typing import Any

import pytest

from monopoly_env import Game, Why
from monopoly_env.engine.journal import Event, Reason
from monopoly_env.engine.phases import Phase
from tests.engine.positions import ORANGES, events, options, payments, play, position

BOOKS = ("pokemon1999", "pokemon_fr2000")


def doubled(pips: int, at: str, *, edition: str = "pokemon1999", **given: Any) -> Game:
    """A has thrown a double, from a space that leads to one that asks for nothing."""
    dice = [(pips, pips), *given.pop("dice", [])]
    row = {"at": at, **given.pop("A", {})}
    rules = {"power_doubles": True, "auctions": False, "deals": "off"}
    return play(position(A=row, dice=dice, edition=edition, rules=rules, **given), "A roll")


# --- the choice ---


@pytest.mark.parametrize("edition", BOOKS)
def test_a_double_gives_the_choice_between_a_throw_and_a_power(edition: str) -> None:
    game = doubled(5, "jail", edition=edition)
    assert (game.actor, game.phase) == ("A", Phase.POWER)
    assert game.legal_actions() == ["roll", "power"]


def test_the_space_is_resolved_before_the_power() -> None:
    game = doubled(2, "jail", B={"deeds": ["virginia"]})
    assert game.cash == (1488, 1512)
    assert game.phase is Phase.POWER


def test_who_throws_again_may_throw_another_double() -> None:
    game = doubled(5, "jail", dice=[(5, 5)])
    play(game, "A roll")  # from Free Parking to Go To Jail
    assert game.hand("A").in_jail
    assert game.actor == "B"


def test_a_power_ends_the_turn() -> None:
    game = play(doubled(2, "st_james"), "A power")
    assert (game.actor, game.phase) == ("B", Phase.TURN)


def test_the_optional_rule_is_off_unless_it_is_chosen() -> None:
    for edition in BOOKS:
        game = play(position(A={"at": "jail"}, dice=[(5, 5)], edition=edition), "A roll")
        assert game.phase is Phase.TURN


def test_a_double_out_of_jail_gives_neither() -> None:
    game = position(
        A={"jail": 0}, dice=[(5, 5)], edition="pokemon1999", rules={"power_doubles": True}
    )
    play(game, "A roll")
    assert (game.hand("A").at, game.actor) == ("free_parking", "B")


def test_the_third_double_leads_to_jail_all_the_same() -> None:
    game = position(doubles=2, dice=[(5, 5)], edition="pokemon1999", rules={"power_doubles": True})
    assert play(game, "A roll").hand("A").in_jail


# --- the six powers ---


def test_double_one_teleports_forward() -> None:
    """From the Community Chest on 2 to Illinois on 24: no salary; it may be bought."""
    game = play(doubled(1, "go", chest=["cc_goojf"]), "A power")
    assert (game.actor, game.phase) == ("A", Phase.TELEPORT)
    play(game, "A to:illinois")
    assert (game.hand("A").at, game.phase, game.cash) == ("illinois", Phase.BUY, (1500, 1500))


def test_a_teleport_past_go_pays_the_salary() -> None:
    game = play(doubled(1, "go", chest=["cc_goojf"]), "A power", "A to:go")
    assert (game.hand("A").at, game.cash) == ("go", (1700, 1500))


def test_nobody_teleports_to_jail_or_to_where_one_stands() -> None:
    game = play(doubled(1, "go", chest=["cc_goojf"]), "A power")
    for barred in ("jail", "go_to_jail", "chest_1"):
        assert game.why(f"to:{barred}") is Why.BARRED_SPACE
    assert len(options(game, "to")) == 37


def test_double_two_takes_two_hundred_from_the_bank() -> None:
    game = play(doubled(2, "st_james"), "A power")
    assert payments(game) == [("bank", "A", 200, Reason.POWER)]


def test_double_three_takes_fifty_from_each_player() -> None:
    game = play(doubled(3, "virginia", players=4, C={"out": True}), "A power")
    assert payments(game) == [("B", "A", 50, Reason.POWER), ("D", "A", 50, Reason.POWER)]


def test_who_cannot_give_the_fifty_owes_it() -> None:
    game = play(doubled(3, "virginia", B={"cash": 20, "deeds": ["water"]}), "A power")
    assert (game.actor, game.phase) == ("B", Phase.DEBT)
    play(game, "B mortgage:water")
    assert game.cash == (1550, 45)


def test_double_four_draws_of_the_first_pile_and_double_five_of_the_second() -> None:
    game = play(doubled(4, "electric", chance=["ch_loan"]), "A power")
    assert (game.cash, game.hand("A").at) == ((1650, 1500), "free_parking")
    game = play(doubled(5, "jail", chest=["cc_inherit"]), "A power")
    assert (game.cash, game.hand("A").at) == ((1600, 1500), "free_parking")


# --- the attack ---


def attacked(dice: list[tuple[int, int]], deed: str = "new_york", **given: Any) -> Game:
    """A, from Vermont by a double six to Free Parking, attacks a lot of B's."""
    owner = {"deeds": [deed], **given.pop("B", {})}
    game = doubled(6, "vermont", dice=dice, B=owner, **given)
    return play(game, "A power", f"A attack:{deed.removesuffix('*')}")


def test_the_higher_throw_takes_the_lot() -> None:
    game = attacked([(3, 4), (1, 5)])
    assert game.owner("new_york") == "A"
    assert game.cash == (1500, 1500)
    assert [event[0] for event in events(game, Event.THROW)] == ["A", "B"]  # the attacker first


def test_the_lower_throw_takes_nothing() -> None:
    assert attacked([(1, 5), (3, 4)]).owner("new_york") == "B"


def test_ties_are_thrown_again() -> None:
    game = attacked([(3, 4), (1, 6), (1, 1), (1, 2)])
    assert game.owner("new_york") == "B"
    assert len(events(game, Event.THROW)) == 4


def test_a_double_in_the_attack_gives_nothing() -> None:
    game = attacked([(6, 6), (1, 1)])
    assert (game.owner("new_york"), game.actor, game.phase) == ("A", "A", Phase.END)


def test_a_mortgaged_lot_passes_mortgaged() -> None:
    game = attacked([(3, 4), (1, 5)], "new_york*")
    assert game.hand("A").mortgaged == ("new_york",)


def test_no_lot_of_a_complete_group_and_neither_railroad_nor_utility_is_attacked() -> None:
    game = doubled(6, "vermont", B={"deeds": [*ORANGES, "baltic", "reading", "water"]})
    play(game, "A power")
    assert game.legal_actions() == ["attack:baltic"]
    assert game.why("attack:new_york") is Why.FULL_GROUP
    assert game.why("attack:reading") is Why.NOT_A_STREET
    assert game.why("attack:boardwalk") is Why.NOT_OWNED


def test_an_own_lot_is_not_attacked() -> None:
    game = doubled(6, "vermont", A={"deeds": ["virginia"]}, B={"deeds": ["baltic"]})
    play(game, "A power")
    assert game.why("attack:virginia") is Why.NOT_YOURS


def test_without_a_lot_to_attack_there_is_only_the_throw() -> None:
    game = doubled(6, "vermont", B={"deeds": [*ORANGES, "reading"]})
    assert game.why("power") is Why.NOTHING_TO_ATTACK
    assert game.legal_actions() == ["roll"]
