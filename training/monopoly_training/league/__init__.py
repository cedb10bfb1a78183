"""League training: main agents and exploiters against a population of past policies."""
