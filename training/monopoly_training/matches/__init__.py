"""Who plays whom, and the games: compiled, batched or one decision at a time."""
