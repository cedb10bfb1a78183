"""A learned model of each seat's win probability: features, network, weights."""
