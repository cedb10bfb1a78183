"""What RLlib's new API stack is given: environments, a policy with masks, bots, and who won."""
