"""The decision suite: fixed decisions with known values."""
