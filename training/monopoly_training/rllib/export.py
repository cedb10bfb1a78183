"""Convert policies trained with RLlib to models; ``model:FOLDER`` then plays them in NumPy."""

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

# The folder of an algorithm's modules in its checkpoint
MODULES = Path("learner_group", "learner", "rl_module")
RLMODULE = "class_and_ctor_args.pkl"  # in each module's folder
REMEDY = "if an older version saved it, train it again"


def load_checkpoint(
    checkpoint: str | Path, module: str | None = None, trust: bool = False
) -> Model:
    """Load the policy from a checkpoint of an algorithm (``save_to_path``) or of a module.

    Args:
        checkpoint: its folder.
        module: the name of the module, if the algorithm has several.
        trust: required, because RLlib's checkpoints are pickles, which can run arbitrary code.

    Raises: ModelError, one line, if it is no such checkpoint, or its network is not supported.
    """
    folder = Path(checkpoint)
    if not trust:
        fail(
            folder, "is made of pickles, which can run any code; if you know who made it, set trust"
        )
    found = module_folder(folder, module)
    try:
        loaded = RLModule.from_checkpoint(str(found.resolve()))
    except Exception as problem:  # noqa: BLE001 - unpickling may raise anything
        fail(found, f"is not a module that can be loaded: {problem}")
    return model_of(loaded, found)


def module_folder(folder: Path, module: str | None) -> Path:
    """Return the folder of a module. Raises: ModelError that lists the modules."""
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
    """Convert a :class:`MaskedModule` to a model with its current weights.

    Raises: ModelError, one line that begins with ``path``, if the network is not fully connected.
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
