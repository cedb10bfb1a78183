"""Each seat's chance to win a position, learned from games: features, network, weights."""
