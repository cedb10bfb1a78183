"""How the value of a position is fitted and judged: positions from bots' games, the fit, the table."""
