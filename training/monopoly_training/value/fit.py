"""The fit, with a torch network equal to monopoly_env/value/network.py, weight for weight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from monopoly_env.errors import InputError
from monopoly_env.value.features import FEATURES, TABLE_FEATURES
from monopoly_env.value.network import HIDDEN, LAYERS
from monopoly_training.common.progress import NoProgress, Progress
from monopoly_training.value.examples import Examples

HELD_BACK = 0.08  # of the games, to choose the best epoch
START_RATE = 2e-3  # of learning, at first, for a network that starts from fitted weights
FLOOR = 1e-4  # of a standard deviation; features below it are ignored
Tensors = dict[str, npt.NDArray[np.float32]]


@dataclass(frozen=True)
class FitOptions:
    """Options of a fit."""

    epochs: int = 8
    batch: int = 1024
    rate: float = 3e-3  # initial learning rate; it falls to 0 along a cosine
    decay: float = 0.02  # weight decay
    seed: int = 0


class ValueNetwork(nn.Module):
    """Win probabilities of all seats from features standardized to mean 0 and deviation 1."""

    def __init__(self) -> None:
        super().__init__()
        self.seat = nn.Linear(FEATURES, HIDDEN)
        self.table = nn.Linear(TABLE_FEATURES, HIDDEN, bias=False)
        self.own = nn.ModuleList(nn.Linear(HIDDEN, HIDDEN) for _ in range(LAYERS))
        self.mean = nn.ModuleList(nn.Linear(HIDDEN, HIDDEN, bias=False) for _ in range(LAYERS))
        self.highest = nn.ModuleList(nn.Linear(HIDDEN, HIDDEN, bias=False) for _ in range(LAYERS))
        self.out = nn.Linear(HIDDEN, 1, bias=False)

    def forward(self, seats: torch.Tensor, table: torch.Tensor, alive: torch.Tensor) -> Any:
        """Return log probabilities [n, 8].

        The inputs are [n, 8, FEATURES], [n, TABLE_FEATURES], and the seats still in the game, [n,
        8].
        """
        here = alive.unsqueeze(-1)
        hidden = torch.relu(self.seat(seats) + self.table(table).unsqueeze(1)) * here
        for own, of_mean, of_highest in zip(self.own, self.mean, self.highest, strict=True):
            mean = hidden.sum(1) / here.sum(1)
            shared = of_mean(mean) + of_highest(hidden.amax(1))
            hidden = torch.relu(own(hidden) + shared.unsqueeze(1)) * here
        logits = self.out(hidden).squeeze(-1).masked_fill(alive == 0, -1e9)
        return torch.log_softmax(logits, dim=1)


@dataclass(frozen=True)
class Fitted:
    """Result of a fit."""

    tensors: Tensors  # a set of weights by the names of NetworkState's fields
    loss: float  # log-loss on the held-out games
    epochs: int  # after which the loss was lowest


def fit(
    examples: Examples,
    options: FitOptions,
    progress: Progress | None = None,
    start: Tensors | None = None,
) -> Fitted:
    """Fit the network to who won. The same examples and options give the same network.

    ``start``: weights to start from instead of random ones, by name, as in :class:`Fitted`.

    Raises: InputError for too few games.
    """
    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    shown = progress or NoProgress()
    games = np.unique(examples.games)
    held = np.isin(examples.games, rng.choice(games, max(int(len(games) * HELD_BACK), 1), False))
    rows, back = np.flatnonzero(~held), np.flatnonzero(held)
    scales = Scales(examples, rows)
    network = ValueNetwork()
    if start is not None:
        scales.unfold(start, network)
    decayed = [p for p in network.parameters() if p.ndim > 1]
    plain = [p for p in network.parameters() if p.ndim == 1]
    groups: list[dict[str, Any]] = [
        {"params": decayed, "weight_decay": options.decay},
        {"params": plain},
    ]
    optimizer = torch.optim.AdamW(groups, lr=options.rate, weight_decay=0.0)
    steps = options.epochs * -(-len(rows) // options.batch)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    best = Fitted({}, np.inf, 0)
    shown.stage("fitting")
    for epoch in range(1, options.epochs + 1):
        rng.shuffle(rows)
        for at in range(0, len(rows), options.batch):
            loss = loss_of(network, scales, examples, rows[at : at + options.batch])
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
        with torch.no_grad():
            lots = np.array_split(back, max(len(back) // 4096, 1))
            found = sum(
                float(loss_of(network, scales, examples, lot)) * len(lot) for lot in lots
            ) / len(back)
        if found < best.loss:
            best = Fitted(scales.fold(network), found, epoch)
        shown.update(epoch / options.epochs, f"epoch {epoch}, log-loss {found:.4f}")
    if not np.isfinite(best.loss):
        InputError.at("games").fail(f"{len(games)} are too few to learn from; play more")
    return best


class Scales:
    """Mean and standard deviation of each feature, for scaling."""

    def __init__(self, examples: Examples, rows: npt.NDArray[np.int64]) -> None:
        some = rows[:: max(len(rows) // 50_000, 1)]
        # in float32, the rounded mean gives a feature that never varies a deviation above the floor,
        # and so a random weight of thousands
        seats = examples.seats[some][examples.alive[some] != 0].astype(np.float64)
        table = examples.table[some].astype(np.float64)
        self.seats, self.table = (scale_of(features) for features in (seats, table))

    def apply(self, examples: Examples, rows: npt.NDArray[np.int64]) -> tuple[Any, Any]:
        """Return the scaled features of some rows."""
        seats = (examples.seats[rows].astype(np.float32) - self.seats[0]) * self.seats[1]
        table = (examples.table[rows].astype(np.float32) - self.table[0]) * self.table[1]
        return torch.from_numpy(seats), torch.from_numpy(table)

    def fold(self, network: ValueNetwork) -> Tensors:
        """Return the network's weights for unscaled features."""

        def columns(layer: Any) -> npt.NDArray[np.float64]:
            return np.asarray(layer.weight.detach().numpy().T, np.float64)

        seat = columns(network.seat) * self.seats[1][:, None]
        table = columns(network.table) * self.table[1][:, None]

        def bias(layer: Any) -> npt.NDArray[np.float64]:
            return np.asarray(layer.bias.detach().numpy(), np.float64)

        first = bias(network.seat) - self.seats[0] @ seat - self.table[0] @ table
        tensors = {
            "seat": seat,
            "table": table,
            "bias": np.stack([first, *map(bias, network.own)]),
            "own": np.stack([columns(layer) for layer in network.own]),
            "mean": np.stack([columns(layer) for layer in network.mean]),
            "highest": np.stack([columns(layer) for layer in network.highest]),
            "out": columns(network.out)[:, 0],
        }
        return {name: np.ascontiguousarray(a, np.float32) for name, a in tensors.items()}

    def unfold(self, one: Tensors, network: ValueNetwork) -> None:
        """Give a network weights for unscaled features: the reverse of :meth:`fold`.

        Weights of features that do not vary become 0.
        """
        seat, table = (np.asarray(one[name], np.float64) for name in ("seat", "table"))
        arrays = {
            "seat.weight": (seat * _reverse(self.seats[1])).T,
            "seat.bias": one["bias"][0] + self.seats[0] @ seat + self.table[0] @ table,
            "table.weight": (table * _reverse(self.table[1])).T,
            "out.weight": one["out"][None],
        }
        for layer in range(LAYERS):
            arrays[f"own.{layer}.bias"] = one["bias"][layer + 1]
            for name in ("own", "mean", "highest"):
                arrays[f"{name}.{layer}.weight"] = one[name][layer].T
        network.load_state_dict(
            {name: torch.from_numpy(np.array(a, np.float32)) for name, a in arrays.items()}
        )


def scale_of(features: npt.NDArray[np.float64]) -> tuple[Any, Any]:
    """Return the mean and the inverse deviation of each feature, float32; 0 if it does not vary."""
    mean, deviation = features.mean(0), features.std(0)
    inverse = np.where(deviation < FLOOR, 0.0, 1 / np.maximum(deviation, FLOOR))
    return mean.astype(np.float32), inverse.astype(np.float32)


def _reverse(factors: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return 1 / factors as a column; 0 where a factor is 0."""
    column: npt.NDArray[np.float64] = np.zeros((len(factors), 1))
    np.divide(1, factors[:, None], out=column, where=factors[:, None] != 0)
    return column


def loss_of(
    network: ValueNetwork, scales: Scales, examples: Examples, rows: npt.NDArray[np.int64]
) -> torch.Tensor:
    """Return the mean log-loss of some rows: minus the log probability of the winner."""
    seats, table = scales.apply(examples, rows)
    alive = torch.from_numpy(examples.alive[rows].astype(np.float32))
    shares = torch.from_numpy(examples.shares[rows].astype(np.float32))
    loss: torch.Tensor = -(shares * network(seats, table, alive)).sum(1).mean()
    return loss
