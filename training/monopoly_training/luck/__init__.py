"""Luck: what throws and cards did to each seat's chance to win, so that it can be taken out of results."""
