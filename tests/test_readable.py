"""Chess as people read it in displays; words of other programs for limits."""

from typing import Any

import pytest
import secateurs
from IPython.core.formatters import DisplayFormatter

MATE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"


def test_displays_have_standard_algebraic_notation() -> None:
    position = secateurs.Position.parse(MATE)
    engine = secateurs.Engine(hash=1)
    formatter: Any = DisplayFormatter()
    for result in (engine.analyse(position, depth=3), engine.solve(position)):
        html = formatter.format(result)[0]["text/html"]
        assert "Ra8#" in html
        assert "a1a8" not in html
    assert engine.analyse(position, depth=3).best_move == "a1a8"
    with pytest.raises(secateurs.IllegalMove, match=r"legal moves are a1b1, .*g1h2"):
        position.play("a1h8")
    with pytest.raises(secateurs.IllegalMove, match=r"legal moves are Rb1, .*Ra8#"):
        position.play("Rh8")


def test_times_are_seconds_or_milliseconds() -> None:
    assert secateurs.Limit(movetime=500) == secateurs.Limit(time=0.5)
    with pytest.raises(ValueError, match=r"time \(seconds\) or movetime \(milliseconds\), not both"):
        secateurs.Limit(movetime=500, time=1)
    for word, meant in (("seconds", "time"), ("plies", "depth"), ("ms", "movetime")):
        with pytest.raises(TypeError, match=f'"{word}"; did you mean {meant}'):
            secateurs.Limit(**{word: 3})
