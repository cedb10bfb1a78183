"""The included bots, one subpackage per family, found by name through the registry."""
