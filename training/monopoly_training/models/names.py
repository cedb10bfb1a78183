"""Bot names of trained policies."""

SCHEME = "model:"  # prefix; followed by a path
CHAMPION = "champion"  # the policy included in the package
