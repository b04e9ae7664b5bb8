"""Keys of the states of a game in Python."""

import os
import re
import sys
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, defaultdict, deque
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cached_property
from itertools import count
from struct import calcsize
from threading import Lock
from types import MappingProxyType, MemberDescriptorType, SimpleNamespace
from typing import Any
from weakref import WeakKeyDictionary

# Functions that copy the content of an object of a built-in class to a plain object.
_CONTENTS: dict[type, Callable[[Any], object]] = {
    tuple: lambda value: tuple.__getitem__(value, slice(None)),
    list: list.copy,
    dict: dict.copy,
    set: lambda value: set(set.__iter__(value)),
    frozenset: lambda value: frozenset(frozenset.__iter__(value)),
    OrderedDict: lambda value: list(dict(value).items()),
    defaultdict: dict.copy,
    deque: lambda value: [deque.maxlen.__get__(value), *deque.__iter__(value)],
    str: str.__str__,
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
    bytearray: lambda value: bytes(memoryview(value)),
    int: int.__int__,
    float: float.__float__,
}

# Py_TPFLAGS_HEAPTYPE: created by a class statement, or by a module in C.
_HEAP = 1 << 9


_numbers, _lock = count(), Lock()


def _renew() -> None:
    global _lock
    _lock = Lock()


# A thread that holds the lock at a fork does not exist in the new process.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)


class ClassFacts:
    """The data shared by the states of one class."""

    def __init__(self, kind: type) -> None:
        """Numbers a class: each class is a game of its own."""
        self.kind, self.rules = kind, next(_numbers)

    @cached_property
    def parts(self) -> tuple[list[tuple[str, Any]], Callable[[Any], object] | None]:
        """The slots of the class and its bases, and the function that copies the content of a built-in base class."""
        return _parts(self.kind, self.kind.__name__)


def facts(kind: Any) -> ClassFacts:
    """Returns the data of a class, cached in the class."""
    known: ClassFacts | None = kind._facts
    # A class inherits the data of its base.
    if known is None or known.kind is not kind:
        with _lock:
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
        found = Attributes(_gathered(state, slots, content))
        found.update(known)
        known = found
    if not known:
        name = type(state).__name__
        raise ValueError(f"{name} has no attributes to tell its states apart: give it some, or override {name}.key()")
    return known


def _parts(kind: type, game: str) -> tuple[list[tuple[str, Any]], Callable[[Any], object] | None]:
    slots, content = [], None
    for base in reversed(kind.__mro__):
        slots += [(name, slot) for name, slot in vars(base).items() if _is_slot(base, slot)]
        content = _CONTENTS.get(base, content)
        if base is not object and base not in _CONTENTS and _hides_content(base):
            raise ValueError(f"what {kind.__name__} has of {base.__name__} cannot be seen: override {game}.key()")
    return slots, content


def _hides_content(base: type) -> bool:
    """Returns whether objects of a class have content beside slots, a dictionary and weak references: a class in C."""
    fields = 2 + sum(_is_slot(base, slot) for slot in vars(base).values())
    parent = base.__base__ or object
    return not base.__flags__ & _HEAP or base.__basicsize__ - parent.__basicsize__ > fields * calcsize("P")


def _is_slot(base: type, slot: object) -> bool:
    return bool(base.__flags__ & _HEAP) and isinstance(slot, MemberDescriptorType)


def _gathered(value: Any, slots: list[tuple[str, Any]], content: Callable[[Any], object] | None) -> dict[str, object]:
    found: dict[str, object] = {name: slot.__get__(value) for name, slot in slots if _is_set(slot, value)}
    if content:
        found[""] = content(value)
    return found


def _is_set(slot: Any, state: object) -> bool:
    try:
        slot.__get__(state)
    except AttributeError:
        return False
    return True


def plain(move: Any) -> Any:
    """Returns a move whose numbers of numpy, also inside tuples and lists, are those of Python."""
    if type(move) in (tuple, list):
        return type(move)(map(plain, move))
    scalars: Any = getattr(sys.modules.get("numpy"), "generic", ())
    return move.item() if isinstance(move, scalars) else move


