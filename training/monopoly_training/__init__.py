"""Training, evaluation, tournaments and the command line."""
