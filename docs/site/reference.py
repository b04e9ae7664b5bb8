"""The reference of the Python package, from its docstrings, and from the stubs for types."""

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

PACKAGE = Path(__file__).parent.parent.parent / "python" / "secateurs"

# Modules for users. A module that needs an extra is included where the extra is installed.
MODULES = (
    "secateurs",
    "secateurs.aio",
    "secateurs.dask",
    "secateurs.kaggle",
    "secateurs.openspiel",
    "secateurs.pettingzoo",
    "secateurs.torch",
    "secateurs.widget",
)

ROLE = re.compile(r":(?:class|meth|attr|func|mod):`([^`]+)`")
FIELD = re.compile(r":(param|raises|returns?)\s*([^:]*):\s*(.*)")
# The modules of types, which the page leaves out.
INNER = re.compile(r"\b(?:secateurs(?:\.\w+)*|os|collections\.abc|typing)\.(?=\w)")
# The aliases of the stubs, as a reader knows them.
ALIASES = {
    "_Searched[_M]": "Position | chess.Board",
    "_Searched[Any]": "Position | chess.Board",
    "_AnyPosition": "Position | chess.Board | str | Game",
    "_AnyLimit": "Limit | chess.engine.Limit",
    "_Pgn": "str | PathLike[str] | IO | chess.pgn.Game",
    "_Move": "str | int | chess.Move",
    "_Option": "bool | int | str | PathLike[str] | Sequence[int]",
    "_Limits": "",
}
# The type of the moves of a result, which only signatures for type checkers tell.
OF_MOVES = re.compile(r"(?<=Result|lution|alysis)\[(?:_?M|Any)\]")
MOVE = re.compile(r"\b_?M\b")
TITLES = {"param": "Parameters", "raises": "Raises", "return": "Returns", "returns": "Returns"}

# The definitions of a name, several where it is overloaded; those of a class by `Class.name`.
Definitions = dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]]


def reference() -> str:
    """The page."""
    modules = [importlib.import_module(name) for name in MODULES if find_spec(name) and is_complete(name)]
    known = {anchor for module in modules for anchor, *_ in entries(module, {})}
    known |= {module.__name__ for module in modules}
    parts = ["# The Python package\n\nMade from the docstrings; `help(secateurs.Engine)` shows the same."]
    for module in modules:
        name = module.__name__
        parts.append(f"## {name} {{#{name}}}\n\n{prose(module.__doc__ or '', name, known)}")
        definitions = defined(module)
        for anchor, short, thing, depth in entries(module, definitions):
            owner = anchor if isinstance(thing, type) else anchor.rpartition(".")[0]
            text = prose(documentation(thing), owner, known)
            parts.append(f"{'#' * depth} {short} {{#{anchor}}}\n\n{signature(short, thing, definitions)}{text}")
    return "\n\n".join(parts) + "\n"


def is_complete(name: str) -> bool:
    """Whether the requirements of a module are installed."""
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


def entries(module: ModuleType, definitions: Definitions) -> Iterator[tuple[str, str, Any, int]]:
    """The public names of a module: anchor, short name, object, and level of the heading."""
    order = {name: number for number, name in enumerate(definitions)}
    for name in module.__all__:
        thing = getattr(module, name)
        if name.startswith("_"):
            continue
        yield f"{module.__name__}.{name}", name, thing, 3
        if isinstance(thing, type) and not issubclass(thing, BaseException):
            # Members in the order of their definitions.
            for member in sorted(vars(thing), key=lambda member: order.get(f"{name}.{member}", 0)):
                value = vars(thing)[member]
                if not member.startswith("_") and member not in fields_of(thing) and documentation(value):
                    yield f"{module.__name__}.{name}.{member}", f"{name}.{member}", value, 4


def fields_of(thing: type) -> tuple[str, ...]:
    """The fields of a dataclass or a named tuple, which its own docstring describes."""
    return (*getattr(thing, "__dataclass_fields__", ()), *getattr(thing, "_fields", ()))


def documentation(thing: Any) -> str:
    """The docstring, or the help of a trait; empty for data, whose docstring is that of its type."""
    is_data = isinstance(thing, int | str | float | tuple)
    text = getattr(thing, "help", None) if hasattr(thing, "metadata") else thing.__doc__
    return "" if is_data else inspect.cleandoc(text or "")


def defined(module: ModuleType) -> Definitions:
    """The definitions of a module: its own before those that it imports from the package."""
    own = [*sources(module.__name__), PACKAGE / "_native.pyi"]
    apart = [path for name in MODULES[1:] for path in sources(name)]
    found: Definitions = {}
    for path in [*own, *(path for path in sorted(PACKAGE.rglob("*.py")) if path not in own + apart)]:
        here: Definitions = {}
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            members = [(f"{node.name}.", member) for member in node.body] if isinstance(node, ast.ClassDef) else []
            for prefix, one in [("", node), *members]:
                if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and not is_setter(one):
                    here.setdefault(prefix + one.name, []).append(one)
        found |= {name: nodes for name, nodes in here.items() if name not in found}
    return found


