"""Who accepts what: answers to offers, collected from many kinds of players, and a fit to them."""
