"""Negotiation outside the rules: messages, whole offers, counter-offers, and checked promises.

None of it is a rule. Offers and counter-offers are composed of ordinary actions, and messages do
not change the game, so that a game can be replayed without them.
"""

from __future__ import annotations
