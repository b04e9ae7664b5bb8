"""Results as plain dicts, for JSON. Imported at the first use."""

from types import GetSetDescriptorType
from typing import Any

from secateurs._native import Position, Result, Solution


def of_result(result: Result) -> dict[str, Any]:
    """Returns a result with its lines and iterations."""
    lines = {name: list(map(attributes, getattr(result, name))) for name in ("multipv", "iterations")}
    return {**of_position(result.position), **attributes(result), **lines}


def of_solution(solution: Solution) -> dict[str, Any]:
    """Returns a solution."""
    return {**of_position(solution.position), **attributes(solution)}


def of_position(position: Position) -> dict[str, Any]:
    """Returns a position."""
    return {name: getattr(position, name) for name in ("game", "options", "text", "history")}


def attributes(found: Result | Solution) -> dict[str, Any]:
    """Returns the attributes that are no objects of their own; the score in centi-units."""
    names = {name for name, kind in vars(type(found)).items() if isinstance(kind, GetSetDescriptorType)}
    known = {name: getattr(found, name) for name in sorted(names - {"position", "multipv", "iterations", "score"})}
    return {"score": None if found.score is None else found.score.cp, **known}
