"""What people call things in each edition."""

import pytest

from monopoly_env import Game
from monopoly_env.editions import load_edition
from monopoly_env.engine.board import (
    CARD_CHANCE,
    CARD_CHEST,
    CHANCE_SQUARES,
    CHEST_SQUARES,
    GROUP_IDS,
    SPACE_IDS,
)
from monopoly_env.engine.cards import CARD_IDS, CHANCE, CHEST
from monopoly_env.replay import transcript
from tests.editions.books import IDS, F, P
from tests.editions.known_names import KNOWN


def test_names_of_the_editions():
    kanto = load_edition("kanto2014").names
    assert (kanto.house, kanto.houses) == ("Poké Mart", "Poké Marts")
    assert (kanto.hotel, kanto.hotels) == ("Pokémon Center", "Pokémon Centers")
    assert kanto.space(24) == "Venomoth"
    assert kanto.group(0) == "Brock"
    assert kanto.token(0) == "Pikachu"
    assert kanto.token(7) == "player 8"
    assert load_edition(P).names.house == "Poké Center"
    assert load_edition("nintendo2010").names.deck(CHANCE) == "? Block"
    assert load_edition("yugioh2016").names.money(-1500) == "-DP 1,500"
    french = load_edition(F)
    assert french.language == "fr"
    assert french.names.space(0) == "Case départ"
    assert french.names.money(1500).endswith("1.500")


@pytest.mark.parametrize("id_", IDS)
def test_card_spaces_are_named_like_their_decks(id_: str):
    names = load_edition(id_).names
    for squares, pile in ((CHANCE_SQUARES, CHANCE), (CHEST_SQUARES, CHEST)):
        assert {names.space(square) for square in squares} == {names.deck(pile)}
    assert names.deck(CHANCE) in names.space(CARD_CHANCE)
    assert names.deck(CHEST) in names.space(CARD_CHEST)


def test_names_that_are_not_known_are_the_classic_ones():
    assert load_edition("yugioh2016").names.space(39) == "Boardwalk"


def test_card_labels_speak_the_editions_names_and_amounts():
    kanto = load_edition("kanto2014", rules={"card_amount": {"ch_chairman": 75}})
    label = {id_: kanto.names.card_label(i) for i, id_ in enumerate(CARD_IDS)}
    assert "Venomoth" in label["ch_illinois"]
    assert "Poké Mart" in label["ch_repairs"]
    assert "75" in label["ch_chairman"]
    assert "Poké Balls" in label["ch_rail_1"]
    assert not any("{" in text for text in label.values())


# --- nothing that is known is missing ---

SPACES_KNOWN = {"kanto2014": 40, P: 12, F: 14, "nintendo2010": 34, "yugioh2016": 18}


@pytest.mark.parametrize("id_", KNOWN)
def test_every_known_name_is_the_editions(id_: str):
    known, names = KNOWN[id_], load_edition(id_).names
    assert (names.currency, names.house, names.hotel) == (
        known["currency"], known["house"], known["hotel"]
    )  # fmt: skip
    assert names.decks == (known["chance"], known["chest"])
    assert list(names.tokens) == known["tokens"]
    groups = dict(zip(GROUP_IDS, names.groups, strict=True))
    assert {group: groups[group] for group in known["groups"]} == known["groups"]
    spaces = dict(zip(SPACE_IDS, names.spaces, strict=True))
    assert {space: spaces[space] for space in known["spaces"]} == known["spaces"]


@pytest.mark.parametrize("id_", KNOWN)
def test_what_is_not_known_is_not_invented(id_: str):
    known, names, classic = KNOWN[id_], load_edition(id_).names, load_edition().names
    assert len(known["spaces"]) == SPACES_KNOWN[id_]
    for square, space in enumerate(SPACE_IDS):
        if space not in known["spaces"]:
            assert names.space(square) == classic.space(square)
    for number, group in enumerate(GROUP_IDS):
        if group not in known["groups"]:
            assert names.group(number) == classic.group(number)


def test_every_edition_has_its_known_names():
    assert set(KNOWN) == set(IDS) - {"classic"}


# --- where they are shown ---

FRENCH = {
    "edition": F,
    "players": 3,
    "turn": "A",
    "A": {
        "at": "water",
        "cash": 1500,
        "deeds": ["mediterranean", "baltic", "electric", "park_place", "boardwalk"],
        "buildings": {"mediterranean": 3, "baltic": 3, "park_place": 5, "boardwalk": 4},
        "cards": ["card_chance"],
    },
    "B": {"at": "luxury_tax", "deeds": ["reading"]},
    "hidden": {"dice": [[3, 5]], "chance": ["ch_repairs"]},
}
ENGLISH = ("house", "hotel", "GO", "Free Parking", "Get Out", "Chance", "Chest", "$")


def test_a_position_speaks_french():
    text = " ".join(str(Game.from_position(FRENCH)).split())
    for word in (
        "Monopoly Pokémon, édition de collection (France)", "A Bulbizarre", "B Salamèche",
        "C Tortank", "₱1.500", "at Iles Écume", "at Équipe Rocket attaque", "at Case départ",
        "Pierre:", "3 Centres Pokémon", "Giovanni:", "1 Boutique", "Poké balls 1/4",
        "Centrale & Iles Écume 1/2: Centrale", "Vous êtes libéré de prison (Professeur Chen)",
        "11 Boutiques",
    ):  # fmt: skip
        assert word in text, word
    assert [word for word in ENGLISH if word in text] == []


def test_a_transcript_speaks_french():
    game = Game.from_position(FRENCH)
    game.play("roll")
    text = "\n".join(transcript(game.record(bots=["ann", "ben", "cem"])))
    for word in (
        "A (Bulbizarre): ann", "A lands on Professeur Chen",
        "draws from Professeur Chen: Réparations : ₱25 par Centre Pokémon, ₱100 par Boutique",
        "A pays the Bank ₱350 (card)",
    ):  # fmt: skip
        assert word in text, word
    assert [word for word in ENGLISH if word in text] == []


def test_every_edition_shows_its_own_names():
    for id_, known in KNOWN.items():
        text = str(Game(edition=id_, players=2, seed=1))
        assert f"A {known['tokens'][0]}" in text
        assert f"32 {load_edition(id_).names.houses}" in text
        assert f"at {known['spaces']['go']}" in text
