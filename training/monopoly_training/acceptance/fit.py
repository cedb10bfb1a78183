"""Fit the networks of monopoly_agents/trader/acceptance.py in PyTorch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from monopoly_agents.trader.acceptance import LARGE, N_FEATURES, N_QUICK, SMALL
from torch import nn

from monopoly_training.acceptance.play import Answers
from monopoly_training.common.progress import NoProgress, Progress

NETWORKS = {"small": (N_QUICK, SMALL), "large": (N_FEATURES, LARGE)}  # features and hidden units
HELD_BACK = 0.1  # fraction of the games held out to select the best epoch


@dataclass(frozen=True)
class Fitted:
    """The result of fitting a network."""

    tensors: dict[str, Any]  # by field name of SmallState and LargeState
    loss: float  # log loss on the held-out games
    epochs: int  # the epoch with the lowest loss


def new_network(features: int, units: int) -> nn.Sequential:
    """Create a network: logits [n, 1] from features [n, features]."""
    return nn.Sequential(
        nn.Linear(features, units), nn.ReLU(), nn.Linear(units, units), nn.ReLU(),
        nn.Linear(units, 1),
    )  # fmt: skip


def tensors_of(network: nn.Sequential) -> dict[str, Any]:
    """Return the weights by field name of SmallState and LargeState."""

    def array(parameter: Any) -> Any:
        return np.ascontiguousarray(parameter.detach().numpy().T, np.float32)

    layers: list[Any] = [network[index] for index in (0, 2, 4)]
    first, second, out = layers
    return {
        "first": array(first.weight),
        "bias": np.stack([array(first.bias), array(second.bias)]),
        "second": array(second.weight),
        "out": array(out.weight)[:, 0],
        "level": float(array(out.bias)[0]),
    }


def fit(
    answers: Answers,
    name: str,
    epochs: int = 12,
    seed: int = 0,
    progress: Progress | None = None,
) -> Fitted:
    """Fit a network of NETWORKS to the answers, deterministically for given answers and seed."""
    features, units = NETWORKS[name]
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    shown = progress or NoProgress()
    shown.stage(f"fitting the {name} network")
    games = np.unique(answers.games)
    held = np.isin(answers.games, rng.choice(games, max(int(len(games) * HELD_BACK), 1), False))
    rows, back = np.flatnonzero(~held), np.flatnonzero(held)
    inputs, targets = (
        torch.from_numpy(np.ascontiguousarray(answers.rows[:, :features])),
        torch.from_numpy(answers.yes.astype(np.float32)),
    )
    network, loss_of = new_network(features, units), nn.BCEWithLogitsLoss()
    batch = 1024
    optimizer = torch.optim.AdamW(network.parameters(), lr=4e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(
        optimizer, epochs * -(-len(rows) // batch)
    )
    best = Fitted({}, np.inf, 0)
    for epoch in range(1, epochs + 1):
        rng.shuffle(rows)
        for at in range(0, len(rows), batch):
            some = rows[at : at + batch]
            loss = loss_of(network(inputs[some]).squeeze(1), targets[some])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        with torch.no_grad():
            found = float(loss_of(network(inputs[back]).squeeze(1), targets[back]))
        if found < best.loss:
            best = Fitted(tensors_of(network), found, epoch)
        shown.update(epoch / epochs, f"epoch {epoch}, log-loss {found:.4f}")
    return best
