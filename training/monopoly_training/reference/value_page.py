"""The page of the learned value, docs/value.md, written from the card of the one that ships."""

from __future__ import annotations

from monopoly_env.value.features import NAMES, TABLE_NAMES
from monopoly_env.value.network import HIDDEN, LAYERS
from monopoly_env.value.weights import shipped_value
from monopoly_training.common.markdown import NOTE
from monopoly_training.value.report import score_lines
from monopoly_training.value.tables import SEATED

HEAD = f"""# Chances to win

{NOTE}`monopoly_env.win_chances(game)` is each seat's chance to win, from 2 to 8 seats, in all
editions, standard and short, with deals in steps, from the menu, or off. It was learned from games
between this package's compiled bots; it needs NumPy and Numba, no PyTorch.

```python
from monopoly_env import Game, win_chances

position = {{"players": 3, "A": {{"deeds": ["park_place", "boardwalk"]}}, "B": {{"cash": 2200}}}}
print(win_chances(Game.from_position(position)))  # float64[3], sums to 1
```

What it says is right on average for players like those bots. It judges positions; it does not say
which deals others accept, and a bot's way of bargaining is another set of numbers
(`monopoly_agents.strategist.weights`). Truncated games count as won by standings, as they do in
tournaments.

## How it works

Debts are booked as paid, the deed at hand as bought if its lander has the cash, the standing bid as
won (`monopoly_env/value/settling.py`). Then each seat has {len(NAMES)} features, the table
{len(TABLE_NAMES)} (`features.py`): cash and what could be raised, deeds by group, what they earn,
what building them up costs and would earn, the rents that threaten from where the token stands,
Jail, who throws when; houses left, rounds, the rules in force. Money counts in mean deed prices.
Nothing hidden is among them. A network of {LAYERS + 1} layers of {HIDDEN} numbers
(`network.py`) is the same for each seat and sees the others by mean and maximum, so that turning
the seats turns the chances. A position of four seats takes about 10 µs, 4 of them for features.

| you have | use |
| --- | --- |
| a file | `monopoly-env odds position.yaml`, or `odds games.jsonl --moment 120`; `--rollouts 1000` plays on, too |
| a game, a bot's view, a position | `monopoly_env.win_chances(game)` |
| many GAME records under one set of rules | `shipped_value().chances(games, rules)`: float64[n, 8] |
| compiled code | `monopoly_env.value.network.write_chances(game, rules, network, work, out)` |
| a compiled policy, which knows addresses only | `Value.address`, with `record_at(NETWORK)` |
| weights of your own | `load_value("own.safetensors")`, as the argument `value` |

Every report names a value by its digest. The file is safetensors; the card beside it, JSON, says how
the weights were made and has the tables below.

## How well it predicts

On positions that are kept in `training/monopoly_training/value/heldout.npz`, of games that it was not
fitted to, three a game, some of them right after two players swapped deeds at random. Log-loss is
minus the logarithm of the winner's chance; Brier sums squared errors over the seats; top-1 is how
often the favorite wins; AUC how often a winner's chance is above that of a seat that does not win;
"off by" is the mean distance between chances and what happened, over ten equal ranges of chances.
`net worth` and `strategist` are shares: of net worth, and of the square of the strategist's
strength, which the bot plays by. Their sharp forms are powers that fit better, 3 and 2.75.
A test works the tables out again.
"""
FOOT = """
## Make it again

```sh
{command} --out own.safetensors
monopoly-env value test --value own.safetensors                # the tables above
monopoly-env value test --value own.safetensors --games 2000   # on games played now
```

`fit` plays the games ({games:,}, {positions:,} positions) and fits the network; it needs the extra
`train`. Half of the tables are of the US edition, 45 % have four seats; who sits there is drawn a
seat: {seated}. `varied` is the strategist by weights drawn around its two sets. In 35 % of the games
two players swap deeds and cash at random once, so that deals which no bot would make are judged too.
The same command gives the same games; `--jobs 2` plays them in two processes. Positions of one
game have one winner, so a few from each of many games teach more than many from a few.
"""


def value_page() -> str:
    """The page of the value that ships."""
    card = shipped_value().card
    made = card["made"]
    seated = ", ".join(f"{name} {share:.0%}" for name, share in SEATED.items())
    foot = FOOT.format(
        command=made["command"],
        games=made["games"],
        positions=made["positions"],
        seated=seated,
    )
    return HEAD + "\n".join(score_lines(card["scores"])) + "\n" + foot
