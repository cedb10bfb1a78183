"""The names under which trained policies are had as bots."""

SCHEME = "model:"  # any one, by its path
CHAMPION = "champion"  # the one that comes with the package
