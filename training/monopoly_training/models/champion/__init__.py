"""The trained policy of this package: weights, and a card that says how they were made."""
