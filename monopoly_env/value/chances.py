"""Win probabilities of a game, a bot's view or a position."""

from __future__ import annotations

from monopoly_env.engine.state import Float64s
from monopoly_env.errors import InputError, show
from monopoly_env.game import Game
from monopoly_env.position.document import Source
from monopoly_env.value.weights import Value, shipped_value
from monopoly_env.view import View


def win_chances(game: Game | View | Source, value: Value | None = None) -> Float64s:
    """Return each player's win probability, float64[players]; 0 for bankrupt players, sum 1.

    The model was trained on games between the included bots and is calibrated for players like
    them; see docs/value.md. Debts count as paid, and an affordable deed on offer as bought. It uses
    public information only.

    >>> import monopoly_env
    >>> position = {"players": 2, "A": {"cash": 1500, "deeds": ["park_place", "boardwalk"]}}
    >>> chances = monopoly_env.win_chances(position)
    >>> bool(chances[0] > chances[1]), round(float(chances.sum()), 6)
    (True, 1.0)

    Args:
        game: a :class:`monopoly_env.Game`, the View of a bot, or a position: a mapping, or the
            path of a YAML file.
        value: a model from :func:`monopoly_env.load_value`; None for the included one.

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
