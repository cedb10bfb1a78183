"""trader: the strategist, who judges deals by each seat's chance to win after them."""
