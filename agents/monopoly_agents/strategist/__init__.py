"""strategist: a scripted bot that maximizes expected rent and win share."""

from pathlib import Path

VETERAN = Path(__file__).parent / "veteran.json"  # the weights that evolution found
