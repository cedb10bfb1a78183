"""Reviews of recorded games: what each decision lost, what luck did, and what would have been better."""
