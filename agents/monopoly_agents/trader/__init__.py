"""trader: the strategist with deals by learned win probabilities."""
