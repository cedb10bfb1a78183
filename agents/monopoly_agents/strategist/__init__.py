"""A bot that reckons with rents, and deals by both sides' shares of winning."""
