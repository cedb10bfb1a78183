"""How good a policy is: win rates, learning curves, score tables."""
