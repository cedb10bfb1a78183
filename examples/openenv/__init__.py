"""Monopoly as an OpenEnv environment: the client and its messages."""

from monopoly_openenv.client import MonopolyClient
from monopoly_openenv.models import MonopolyAction, MonopolyObservation, MonopolyState

__all__ = ["MonopolyAction", "MonopolyClient", "MonopolyObservation", "MonopolyState"]
