"""The speed of the page for browsers: `python benches/browser.py`, after `make web` and a release build.

Each search runs three times in Chromium and three times in the native program, in turn, with one thread and a table of
16 MiB; the best of each counts. After `make web THREADS=1`, searches of two seconds follow, with one
thread and with two, in a page that is cross-origin isolated. `web/sizes.mjs` has the sizes.
"""

import functools
import json
import shutil
import subprocess
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "target" / "web"
NATIVE = ROOT / "target" / "release" / "secateurs"
SEARCHES = {"kalah": 20, "chess": 15, "connect4": 18, "othello": 13, "draughts": 16, "xiangqi": 11, "oware": 18}
SEARCH = """async ([game, limit, threads]) => {
    const { Engine, Position, load } = await import('/index.js');
    await load(game);
    const engine = new Engine({ hash: 16, threads, seed: 1 });
    const { nodes, nps } = await engine.analyse(Position.create({ game }), limit);
    engine.close();
    return [nodes, nps]; }"""


class Handler(SimpleHTTPRequestHandler):
    """Serves the folder without a log."""

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


class Isolated(Handler):
    """Serves it so that a page may share memory between its threads."""

    def end_headers(self) -> None:
        """Adds the headers."""
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()


def native(game: str, depth: int) -> tuple[int, int]:
    """The nodes of a search by the native program, and its nodes per second."""
    words = [str(NATIVE), "analyse", "--game", game, "--depth", str(depth), "--hash", "16", "--json", "startpos"]
    record = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    return record["nodes"], record["nps"]


def speeds(page: Page) -> None:
    """Prints the speed of each game."""
    print("game      depth      nodes  browser    native  (million nodes/s)  ratio")
    for game, depth in SEARCHES.items():
        runs = [(page.evaluate(SEARCH, [game, {"depth": depth}, 1]), native(game, depth)) for _ in range(3)]
        nodes = {count for ours, theirs in runs for count in (ours[0], theirs[0])}
        assert len(nodes) == 1, f"{game}: the node counts differ: {nodes}"
        browser, other = (max(speed) / 1e6 for speed in zip(*((a[1], b[1]) for a, b in runs), strict=True))
        print(f"{game:9} {depth:5} {nodes.pop():10,} {browser:8.2f} {other:9.2f} {browser / other:25.2f}")


def speeds_with_threads(page: Page) -> None:
    """Prints the speed of each game with one thread and with two."""
    print("game      one thread  two threads  (million nodes/s)  ratio")
    for game in SEARCHES:
        runs = [[page.evaluate(SEARCH, [game, {"movetime": 2000}, threads])[1] for threads in (1, 2)] for _ in range(3)]
        one, two = (max(speeds) / 1e6 for speeds in zip(*runs, strict=True))
        print(f"{game:9} {one:10.2f} {two:12.2f} {two / one:25.2f}")


def serve(handler: type[Handler]) -> str:
    """Serves the folder; returns the address of a page there."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=str(FOLDER)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/catalogue.json"


def main() -> None:
    """Measures all."""
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(serve(Handler))
        speeds(page)
        if (FOLDER / "wasm" / "threads").exists():
            page.goto(serve(Isolated))
            speeds_with_threads(page)
        browser.close()


if __name__ == "__main__":
    main()
