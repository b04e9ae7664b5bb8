"""Checks of arguments in Python code, like those of the extension: errors name the argument."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from functools import wraps
from inspect import Parameter, signature
from itertools import islice
from operator import index
from typing import Any, ParamSpec, TypeVar

from secateurs import _python_chess
from secateurs._native import Limit, Position, _meant, _unexpected

P = ParamSpec("P")
T = TypeVar("T")


def parameters(function: Callable[..., object]) -> list[str]:
    """Returns the names of the keywords of a function, with those of a limit, without the options of a game."""
    names = []
    for row in signature(function).parameters.values():
        if row.kind in (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY):
            names.append(row.name)
        elif row.name in ("limits", "limits_and_options"):
            names += parameters(Limit)
    return names


def spelled(function: Callable[P, T]) -> Callable[P, T]:
    """Decorates a function of the package: the error for a mistyped keyword names the nearest one."""
    known = parameters(function)

    @wraps(function)
    def call(*arguments: P.args, **keywords: P.kwargs) -> T:
        check_words(function.__qualname__.removesuffix(".__init__"), keywords, known)
        return function(*arguments, **keywords)

    return call


def check_words(function: str, keywords: Iterable[str], known: list[str]) -> None:
    """Raises the error for a mistyped keyword of a function."""
    for word in keywords:
        if word not in known:
            raise _unexpected(function, word, known)


def either(limit: Any, keywords: Mapping[str, Any]) -> Any:
    """Returns a limit, or that of its keywords; one with the value ``None`` is ignored.

    :raises ValueError: both are given.
    """
    given = {name: value for name, value in keywords.items() if value is not None}
    if limit is not None and given:
        raise ValueError("give a limit or its keywords, not both")
    return Limit(**given) if given else limit


def native(limit: Any) -> Limit | None:
    """Returns a limit; that of python-chess converted.

    :raises TypeError: it is no limit.
    """
    keywords = None if limit is None else _python_chess.limit(limit, None)
    if keywords is not None:
        return Limit(**keywords)
    if not (limit is None or isinstance(limit, Limit)):
        raise wrong_type("limit", "a Limit", limit)
    return limit


def wrong_type(name: str, expected: str, given: object) -> TypeError:
    """Returns the error for a wrong type."""
    found = f"the class {given.__name__}" if isinstance(given, type) else type(given).__name__
    is_engine = isinstance(given, _python_chess.class_of("chess.engine", "SimpleEngine"))
    way = ": secateurs.UciEngine(command) starts the program" if is_engine else ""
    return TypeError(f"{name} is {expected}, not {found}{way}")


def is_bool(given: object) -> bool:
    """Returns whether an argument is a bool, of Python or numpy, which is no number."""
    return type(given).__name__ in ("bool", "bool_")


def whole(name: str, given: Any, least: int, most: int) -> int:
    """Checks a whole number within an inclusive range."""
    try:
        number = index(given)
    except TypeError:
        number = None
    if number is None or is_bool(given):
        raise wrong_type(name, "an int", given)
    if not least <= number <= most:
        span = f", at least {least}" if number < least and most >= 2**63 else f" from {least} to {most}"
        raise ValueError(f"{name} is a whole number{span}, not {short(number)}")
    return number


def counted(count: int, noun: str) -> str:
    """Returns a number with its noun, in the plural unless the number is 1."""
    return f"{count} {noun}{'s' * (count != 1)}"


def short(number: int) -> str:
    """Formats a number; a number with too many digits is not written out."""
    return str(number) if number.bit_length() < 130 else "a very large number"


def pair(name: str, given: Any) -> tuple[float, float]:
    """Checks a pair of numbers."""
    expected = "a tuple of 2 numbers"
    if isinstance(given, str | bytes | Set | Mapping) or not isinstance(given, Iterable):
        raise wrong_type(name, expected, given)
    parts = tuple(islice(given, 3))
    if len(parts) != 2:
        raise ValueError(f"{name} is {expected}, not {len(parts) if len(parts) < 2 else 'more than 2'}")
    return number(f"{name}[0]", parts[0]), number(f"{name}[1]", parts[1])


def number(name: str, given: Any) -> float:
    """Checks a number."""
    if is_bool(given) or isinstance(given, str | bytes | bytearray | memoryview):
        raise wrong_type(name, "a number", given)
    try:
        return float(given)
    except TypeError:
        raise wrong_type(name, "a number", given) from None
    except OverflowError:
        raise ValueError(f"{name} is too large a number") from None


def meant(name: str, given: Any, expected: str = "a Position") -> Position:
    """Converts a position, or what can only mean one."""
    found = _meant(given)
    if found is None:
        raise wrong_type(name, expected, given)
    return found


def plain_bool(given: T) -> T | bool:
    """Returns a bool of numpy as one of Python, and another object as it is."""
    return bool(given) if is_bool(given) else given


def flag(name: str, given: Any) -> bool:
    """Checks a truth value."""
    if not is_bool(given):
        raise wrong_type(name, "a bool", given)
    return bool(given)


def path(name: str, given: Any) -> str:
    """Converts a path to text."""
    try:
        text = os.fspath(given)
    except TypeError:
        text = None
    if not isinstance(text, str):
        raise wrong_type(name, "a str or a path", given)
    return text


def words(command: Any) -> str | None:
    """Returns a command in one text as the list that is meant; ``None`` if it may be the path of a program."""
    import shlex
    import shutil

    if not isinstance(command, str):
        return None
    try:
        parts = shlex.split(command)
    except ValueError:
        parts = command.split()
    is_line = len(parts) > 1 and shutil.which(parts[0]) and not shutil.which(command)
    return str(parts) if is_line else None


def items(name: str, expected: str, given: Any) -> Iterator[Any]:
    """Returns the items of an iterable that is no text."""
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise wrong_type(name, expected, given)
    return iter(given)