def sources(name: str) -> list[Path]:
    """The files of a module, which may be a package of its own."""
    path = PACKAGE / (name.partition(".")[2] or "__init__")
    return sorted(path.glob("*.py")) if path.is_dir() else [path.with_suffix(".py")]


def is_setter(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a method assigns a property."""
    return any(ast.unparse(mark).endswith(".setter") for mark in node.decorator_list)


def signature(short: str, thing: Any, definitions: Definitions) -> str:
    """The signature of a callable, or the type of an attribute."""
    if isinstance(thing, type) and fields_of(thing):
        fields = [INNER.sub("", str(field)) for field in inspect.signature(thing).parameters.values()]
        return f"```python\n{listed(f'class {short}', fields, '')}\n```\n\n"
    if isinstance(thing, type):
        named = definitions.get(f"{short}.__new__") or definitions.get(f"{short}.__init__") or []
    else:
        named = definitions.get(short, [])
    overloads = [one for one in named if any("overload" in ast.unparse(mark) for mark in one.decorator_list)]
    shown = [call(short, one, thing) for one in overloads or named]
    return f"```python\n{chr(10).join(shown)}\n```\n\n" if shown else ""


def call(short: str, node: ast.FunctionDef | ast.AsyncFunctionDef, thing: Any) -> str:
    """The signature of a definition, without `self`; a long one takes several lines."""
    returns = f" -> {ast.unparse(node.returns)}".replace("'", "").replace("_AECEnv", "AECEnv") if node.returns else ""
    returns = MOVE.sub("str | chess.Move", OF_MOVES.sub("", returns))
    if any(ast.unparse(mark) == "property" for mark in node.decorator_list):
        return f"{short}: {returns.removeprefix(' -> ')}"
    is_class = isinstance(thing, type)
    words = [word for word in parameters(node.args) if word not in ("self", "cls")]
    words = words[1:] if words[:1] == ["/"] else words
    start = "class " if is_class else "await " if isinstance(node, ast.AsyncFunctionDef) else ""
    end = "" if is_class else returns
    return listed(f"{start}{short}", words, end)


def listed(name: str, words: list[str], end: str) -> str:
    """A name with its parameters, on one line or one line each."""
    line = f"{name}({', '.join(words)}){end}"
    return line if len(line) <= 90 else f"{name}(\n{''.join(f'    {word},{chr(10)}' for word in words)}){end}"


def parameters(args: ast.arguments) -> list[str]:
    """The parameters as source text."""
    positional = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(positional) - len(args.defaults)) + list(args.defaults)
    words = [written(arg, default) for arg, default in zip(positional, defaults, strict=True)]
    if args.posonlyargs:
        words.insert(len(args.posonlyargs), "/")
    if args.vararg:
        words.append(f"*{written(args.vararg, None)}")
    elif args.kwonlyargs:
        words.append("*")
    words += [written(arg, default) for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    return words + ([f"**{written(args.kwarg, None)}"] if args.kwarg else [])


def written(arg: ast.arg, default: ast.expr | None) -> str:
    """A parameter with its type and its default."""
    kind = f": {ast.unparse(arg.annotation)}".replace("'", "") if arg.annotation else ""
    for alias, meaning in ALIASES.items():
        kind = kind.replace(f": Unpack[{alias}]", "").replace(alias, meaning)
    kind = OF_MOVES.sub("", kind)
    return f"{arg.arg}{kind}" + (f" = {ast.unparse(default)}" if default else "")


def prose(text: str, owner: str, known: set[str]) -> str:
    """A docstring as Markdown: examples as code, fields as lists, names as links."""
    parts: list[str] = []
    fields: dict[str, list[str]] = {}
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        if paragraph.startswith(">>>"):
            parts.append(f"```pycon\n{paragraph}\n```")
            continue
        plain = []
        for line in re.sub(r"\n\s+(?=\S)", " ", paragraph).splitlines():
            if field := FIELD.match(line):
                kind, name, said = field.groups()
                head = f"`{name}`: " if name else ""
                fields.setdefault(TITLES[kind], []).append(f"- {head}{linked(said, owner, known)}")
            else:
                plain.append(linked(line, owner, known))
        if plain:
            parts.append("\n".join(plain))
    parts += [f"**{title}**\n\n" + "\n".join(said) for title, said in fields.items()]
    return "\n\n".join(parts)


def linked(text: str, owner: str, known: set[str]) -> str:
    """Names as links to their entries, and code in the marks of Markdown."""

    def link(role: re.Match[str]) -> str:
        name = role[1]
        module = next(module for module in reversed(MODULES) if f"{owner}.".startswith(f"{module}."))
        places = (f"{owner}.{name}", f"{module}.{name}", f"secateurs.{name}", name)
        place = next((place for place in places if place in known), None)
        return f"[`{name}`](#{place})" if place else f"`{name}`"

    return ROLE.sub(link, text).replace("``", "`")
