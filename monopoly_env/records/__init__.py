"""Records of games: what they hold, their files, and playing them again."""
