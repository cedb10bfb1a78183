"""Generate docs/value.md from the card of the included value model."""

from __future__ import annotations

from monopoly_env.value.features import NAMES, TABLE_NAMES
from monopoly_env.value.network import HIDDEN, LAYERS
from monopoly_env.value.weights import shipped_value
from monopoly_training.common.markdown import NOTE
from monopoly_training.value.report import score_lines
from monopoly_training.value.tables import N_BOARDS, SEATED

HEAD = f"""# Win probability

{NOTE}`monopoly_env.win_chances(game)` estimates each player's win probability, for 2 to 8 players, all
editions and modes, with deals in steps, from the menu, or off. The model was trained on games
between the included compiled bots. It needs NumPy and Numba, but not PyTorch.

```python
from monopoly_env import Game, win_chances

position = {{"players": 3, "A": {{"deeds": ["park_place", "boardwalk"]}}, "B": {{"cash": 2200}}}}
print(win_chances(Game.from_position(position)))  # float64[3], sums to 1
```

The estimates are calibrated for players like these bots. They value positions; they do not predict
which deals other players accept (`monopoly_agents.strategist.weights` has the weights for that). The
leader in the standings counts as the winner of a truncated game, as in tournaments.

## How it works

First, pending decisions are settled: debts are paid, an affordable deed on offer is bought, and the
highest bid wins (`monopoly_env/value/settling.py`). Each seat then has {len(NAMES)} features, and the game
{len(TABLE_NAMES)} (`features.py`): cash and what could be raised, deeds by group with their income,
the cost and income of building on them, the rents ahead of the token,
Jail, the turn order; houses left, rounds, the rules. Money is measured in mean deed prices, and the color groups are
ordered by price, so that every board has the same scale.
The features use public information only. A network of {LAYERS + 1} layers with {HIDDEN} units
(`network.py`) is shared between the seats; it pools the other seats by mean and maximum, so that permuting
the seats permutes the output. Evaluating a four-player position takes about 10 µs, 4 of them for the features.

There are two sets of weights. One judges boards on which every deed has the price of the printed editions, the other all
other boards: [generated ones](generated_editions.md) and [your own](your_edition.md).

| input | use |
| --- | --- |
| a file | `monopoly-env odds position.yaml`, or `odds games.jsonl --moment 120`; `--rollouts 1000` adds rollouts |
| a game, a bot's view, a position | `monopoly_env.win_chances(game)` |
| an offer, valued for every player | `monopoly_env.deal_values(position, offer)`, optionally by rollouts with standard errors: [negotiation.md](negotiation.md#the-value-of-a-deal) |
| many GAME records under one set of rules | `shipped_value().chances(games, rules)`: float64[n, 8] |
| compiled code | `monopoly_env.value.network.write_chances(game, rules, network, work, out)` |
| a compiled policy, which has only addresses | `Value.address`, with `record_at(NETWORK)` |
| your own weights | `load_value("own.safetensors")`, as the argument `value` |

Reports name a value model by its digest. The weights are a safetensors file; the JSON card beside it says how
they were trained and contains the tables below.

## Accuracy

The test set, `training/monopoly_training/value/heldout.npz`, has three positions from each of many games that were not
used for training; some of them follow a random swap of deeds between two players. The last table is from
`heldout_boards.npz`, with boards that were not used for training either. Log-loss is
the negative logarithm of the winner's probability. Brier sums squared errors over the seats. Top-1 is how
often the favorite wins. AUC is how often a winner's probability exceeds that of a losing seat.
"Off by" is the calibration error: the mean difference between predicted and observed rates, over ten equal bins.
`net worth` and `strategist` are baselines: the share of net worth, and the share of the squared strategist's
strength, which that bot maximizes. Their sharp forms use better-fitting exponents, 3 and 2.75.
A test recomputes the tables.
"""
FOOT = """
## Train your own

```sh
{command} --out own.safetensors
{boards_command} --out own_boards.safetensors
monopoly-env value test --value own.safetensors                # the tables above
monopoly-env value test --value own.safetensors --games 2000   # on new games
```

`fit` plays the games ({games:,}, {positions:,} positions) and trains the weights for the printed editions; it needs
the extra `train`. Half of these games use the US edition. `fit --boards` trains the weights for other boards, on
{boards:,} generated boards of the training split ({boards_games:,} games, {boards_positions:,} positions). It starts from the
included weights for the printed editions. Each command copies the other set from the included model.

45% of the games have four players. Each seat's bot is drawn
independently: {seated}. `varied` is the strategist with weights drawn around its two sets. In 35% of the games,
two players once swap random deeds and cash, so that the training data includes deals which no bot would make.
The same command gives the same games; `--jobs 2` plays them in two processes. Positions of a
game share its winner, so a few positions from many games are better than many from a few.
"""


def value_page() -> str:
    """Return the page of the included value model."""
    card = shipped_value().card
    made, for_boards = card["made"], card["made_for_boards"]
    seated = ", ".join(f"{name} {share:.0%}" for name, share in SEATED.items())
    foot = FOOT.format(
        command=made["command"],
        games=made["games"],
        positions=made["positions"],
        boards_command=for_boards["command"],
        boards_games=for_boards["games"],
        boards_positions=for_boards["positions"],
        boards=N_BOARDS,
        seated=seated,
    )
    return HEAD + "\n".join(score_lines(card["scores"])) + "\n" + foot
