"""Runs the quick start where a release is installed and nothing else: no compiler, no sources, no tools for tests.

``python3 tests/quickstart.py PAGE...`` runs what the pages show: Python, and each command with `secateurs` in it. With
``--static PROGRAM`` the commands alone are run, and `secateurs` is that program in a folder that has no other file.
"""

import argparse
import doctest
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

# Times and node counts, in an escaped line.
FREE = re.compile(r"(?:\\ )*\d+(?:\\\.\d+)?(?=\\ (?:s|nodes)\b)")

# A command of a page, without its comment.
COMMAND = re.compile(r"^(?:echo [^|]*\| )?secateurs .*?(?=  +#|$)", re.MULTILINE)


def blocks(page: Path, *languages: str) -> list[str]:
    """The blocks of code on a page."""
    fence = rf"^```(?:{'|'.join(languages)})\n(.*?)^```$"
    return re.findall(fence, page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def consoles(page: Path) -> Iterator[tuple[str, str]]:
    """The commands that a page shows with their output, and a pattern of the output: ``...`` stands for lines."""
    for block in blocks(page, "console"):
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            pattern = "".join(
                r"(?:.*\n)*?" if line == "..." else FREE.sub(r" *[0-9.]+", re.escape(line)) + r"\n"
                for line in shown.splitlines()
            )
            yield command, rf"{pattern}\n*"


def printed(command: str, folder: Path, path: str) -> str:
    """What a command prints, in a folder, with this path to programs."""
    environment = {**os.environ, "PATH": path}
    return subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout


def alone(program: Path, folder: Path) -> None:
    """Makes a command `secateurs` in a folder: the program, with a root that has nothing but it."""
    root = folder / "root"
    root.mkdir()
    shutil.copy(program, root / "secateurs")
    script = folder / "secateurs"
    script.write_text(f'#!/bin/sh\nexec unshare --map-root-user --root {root} /secateurs "$@"\n', encoding="utf-8")
    script.chmod(0o755)


def main() -> int:
    """Run each page, print what failed, and return how much did."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--static", metavar="PROGRAM", type=Path)
    parser.add_argument("pages", metavar="PAGE", type=Path, nargs="+")
    arguments = parser.parse_args()
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        if arguments.static:
            alone(arguments.static, folder)
            path = f"{folder}{os.pathsep}{os.environ['PATH']}"
        pages = [page.absolute() for page in arguments.pages]
        os.chdir(folder)
        commands = [command for page in pages for command in consoles(page)]
        lines = [line for page in pages for block in blocks(page, "sh") for line in COMMAND.findall(block)]
        for command, pattern in [*commands, *((line, r"(?:.*\n)*") for line in lines)]:
            try:
                output = printed(command, folder, path)
                matches = re.fullmatch(pattern, output) is not None
            except subprocess.CalledProcessError as error:
                output, matches = str(error), False
            passed, failed = passed + matches, failed + (not matches)
            if not matches:
                print(f"{command} prints\n{output}")
        for page in pages if not arguments.static else []:
            text = "\n".join(blocks(page, "python", "pycon"))
            example = doctest.DocTestParser().get_doctest(text, {}, page.name, None, None)
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
            result = runner.run(example)
            passed, failed = passed + result.attempted - result.failed, failed + result.failed
    print(f"{passed} passed, {failed} failed")
    return failed or not passed


if __name__ == "__main__":
    sys.exit(main() > 0)
