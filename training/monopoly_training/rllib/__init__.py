"""RLlib's new API stack: environments, masked policy, bots, metrics, export."""

from monopoly_env.extras import require

require(__name__, "ray", "torch", extra="rllib")
