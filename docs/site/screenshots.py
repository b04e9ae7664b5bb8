"""Takes the pictures of the front page again, with Chromium: `python docs/site/screenshots.py`, after `make web`.

They show a search as a notebook draws it, the page of `secateurs tree`, that of `secateurs report`, and a step of a
search in the page for browsers.
"""

import functools
import shutil
import subprocess
import sys
import tempfile
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import secateurs

PICTURES = Path(__file__).parent.parent / "pictures"
WEB = Path(__file__).parent.parent.parent / "target" / "web"
STEP = "see.html#procedure=alpha-beta&step=13"
# A mate in three moves.
MATE = "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1"
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
CELL = """<meta charset="utf-8"><style>body {{ font: 15px sans-serif; margin: 20px }}
pre {{ background: #f5f5f5; padding: 10px; font: 14px monospace }}</style><pre>{code}</pre>{output}"""


def notebook(page: Path) -> None:
    """A cell with a search, and its output."""
    code = f'board = secateurs.Position("{MATE}")\nsecateurs.Engine().analyse(board, depth=8)'
    result: Any = secateurs.Engine().analyse(secateurs.Position(MATE), depth=8)
    page.write_text(CELL.format(code=code, output=result._repr_html_()), encoding="utf-8")


def command(*words: str) -> None:
    """Runs a command of ours."""
    subprocess.run([sys.executable, "-m", "secateurs", *words], check=True, stdout=subprocess.DEVNULL)


def tree(page: Path) -> None:
    """The page of a tree."""
    command("tree", "--depth", "5", "--output", str(page), MATE)


def report(page: Path) -> None:
    """The page of a match."""
    ours = f"cmd='{sys.executable} -m secateurs'"
    engines = (f"-e{ours} name=deep depth=6", f"-e{ours} name=shallow depth=4")
    command("match", "--game", "chess", *engines, "--each", "option.Hash=4", "--rounds", "20", "--seed", "1",
            "--report", str(page))  # fmt: skip


def shoot(address: str, picture: Path, size: str, folder: str) -> None:
    """Takes the picture of a page."""
    flags = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
             "--hide-scrollbars", "--virtual-time-budget=5000", f"--user-data-dir={folder}/profile",
             f"--window-size={size}")  # fmt: skip
    subprocess.run([str(BROWSER), *flags, f"--screenshot={picture}", address], check=True, capture_output=True)


def main() -> None:
    """Takes all pictures."""
    if BROWSER is None:
        sys.exit("Chromium is not installed")
    with tempfile.TemporaryDirectory() as folder:
        for make, size in ((notebook, "880,500"), (tree, "1100,560"), (report, "860,640")):
            page = Path(folder) / f"{make.__name__}.html"
            make(page)
            shoot(page.as_uri(), PICTURES / f"{make.__name__}.png", size, folder)
        with ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(SimpleHTTPRequestHandler, directory=WEB)
        ) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            shoot(f"http://127.0.0.1:{server.server_port}/{STEP}", PICTURES / "see.png", "1100,800", folder)
            server.shutdown()


if __name__ == "__main__":
    main()
