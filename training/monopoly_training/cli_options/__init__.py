"""Options that several commands share, and what is typed behind them as settings."""
