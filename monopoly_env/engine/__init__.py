"""The rules of the game, one per file, in NumPy and Numba only."""
