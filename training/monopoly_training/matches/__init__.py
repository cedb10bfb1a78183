"""Play games between agents: compiled, batched or one decision at a time."""
