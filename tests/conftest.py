"""What holds for every test: bounds checks, one thread, no screen, no deadlines."""

import os

# Before anything imports Numba: an out-of-bounds write inside a game record would silently hit
# the next field.
os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")

# Before anything imports torch: with more threads than cores, small networks run many times slower.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Before anything imports matplotlib: tests draw into files.
os.environ.setdefault("MPLBACKEND", "Agg")

from hypothesis import settings

# The first call of a compiled function compiles it, which takes longer than any sensible deadline.
settings.register_profile("compiled", deadline=None)
settings.load_profile("compiled")
