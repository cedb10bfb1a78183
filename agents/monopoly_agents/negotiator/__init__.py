"""A negotiating bot that sends messages, makes counteroffers, and gives promises."""

from __future__ import annotations
