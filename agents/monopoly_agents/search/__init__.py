"""search: the trader with rollouts for important decisions."""
