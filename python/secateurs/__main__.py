"""The command line: ``secateurs`` on the PATH or ``python -m secateurs``. Without a subcommand, the line protocol.

``--game MODULE:NAME`` is a game in Python: a subclass of :class:`secateurs.Game`, a state of one, a position, or a
function that returns one of these.
"""

import logging
import os
import signal
import sys
import traceback
from importlib import import_module
from itertools import pairwise
from typing import Any, NoReturn

from secateurs import _native
from secateurs.game import Game

# The hint for a module that is not there.
MODULE = "in MODULE:NAME, MODULE is a file in this folder, without .py"

LEVELS = {"error": 40, "warn": 30, "info": 20, "debug": 10, "trace": 5, "off": 100}


def main() -> NoReturn:
    """Runs the command line and ends the process."""
    sys.excepthook = show
    words = sys.argv[1:]
    name = game_of(words)
    own = None if name is None else (name, position_of(name))
    # No other Python code remains to be interrupted: the command handles Ctrl-C itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    wanted = os.environ.get("SECATEURS_LOG") or "warn"
    level = LEVELS.get(wanted.lower())
    logging.basicConfig(level=LEVELS["warn"] if level is None else level, format="[%(levelname)s %(name)s] %(message)s")
    if level is None:
        logging.getLogger("secateurs").warning(
            "SECATEURS_LOG is error, warn, info, debug, trace or off, not %s", ascii(wanted)
        )
    try:
        code = _native._main(["secateurs", *words], own)
    except Exception as error:
        # An exception of the game itself has the place in its code; what a method returns wrongly has none.
        if error.__cause__ or (error.__traceback__ and error.__traceback__.tb_next):
            raise
        sys.exit(_native._safe(f"error: {type(error).__name__}: {error}"))
    # Without a standard output there is nothing to be written.
    if sys.stdout is not None:
        sys.stdout.flush()
    # Exit without waiting for threads that still search or read.
    os._exit(code)


def game_of(words: list[str]) -> str | None:
    """Returns the name of a game in Python on a command line; ``None`` if there is none."""
    for word, after in pairwise([*words, ""]):
        name = after if word == "--game" else word.removeprefix("--game=") if word.startswith("--game=") else ""
        if ":" in name:
            return name
    return None


def position_of(name: str) -> _native.Position:
    """Returns the position that ``MODULE:NAME`` names; ends the process if there is none."""
    module, _, attribute = name.partition(":")
    if not (module and attribute):
        refuse(name, f"a game in Python is MODULE:NAME, and {'NAME' if module else 'MODULE'} is missing")
    if module.startswith("."):
        refuse(name, MODULE)
    # As for ``python -m``: modules of the current directory come first.
    sys.path.insert(0, "")
    try:
        found: Any = import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        is_absent = isinstance(error, ImportError) and error.name in (module, module.partition(".")[0])
        refuse(name, f"{error}; {MODULE}" if is_absent else str(error))
    except Exception as error:
        refuse(name, f"{type(error).__name__}: {error}")
    try:
        made = found() if callable(found) and not isinstance(found, Game) else found
        if isinstance(made, Game):
            made = _native.Position(made)
    except Exception as error:
        refuse(name, f"{type(error).__name__}: {error}")
    if not isinstance(made, _native.Position) or made.state is None:
        refuse(name, f"it is of type {type(made).__name__}, where a secateurs.Game is needed")
    return made


def show(_kind: type[BaseException], error: BaseException, _trace: object) -> None:
    """Prints an exception of a game with its traceback, without the control characters of its text."""
    print(_native._safe("".join(traceback.format_exception(error))), file=sys.stderr)


def refuse(name: str, reason: str) -> NoReturn:
    """Ends the process with the error for a game that cannot be used."""
    print(_native._safe(f"error: --game {name}: {reason}"), file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
