"""The leaderboard: its protocol and results."""
