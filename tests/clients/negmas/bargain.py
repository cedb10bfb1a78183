"""A negotiator of NegMAS and a bot bargain over a position; the game plays what they agree on."""

from monopoly_training.negotiation.negmas_mechanism import BotNegotiator, DealMechanism
from negmas.sao import AspirationNegotiator

from monopoly_env import Game

POSITION = {
    "players": 3,
    "turn": "A",
    "A": {"deeds": ["park_place", "st_james", "tennessee"], "cash": 1500},
    "B": {"deeds": ["boardwalk", "new_york"], "cash": 1500},
    "C": {"deeds": ["kentucky", "indiana", "illinois"], "cash": 1500},
}


def bargain(first, second, game=None, steps=200):
    """Two negotiators in the seats A and B; each is a function of the mechanism."""
    game = game or Game.from_position(POSITION, seed=1)
    mechanism = DealMechanism(game, "AB", n_steps=steps)
    mechanism.join("A", first(mechanism))
    mechanism.join("B", second(mechanism))
    mechanism.run()
    return mechanism, game


if __name__ == "__main__":
    mechanism, game = bargain(
        lambda _: AspirationNegotiator(), lambda table: BotNegotiator("trader", table)
    )
    print(mechanism.agreement, mechanism.carry_out(game))
    print(game)
