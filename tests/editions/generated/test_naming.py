"""The names of generated editions."""

from __future__ import annotations

import pytest

from monopoly_env import Game, TextEnv
from monopoly_env.editions import load_edition
from monopoly_env.editions.generated import words
from monopoly_env.engine.board import DEEDS
from monopoly_env.engine.cards import CARD_IDS
from monopoly_env.text.guide import guide

CLASSIC = load_edition("classic").names
RULE_TERMS = {"GO", "Jail / Just Visiting", "Free Parking", "Go To Jail"}


@pytest.mark.parametrize("number", range(30))
def test_names_are_distinct_and_not_classics(number: int) -> None:
    names = load_edition(f"random:test:{number}").names
    deeds = [names.space(square) for square in DEEDS]
    assert len(set(deeds)) == len(deeds)
    assert len({name.split()[0] for name in deeds}) == len(deeds)  # so are their short names
    assert not set(names.spaces) & (set(CLASSIC.spaces) - RULE_TERMS)
    assert not set(names.groups) & set(CLASSIC.groups)
    assert len(set(names.groups)) == len(names.groups)
    assert not set(names.tokens) & set(CLASSIC.tokens)
    assert len(set(names.tokens)) == 8
    labels = [names.card_label(card) for card in range(len(CARD_IDS))]
    assert not any("{" in label for label in labels)
    money = [label for label in labels if "collect" in label or "pay " in label]
    assert len(set(money)) == len(money)


def test_no_word_is_there_twice() -> None:
    assert len(set(words.FIRST)) == len(words.FIRST)
    theirs = {word for name in CLASSIC.spaces for word in name.split()}
    assert not set(words.FIRST) & theirs


def test_names_do_not_change_the_numbers() -> None:
    new, classic = (load_edition(f"random:test:4:names={naming}") for naming in ("new", "classic"))
    assert new.rules.tobytes() == classic.rules.tobytes()
    assert classic.names.spaces == CLASSIC.spaces
    assert new.names.spaces != classic.names.spaces


def test_a_pair_of_prompts_differs_in_names_alone() -> None:
    """A model that plays the one better than the other remembers the board."""
    prompts = {}
    for edition in ("classic", "random:test:4:dial=0"):
        env = TextEnv("short", opponents=["background"], edition=edition)
        env.reset(seed=3)
        prompts[edition] = [env.prompt()]
        for _ in range(20):
            *_, terminated, truncated, _ = env.step('{"action": 1}')
            if terminated or truncated:
                break
            prompts[edition].append(env.prompt())
    known, renamed = prompts.values()
    assert len(known) == len(renamed)
    text = "\n".join(renamed)
    for name in set(CLASSIC.spaces) - RULE_TERMS:
        assert name not in text
    for word in ("Boardwalk", "boardwalk", "Reading", "$", "Chance"):
        assert word not in text
    assert [one.count("\n") for one in known] == [one.count("\n") for one in renamed]


def test_the_guide_has_the_boards_own_names_and_prices() -> None:
    edition = load_edition("random:test:4")
    text = guide(edition, 4)
    for square in DEEDS:
        assert edition.names.space(square) in text
    assert "Boardwalk" not in text


def test_a_text_board_shows_them() -> None:
    game = Game(edition="random:test:4", seed=1)
    assert game.edition.names.tokens[0] in str(game)
