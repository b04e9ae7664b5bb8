""":func:`secateurs.match` and its types."""

from secateurs._matches.play import match
from secateurs._matches.players import Clock, Player
from secateurs._matches.result import Match

__all__ = ["Clock", "Match", "Player", "match"]
