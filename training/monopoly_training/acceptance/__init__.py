"""The acceptance model: collecting answers to offers, and fitting."""
