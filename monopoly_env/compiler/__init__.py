"""Compiles functions, caches them on disk, and links them; the only package that uses Numba."""
