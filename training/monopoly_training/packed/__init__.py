"""Decoders of packed observations for PyTorch and JAX."""
