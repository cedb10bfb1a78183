"""Each seat's chance to win, of a game, a bot's view or a position."""

from __future__ import annotations

from monopoly_env.engine.state import Float64s
from monopoly_env.errors import InputError, show
from monopoly_env.game import Game
from monopoly_env.position.document import Source
from monopoly_env.value.weights import Value, shipped_value
from monopoly_env.view import View


def win_chances(game: Game | View | Source, value: Value | None = None) -> Float64s:
    """Each seat's chance to win, float64[players]: 0 for who is out; all sum to 1.

    It was learned from games between this package's bots, and is right on average for players like
    them: docs/value.md says how often. Debts count as paid and the deed at hand as bought. Nothing
    hidden is used: neither the order of the decks nor dice to come.

    >>> import monopoly_env
    >>> position = {"players": 2, "A": {"cash": 1500, "deeds": ["park_place", "boardwalk"]}}
    >>> chances = monopoly_env.win_chances(position)
    >>> bool(chances[0] > chances[1]), round(float(chances.sum()), 6)
    (True, 1.0)

    Args:
        game: a :class:`monopoly_env.Game`, the View of a bot, or a position: a mapping, or the
            path of a YAML file.
        value: of :func:`monopoly_env.load_value`; None: the one that comes with the package.

    Raises: PositionError, FileError, InputError, one line each.
    """
    if value is not None and not isinstance(value, Value):
        InputError.at("value").fail(f"must be what load_value gives, or None, not {show(value)}")
    if isinstance(game, View):
        games, edition = game.games, game.edition
    else:
        if not isinstance(game, Game):
            game = Game.from_position(game, seed=0)
        games, edition = game.state.reshape(1), game.edition
    players = int(games["players"][0])
    judge = shipped_value() if value is None else value
    return judge.chances(games, edition.rules)[0, :players]
