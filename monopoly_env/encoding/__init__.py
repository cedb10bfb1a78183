"""Observations (named blocks of features) and rewards."""
