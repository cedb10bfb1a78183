"""The journal in words: what happened, with the edition's names."""

from __future__ import annotations

from monopoly_env import Game
from monopoly_env.engine.journal import Event
from tests.game.random_play import DEBTOR, play_randomly, played


def test_the_journal_tells_what_happened_in_the_editions_names() -> None:
    position = {**DEBTOR, "edition": "pokemon_fr2000", "A": {"at": "go"}}
    game = Game.from_position(position)
    assert [event.kind for event in game.journal()] == []
    game.play("roll")
    assert [(event.kind, str(event)) for event in game.journal()] == [
        (Event.THROW, "A throws 1 and 4"),
        (Event.MOVE, "A lands on Reading Railroad"),
        (Event.PAY, "A pays B ₱25 (rent)"),
    ]
    paid = game.journal()[-1]
    assert (paid.player, paid.other, paid.amount) == (0, 1, 25)


def test_every_event_has_a_sentence() -> None:
    kinds: set[Event] = set()
    overrides: list[dict[str, object]] = [{}, {"houses": 3, "hotels": 1}, {"rent_asked": True}]
    for seed, rules in enumerate(overrides):
        game = Game(seed=seed, players=4, rules=rules)
        for _ in play_randomly(game, 1500, seed):
            kinds.update(event.kind for event in game.journal())
            assert all(str(event) for event in game.journal())
    assert len(kinds) > 18


def test_the_journal_can_be_off() -> None:
    game = Game(seed=3, journal=False)
    game.play("roll")
    assert game.journal() == []
    assert game == played(1)
