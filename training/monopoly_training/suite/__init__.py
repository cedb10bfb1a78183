"""The suite: frozen decisions with a value for each action, and how well an agent takes them."""
