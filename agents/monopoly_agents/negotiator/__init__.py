"""A bot that negotiates: it speaks, haggles, promises, and keeps its promises as often as it is told."""

from __future__ import annotations
