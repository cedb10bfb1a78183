"""Decode packed observations to float32 in PyTorch, as a module in front of a network."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from monopoly_env.encoding.packed import NUMBERS_END, DecodePlan
from monopoly_env.encoding.unpacking import unpack
from monopoly_env.engine.state import Int64s


class PackedDecoder(nn.Module):
    """Decodes packed rows to float32 observations, bit for bit, on the device of the input.

    It has no weights and only looks numbers up, works under ``torch.compile`` and ``torch.export``,
    and goes before the first layer:

    >>> import torch
    >>> from torch import nn
    >>> from monopoly_training.packed.torch_decoder import PackedDecoder
    >>> network = nn.Sequential(PackedDecoder(), nn.Linear(1365, 64))
    >>> network(torch.zeros((5, 832), dtype=torch.uint8)).shape
    torch.Size([5, 64])

    Attributes:
        size: the number of output columns.
    """

    def __init__(self, columns: Int64s | None = None) -> None:
        """Create a decoder; ``columns`` selects output columns, as in ``env.columns``."""
        super().__init__()
        plan = DecodePlan(None if columns is None else np.asarray(columns, np.int64))
        self.size = len(plan.order)
        self._plan = plan
        for name in ("floats", "first", "second", "order"):
            self.register_buffer(name, torch.from_numpy(getattr(plan, name)), persistent=False)
        for name in ("shift", "mask", "base"):
            small = torch.from_numpy(getattr(plan, name).astype(np.int32))
            self.register_buffer(name, small, persistent=False)
        self.register_buffer("numbers", torch.from_numpy(plan.numbers), persistent=False)
        self.floats: Tensor
        self.first: Tensor
        self.second: Tensor
        self.order: Tensor
        self.shift: Tensor
        self.mask: Tensor
        self.base: Tensor
        self.numbers: Tensor

    def forward(self, rows: Tensor) -> Tensor:
        """Return float32[..., size] from rows uint8[..., 832], or the same as floats."""
        data = rows.to(torch.uint8)
        if data.device.type == "cpu" and not torch.compiler.is_compiling():
            # ten times as fast on the CPU
            return torch.from_numpy(unpack(data.numpy(), self._plan))
        plain = data[..., :NUMBERS_END].contiguous().view(torch.float32)
        wide = data.to(torch.int32)
        low, high = wide.index_select(-1, self.first), wide.index_select(-1, self.second)
        code = (((low | high << 8) >> self.shift) & self.mask) + self.base
        both = torch.cat([plain.index_select(-1, self.floats), self.numbers[code]], dim=-1)
        return both.index_select(-1, self.order)
