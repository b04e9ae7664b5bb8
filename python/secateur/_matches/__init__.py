""":func:`secateur.match` and its types."""

from secateur._matches.play import match
from secateur._matches.players import Clock, Player
from secateur._matches.result import Match

__all__ = ["Clock", "Match", "Player", "match"]
