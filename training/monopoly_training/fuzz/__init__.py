"""Fuzz testing of the rules: ``monopoly-env fuzz``."""
