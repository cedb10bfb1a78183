"""What RLlib's new API stack is given: environments, a masked policy, bots, who won, an exporter."""

from monopoly_env.extras import require

require(__name__, "ray", "torch", extra="rllib")
