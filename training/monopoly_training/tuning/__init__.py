"""Evolution of the weights that a scripted bot plays by."""
