"""Bots with fixed rules: random play, the fixed policies of a paper, the public background agent."""
