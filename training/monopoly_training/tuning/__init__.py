"""Evolution of a scripted bot's weights."""
