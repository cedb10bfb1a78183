"""rl_zoo3 with MaskablePPO and masked evaluation; takes the options of `rl_zoo3 train`."""

import rl_zoo3.exp_manager
import torch
from monopoly_training.sb3.masked_policy import MaskedPolicy
from rl_zoo3.train import train
from rl_zoo3.utils import ALGOS
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback

import monopoly_env  # noqa: F401 - registers monopoly_env/Monopoly-v0

ALGOS["ppo_mask"] = MaskablePPO
MaskablePPO.policy_aliases["MaskedPolicy"] = MaskedPolicy  # the name in the hyperparameters
rl_zoo3.exp_manager.EvalCallback = MaskableEvalCallback

if __name__ == "__main__":
    torch.set_num_threads(1)  # more threads are slower with a small network
    train()
