"""Training and testing the value model."""
