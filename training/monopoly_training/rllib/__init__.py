"""RLlib (new API stack): environments, a masked policy, bots, metrics and export."""

from monopoly_env.extras import require

require(__name__, "ray", "torch", extra="rllib")
