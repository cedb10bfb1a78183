"""What RLlib's new API stack is given: environments, a masked policy, bots, who won, an exporter."""
