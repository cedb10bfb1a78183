"""A bot that reckons with rents, and deals by both sides' shares of winning."""

from pathlib import Path

VETERAN = Path(__file__).parent / "veteran.json"  # the weights that evolution found
