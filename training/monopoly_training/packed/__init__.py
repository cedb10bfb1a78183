"""Packed observations in the libraries that learn: decoders for PyTorch and JAX."""
