"""Pictures of a game: text, board images and the replay; imported only when used."""
