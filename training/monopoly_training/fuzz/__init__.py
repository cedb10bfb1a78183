"""Random play under random rules, every position checked: ``monopoly-env fuzz``."""
