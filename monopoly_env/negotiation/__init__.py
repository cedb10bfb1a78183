"""Bargaining beside the rules: messages, whole offers, counter-offers, promises that are checked.

Nothing here is a rule. Offers and counter-offers are composed of the actions that the rules have,
and what is said moves nothing: a game replays without it.
"""

from __future__ import annotations
