"""Results as plain dicts, for JSON. Imported at the first use."""

import json
from dataclasses import fields
from types import GetSetDescriptorType
from typing import Any

from secateurs._native import Position, Result, Score
from secateurs._results import PlayResult, Solution


def of_result(result: Result[Any]) -> dict[str, Any]:
    """Returns a result with its lines and iterations."""
    lines = {name: list(map(attributes, getattr(result, name))) for name in ("multipv", "iterations")}
    return {**of_position(result.position), **attributes(result), **lines}


def attributes(result: Result[Any]) -> dict[str, Any]:
    """Returns the attributes of a result that are no objects of their own; the score in centi-units or ``None``."""
    names = {name for name, kind in vars(Result).items() if isinstance(kind, GetSetDescriptorType)}
    known = {name: plain(getattr(result, name)) for name in sorted(names - {"position", "multipv", "iterations"})}
    return {"score": known.pop("score"), **known}


def of_lines(lines: list[Result[Any]]) -> list[dict[str, Any]]:
    """Returns the lines of a search as rows of a table."""
    return [{"line": line._line(), **attributes(line)} for line in lines]


def of_solution(solution: Solution[Any]) -> dict[str, Any]:
    """Returns a solution; the score in centi-units."""
    known = {row.name: plain(getattr(solution, row.name)) for row in fields(solution) if row.name != "position"}
    return {**of_position(solution.position), **known}


def plain(value: Any) -> Any:
    """Returns a value as JSON has it: a score in centi-units, a move of python-chess as text."""
    if isinstance(value, Score):
        return value.cp
    if isinstance(value, list):
        return list(map(plain, value))
    if isinstance(value, dict):
        return {plain(key): plain(item) for key, item in value.items()}
    return value.uci() if hasattr(value, "uci") else value


def of_play_result(played: PlayResult[Any]) -> dict[str, Any]:
    """Returns the move that an engine plays, with the result of the search."""
    return {"move": plain(played.move), "ponder": plain(played.ponder), "info": of_result(played.info)}


def to_json(result: Any) -> str:
    """Returns what has a method ``to_dict`` as JSON."""
    return json.dumps(result.to_dict())


def of_position(position: Position) -> dict[str, Any]:
    """Returns a position."""
    return {name: getattr(position, name) for name in ("game", "options", "text", "history")}
