"""Keys of the states of a game in Python."""

import sys
from collections import deque
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cached_property
from itertools import count
from threading import Lock
from types import MemberDescriptorType
from typing import Any

# Functions that copy the content of an object to a plain object of its built-in base class.
_CONTENTS: dict[type, Callable[[Any], object]] = {
    tuple: lambda value: tuple.__getitem__(value, slice(None)),
    list: list.copy,
    dict: dict.copy,
    set: lambda value: set(set.__iter__(value)),
    frozenset: lambda value: frozenset(frozenset.__iter__(value)),
    deque: lambda value: list(deque.__iter__(value)),
    str: str.__str__,
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
    bytearray: lambda value: bytes(memoryview(value)),
    int: int.__int__,
    float: float.__float__,
}

# Py_TPFLAGS_HEAPTYPE: the class was created by a class statement.
_HEAP = 1 << 9


_numbers, _LOCK = count(), Lock()


class ClassFacts:
    """The data shared by the states of one class."""

    def __init__(self, kind: type) -> None:
        """Numbers a class: each class is a game of its own."""
        self.kind, self.rules = kind, next(_numbers)

    @cached_property
    def parts(self) -> tuple[list[tuple[str, Any]], Callable[[Any], object] | None]:
        """The slots of the class and its bases, and the function that copies the content of a built-in base class."""
        return _parts(self.kind)


def facts(kind: Any) -> ClassFacts:
    """Returns the data of a class, cached in the class."""
    known: ClassFacts | None = kind._facts
    # A class inherits the data of its base.
    if known is None or known.kind is not kind:
        with _LOCK:
            known = kind.__dict__.get("_facts")
            if known is None or known.kind is not kind:
                known = ClassFacts(kind)
                type.__setattr__(kind, "_facts", known)
    return known


class Attributes(dict[str, object]):
    """The attributes of a state: slots, content, then those of its ``__dict__``."""


def attributes(state: object) -> dict[str, object]:
    """Returns all attributes of a state: its ``__dict__``, and its slots and its content if it has any.

    :raises ValueError: the state has no attributes, or a base class hides some.
    """
    slots, content = facts(type(state)).parts
    known: dict[str, object] = vars(state)
    if slots or content:
        found = Attributes((name, slot.__get__(state)) for name, slot in slots if _is_set(slot, state))
        if content:
            found[""] = content(state)
        found.update(known)
        known = found
    if not known:
        name = type(state).__name__
        raise ValueError(f"{name} has no attributes to tell its states apart: give it some, or override {name}.key()")
    return known


def _parts(kind: type) -> tuple[list[tuple[str, Any]], Callable[[Any], object] | None]:
    slots, content = [], None
    for base in reversed(kind.__mro__):
        slots += [(name, slot) for name, slot in vars(base).items() if _is_slot(base, slot)]
        content = _CONTENTS.get(base, content)
        if not base.__flags__ & _HEAP and base is not object and base not in _CONTENTS:
            name = kind.__name__
            raise ValueError(f"what {name} has of {base.__name__} cannot be seen: override {name}.key()")
    return slots, content


def _is_slot(base: type, slot: object) -> bool:
    return bool(base.__flags__ & _HEAP) and isinstance(slot, MemberDescriptorType)


def _is_set(slot: Any, state: object) -> bool:
    try:
        slot.__get__(state)
    except AttributeError:
        return False
    return True


def plain(state: object, key: object) -> object:
    """Converts a key to one with a complete ``repr``: arrays of numpy become their bytes.

    :raises ValueError: a part of the key has a ``repr`` with an address or an omission.
    """
    return _plain(key, _named(state, key), type(state).__name__, ())


def _named(state: object, key: object) -> str:
    name = type(state).__name__
    own = isinstance(key, Attributes) or key is getattr(state, "__dict__", None)
    return name if own else f"{name}.key()"


def _plain(value: Any, place: str, game: str, around: tuple[int, ...]) -> object:
    kind = type(value)
    if kind in (str, bytes) or id(value) in around:
        return value
    around = (*around, id(value))

    def plain(part: object, place: str = place) -> object:
        return _plain(part, place, game, around)

    if isinstance(value, dict) and kind.__module__ in ("builtins", "collections", __name__):
        of_state = len(around) == 1
        return {plain(name): plain(of, f"{place}.{name}" if of_state else place) for name, of in value.items()}
    if kind in (list, tuple, set, frozenset, deque) or (isinstance(value, tuple) and hasattr(kind, "_fields")):
        return kind.__name__, [plain(of) for of in value]
    if is_dataclass(value) and hasattr(kind.__repr__, "__wrapped__"):
        # The repr is the one generated by the dataclass.
        return kind.__name__, {of.name: plain(getattr(value, of.name)) for of in fields(value) if of.repr}
    array = getattr(sys.modules.get("numpy"), "ndarray", ())
    if kind is array:
        return str(value.dtype), value.shape, plain(value.tolist()) if value.dtype.hasobject else value.tobytes()
    text = repr(value)
    advice = f"give {kind.__name__} a __repr__ with its content, or override {game}.key()"
    if " at 0x" in text:
        raise ValueError(
            f"the repr of {place} holds the address of {_one(kind)}, which tells no states apart: {advice}"
        )
    if isinstance(value, array) or ("..." in text and hasattr(kind, "__array__")):
        raise ValueError(f"the repr of {place} does not show all of {_one(kind)}: {advice}")
    return value


def _one(kind: type) -> str:
    return f"{'an' if kind.__name__[0] in 'aeiouAEIOU' else 'a'} {kind.__name__}"
