"""Statistics: win rates with intervals, bootstrap, sequential tests, ratings."""
