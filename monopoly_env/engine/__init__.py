"""The rules of the game: numpy and Numba only, one rule a file."""
