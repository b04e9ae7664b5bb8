"""Results are values."""

from dataclasses import FrozenInstanceError
from typing import Any

import pytest
import secateurs


def test_results_cannot_be_changed() -> None:
    position = secateurs.Position("nim", heaps=[1, 2])
    engine = secateurs.Engine(hash=1)
    results: list[tuple[Any, str]] = [(engine.play(position, depth=1), "move"), (engine.solve(position), "other")]
    for result, name in results:
        with pytest.raises(FrozenInstanceError, match=name):
            setattr(result, name, 1)
        with pytest.raises(FrozenInstanceError, match="nodes"):
            del result.nodes