# The content of objects whose ``repr`` may hide something, by class.
_WRAPPERS: dict[type, Callable[[Any], object]] = {
    Attributes: dict.copy,
    bytearray: bytes,
    deque: lambda value: [value.maxlen, *value],
    OrderedDict: lambda value: list(value.items()),
    defaultdict: dict,
    Counter: dict,
    ChainMap: lambda value: value.maps,
    UserDict: lambda value: value.data,
    UserList: lambda value: value.data,
    MappingProxyType: dict,
    SimpleNamespace: vars,
    re.Pattern: lambda value: (value.pattern, value.flags),
}


def parts(value: Any, place: tuple[object, object, object]) -> object:
    """Returns everything that identifies a part of a key, for a part of no plain built-in class.

    :param place: the state, its key, and the name of the item of the key that contains the part.
    :raises ValueError: the part hides its content.
    """
    kind = type(value)
    if isinstance(value, Enum):
        # A combination of flags may have no name.
        return value.name or value.value
    if kind in _WRAPPERS:
        return _WRAPPERS[kind](value)
    numpy = sys.modules.get("numpy")
    if kind is getattr(numpy, "ndarray", None):
        return str(value.dtype), value.shape, value.tolist() if value.dtype.hasobject else value.tobytes()
    if (shape := _shape(kind, type(place[0]).__name__)) is not None:
        return shape.of(value)
    text = _text(value, numpy)
    advice = f"give {kind.__name__} a __repr__ with its content, or override {type(place[0]).__name__}.key()"
    if " at 0x" in text:
        raise ValueError(
            f"the repr of {_named(*place)} holds the address of {_one(kind)}, which tells no states apart: {advice}"
        )
    # Arrays, those of scipy that are sparse and tables shorten and round their text; the scalars of numpy do not.
    is_array = hasattr(kind, "__array__") or hasattr(kind, "toarray")
    if is_array and not isinstance(value, getattr(numpy, "generic", ())):
        raise ValueError(f"the repr of {_named(*place)} does not show all of {_one(kind)}: {advice}")
    return text


def _is_open(kind: type) -> bool:
    """Whether the content of objects of a class can be seen: it has fields, or derives from a built-in container."""
    shows: Any = kind.__repr__
    if is_dataclass(kind) or any(hasattr(kind, fields) for fields in ("__attrs_attrs__", "__pydantic_fields__")):
        return True
    if any(shows is base.__repr__ for base in (*_CONTENTS, *_WRAPPERS)):
        return True
    others = [base for base in kind.__mro__ if base is not object and base not in _CONTENTS]
    return len(others) + 1 < len(kind.__mro__) and not any(map(_hides_content, others))


class _Shape:
    """The parts of the objects of a class whose content can be seen."""

    def __init__(self, kind: type, game: str) -> None:
        self.slots, self.content = _parts(kind, game)
        # What a dataclass neither shows nor compares, which fields a model of pydantic was given, and what is computed.
        self.hidden = {of.name for of in fields(kind) if not (of.repr or of.compare)} if is_dataclass(kind) else set()
        self.hidden.add("__pydantic_fields_set__")
        known = {name: of for base in reversed(kind.__mro__) for name, of in vars(base).items()}
        self.hidden |= {name for name, of in known.items() if isinstance(of, cached_property)}

    def of(self, value: Any) -> dict[str, object]:
        """Returns the attributes of an object, and its content if its class derives from a built-in container."""
        found = _gathered(value, self.slots, self.content)
        found.update(getattr(value, "__dict__", {}))
        for name in self.hidden:
            found.pop(name, None)
        return found


# The shapes of classes; None for a class whose objects are known by their ``__repr__``.
_shapes: WeakKeyDictionary[type, _Shape | None] = WeakKeyDictionary()


def _shape(kind: type, game: str) -> _Shape | None:
    try:
        return _shapes[kind]
    except KeyError:
        shape = _Shape(kind, game) if _is_open(kind) else None
        return _shapes.setdefault(kind, shape)


def _text(value: object, numpy: Any) -> str:
    if (options := getattr(numpy, "printoptions", None)) is None:
        return repr(value)
    # All cells of the arrays in the text, and all digits of their numbers.
    with options(threshold=sys.maxsize, floatmode="unique", suppress=False):
        return repr(value)


def _named(state: object, key: object, item: object) -> str:
    name = type(state).__name__
    own = isinstance(key, Attributes) or key is getattr(state, "__dict__", None)
    name = name if own else f"{name}.key()"
    return f"{name}.{item}" if isinstance(key, dict) else name


def _one(kind: type) -> str:
    return f"{'an' if kind.__name__[0] in 'aeiouAEIOU' else 'a'} {kind.__name__}"
