"""Policies that RLlib trained, as models: ``model:FOLDER`` plays them, with NumPy alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ray.rllib.core.rl_module.rl_module import RLModule

from monopoly_env.engine.actions import N_ACTIONS
from monopoly_training.models.card import fail
from monopoly_training.models.from_torch import column_ids, ids_of, mlp_of
from monopoly_training.models.model import Model
from monopoly_training.rllib.modules import MaskedModule
from monopoly_training.rllib.spaces import OBSERVATIONS

# Where an algorithm's checkpoint has its modules, a folder each
MODULES = Path("learner_group", "learner", "rl_module")
RLMODULE = "class_and_ctor_args.pkl"  # in the folder of each module
REMEDY = "if an older version saved it, train it again"


def load_checkpoint(
    checkpoint: str | Path, module: str | None = None, trust: bool = False
) -> Model:
    """The policy in a checkpoint: of an algorithm (``save_to_path``), or of one of its modules.

    Args:
        checkpoint: its folder.
        module: which of the algorithm's modules, if it has several.
        trust: RLlib's checkpoints are pickles, which can run any code.

    Raises: ModelError, one line, if it is no such checkpoint, or its network cannot be played.
    """
    folder = Path(checkpoint)
    if not trust:
        fail(
            folder, "is made of pickles, which can run any code; if you know who made it, set trust"
        )
    found = module_folder(folder, module)
    try:
        loaded = RLModule.from_checkpoint(str(found.resolve()))
    except Exception as problem:  # noqa: BLE001 - whatever unpickling may raise
        fail(found, f"is not a module that can be loaded: {problem}")
    return model_of(loaded, found)


def module_folder(folder: Path, module: str | None) -> Path:
    """The folder of a module. Raises: ModelError that names the modules that there are."""
    inside = folder / MODULES if (folder / MODULES).is_dir() else folder
    names = sorted(path.parent.name for path in inside.glob(f"*/{RLMODULE}"))
    if not names and module is None and (folder / RLMODULE).is_file():
        return folder
    if not names:
        fail(folder, "is not a checkpoint; give the folder that algorithm.save_to_path() wrote")
    if module is None and len(names) == 1:
        return inside / names[0]
    if module not in names:
        which = "several modules" if module is None else f"no module {module}"
        fail(folder, f"has {which}; name one of {', '.join(names)}")
    return inside / module


def model_of(module: Any, path: Path = Path("module")) -> Model:
    """The policy of a :class:`MaskedModule` as it is now.

    Raises: ModelError, one line that begins with ``path``, for a network that is more than layers.
    """
    if not isinstance(module, MaskedModule):
        fail(path, f"is {type(module).__name__}; what can be played is MaskedModule")
    columns = column_ids(module.observation_space[OBSERVATIONS], path, REMEDY)
    space = module.action_space
    ids, does = getattr(space, "action_ids", None), "decides on {} actions"
    actions = ids_of(ids, int(space.n), N_ACTIONS, does, path, REMEDY)
    encoder = (
        module.encoder.encoder
        if hasattr(module.encoder, "encoder")
        else module.encoder.actor_encoder
    )
    try:
        network = mlp_of([*encoder.net.mlp, *module.pi.net.mlp])
        shapes = {name: array.shape for name, array in network.tensors().items()}
        network.check_shapes(shapes, columns, actions)
    except AttributeError:
        fail(path, f"cannot be played: its encoder is {type(encoder).__name__}, not layers")
    except ValueError as problem:
        fail(
            path,
            f"cannot be played: {problem}; the model config has fcnet_activation and "
            "head_fcnet_activation",
        )
    return Model(columns, actions, network, {"table": dict(space.table), "sample": True})
