"""The decision suite: fixed decisions with known action values."""
