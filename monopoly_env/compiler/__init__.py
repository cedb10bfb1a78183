"""How compiled functions are made, kept on disk and linked; the only package that names Numba."""
