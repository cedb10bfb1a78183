"""Fuzzing the rules: ``monopoly-env fuzz``."""
