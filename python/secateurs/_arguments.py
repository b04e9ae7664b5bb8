"""Checks of arguments in Python code, like those of the extension: errors name the argument."""

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from operator import index
from typing import Any


def wrong_type(name: str, expected: str, given: object) -> TypeError:
    """Returns the error for a wrong type."""
    return TypeError(f"{name} is {expected}, not {type(given).__name__}")


def whole(name: str, given: Any, least: int, most: int) -> int:
    """Checks a whole number within an inclusive range."""
    try:
        number = index(given)
    except TypeError:
        raise wrong_type(name, "an int", given) from None
    if not least <= number <= most:
        raise ValueError(f"{name} is a whole number from {least} to {most}, not {short(number)}")
    return number


def short(number: int) -> str:
    """Formats a number; a number with too many digits is not written out."""
    return str(number) if number.bit_length() < 130 else "a very large number"


def pair(name: str, given: Any) -> tuple[float, float]:
    """Checks a pair of numbers."""
    expected = "a tuple of 2 numbers"
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise wrong_type(name, expected, given)
    parts = tuple(islice(given, 3))
    if len(parts) != 2:
        raise ValueError(f"{name} is {expected}, not {len(parts) if len(parts) < 2 else 'more than 2'} values")
    return number(f"{name}[0]", parts[0]), number(f"{name}[1]", parts[1])


def number(name: str, given: Any) -> float:
    """Checks a number."""
    if isinstance(given, str):
        raise wrong_type(name, "a number", given)
    try:
        return float(given)
    except TypeError:
        raise wrong_type(name, "a number", given) from None
    except OverflowError:
        raise ValueError(f"{name} is too large a number") from None


def flag(name: str, given: Any) -> bool:
    """Checks a truth value."""
    if not isinstance(given, bool):
        raise wrong_type(name, "a bool", given)
    return given


def path(name: str, given: Any) -> str:
    """Converts a path to text."""
    try:
        text = os.fspath(given)
    except TypeError:
        text = None
    if not isinstance(text, str):
        raise wrong_type(name, "a str or a path", given)
    return text


def items(name: str, expected: str, given: Any) -> Iterator[Any]:
    """Returns the items of an iterable that is no text."""
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise wrong_type(name, expected, given)
    return iter(given)
