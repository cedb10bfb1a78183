"""Configurations of environments, training runs and tournaments, shipped as YAML files."""
