"""The reference of the command line, from the help that the program prints: writes `docs/command-line.md`."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

PAGE = Path(__file__).parent.parent / "command-line.md"

# The width of a page, in letters of a typewriter.
WIDTH = 88

HEAD = "# The command line\n\nThe output of `secateurs --help` and of the help of every subcommand.\n"


def command_line() -> str:
    """The page."""
    return HEAD + "".join(sections(()))


def sections(words: tuple[str, ...]) -> Iterator[str]:
    """The help of a command, then that of its subcommands."""
    text = help_of(words)
    title = " ".join(("secateurs", *words))
    yield f"\n{'#' * (2 + max(len(words) - 1, 0))} {title}\n\n```text\n{text.rstrip()}\n```\n"
    listed = re.search(r"^Commands:\n((?:  .*\n)+)", text, re.MULTILINE)
    for name in re.findall(r"^  (\w\S*)", listed[1], re.MULTILINE) if listed else ():
        if name != "help":
            yield from sections((*words, name))


def help_of(words: tuple[str, ...]) -> str:
    """What a command prints with ``--help``."""
    command = [sys.executable, "-m", "secateurs", *words, "--help"]
    environment = {**os.environ, "COLUMNS": str(WIDTH)}
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout


if __name__ == "__main__":
    PAGE.write_text(command_line(), encoding="utf-8")
