"""Results as plain dicts, for JSON. Imported at the first use."""

from dataclasses import fields
from types import GetSetDescriptorType
from typing import Any

from secateurs._native import Position, Result, Score
from secateurs._results import Solution


def of_result(result: Result) -> dict[str, Any]:
    """Returns a result with its lines and iterations."""
    lines = {name: list(map(attributes, getattr(result, name))) for name in ("multipv", "iterations")}
    return {**of_position(result.position), **attributes(result), **lines}


def attributes(result: Result) -> dict[str, Any]:
    """Returns the attributes of a result that are no objects of their own; the score in centi-units or ``None``."""
    names = {name for name, kind in vars(Result).items() if isinstance(kind, GetSetDescriptorType)}
    known = {name: getattr(result, name) for name in sorted(names - {"position", "multipv", "iterations", "score"})}
    return {"score": getattr(result.score, "cp", None), **known}


def of_solution(solution: Solution) -> dict[str, Any]:
    """Returns a solution; the score in centi-units."""
    known = {row.name: getattr(solution, row.name) for row in fields(solution) if row.name != "position"}
    plain = {name: value.cp if isinstance(value, Score) else value for name, value in known.items()}
    return {**of_position(solution.position), **plain}


def of_position(position: Position) -> dict[str, Any]:
    """Returns a position."""
    return {name: getattr(position, name) for name in ("game", "options", "text", "history")}
