"""The board of the page in JupyterLab and marimo: `secateurs.BoardWidget`."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from conftest import PATIENCE, ROOT
from playwright.sync_api import Browser, Locator, Page, expect

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"

CELLS = (
    "import secateurs",
    "board = secateurs.BoardWidget('chess', engine=1)\nboard",
    "print(board.position.history)",
    "[game] = secateurs.annotate('1. f3 e5 2. g4 Qh4# 0-1', depth=4)\nsecateurs.BoardWidget(game)",
    "secateurs.BoardWidget('othello', analyse=True, theme='dark')",
)

# The second cell runs again after each move.
MARIMO = """
import marimo
app = marimo.App()

@app.cell
def _():
    import marimo as mo
    import secateurs
    board = mo.ui.anywidget(secateurs.BoardWidget('chess', engine=1, analyse=True))
    board
    return board, mo

@app.cell
def _(board, mo):
    mo.md(f"played: {' '.join(board.value['history'][:1])}, {len(board.value['history'])} moves")
"""


@contextmanager
def running(folder: Path, *command: str) -> Iterator[str]:
    """A server that the command starts on a port; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    places = ("HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")
    environment = os.environ | dict.fromkeys(places, str(folder))
    log = (folder / "log").open("wb")
    server = subprocess.Popen(
        [sys.executable, "-m", *command, f"--port={port}"], cwd=folder, env=environment, stdout=log, stderr=log
    )
    address = f"http://127.0.0.1:{port}"
    deadline = time.monotonic() + 60
    try:
        while True:
            try:
                urllib.request.urlopen(address).close()
                break
            except OSError:
                assert server.poll() is None, (folder / "log").read_text()
                assert time.monotonic() < deadline, (folder / "log").read_text()
                time.sleep(0.2)
        yield address
    finally:
        server.terminate()
        server.wait(20)
        log.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page without animations."""
    context = browser.new_context(viewport={"width": 1280, "height": 1600}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def place(board: Locator, name: str) -> None:
    """Clicks a place of the board by its name."""
    board.locator(f'.places [aria-label="{name}"], .places [aria-label^="{name},"]').first.click()


def violations(page: Page, within: str) -> list[str]:
    """What axe-core finds in a part of a page."""
    page.evaluate(AXE.read_text())
    found = page.evaluate("within => axe.run(within).then(({violations}) => violations)", within)
    return [f"{rule['id']}: {node['html']}" for rule in found for node in rule["nodes"]]


def test_jupyterlab(page: Page, tmp_path: Path) -> None:
    cells: list[dict[str, object]] = [
        {"cell_type": "code", "id": str(at), "metadata": {}, "source": text, "outputs": [], "execution_count": None}
        for at, text in enumerate(CELLS)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "board.ipynb").write_text(json.dumps(notebook))
    options = ("--no-browser", "--allow-root", "--ServerApp.token=", "--ServerApp.password=")
    with running(tmp_path, "jupyterlab", *options) as address:
        page.goto(f"{address}/lab/tree/board.ipynb")
        page.locator(".jp-Notebook .jp-Cell").first.click()
        # Cells that are run before the kernel has started may be lost.
        page.wait_for_selector('.jp-Notebook-ExecutionIndicator[data-status="idle"]', state="attached")
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_text("Run All Cells", exact=True).click()
        boards = page.locator(".secateurs")
        expect(boards).to_have_count(3)
        first, annotated, analysed = (boards.nth(at) for at in range(3))

        # A game against the engine, by clicks and by keys, which JupyterLab does not take for its own.
        place(first, "e2")
        place(first, "e4")
        expect(first.locator(".moves li")).to_have_count(2)
        expect(first.locator(".status")).to_have_text("White to move")
        first.locator('.places [aria-label^="d2"]').focus()
        for key in ("Enter", "ArrowUp", "ArrowUp", "Enter"):
            page.keyboard.press(key)
        expect(first.locator(".moves li")).to_have_count(4)
        expect(first.locator(".moves li").nth(2)).to_have_text("d4")
        first.get_by_role("button", name="Take back").click()
        expect(first.locator(".moves li")).to_have_count(2)
        assert page.locator(".jp-Notebook .jp-Cell").count() == len(CELLS)

        # An annotated game.
        for _ in range(3):
            annotated.get_by_role("button", name="Next move").click()
        expect(annotated.locator("[aria-current]")).to_have_text("g4??")
        expect(annotated.locator(".comment")).to_contain_text("blunder")

        # Live analysis, which ends with the search.
        expect(analysed.locator("tbody tr")).to_have_count(3)
        expect(analysed.locator(".bar")).to_be_visible()
        analysed.get_by_label("Search").uncheck()
        expect(analysed.locator("tbody tr")).to_have_count(0)
        assert violations(page, ".secateurs") == []
        shoot(page, "jupyterlab-light")
        page.get_by_role("menuitem", name="Settings", exact=True).click()
        page.get_by_text("Theme", exact=True).hover()
        page.get_by_text("JupyterLab Dark", exact=True).click()
        page.locator("body[data-jp-theme-light=false]").wait_for(state="attached")
        page.locator("#jupyterlab-splash").wait_for(state="detached")
        shoot(page, "jupyterlab-dark")
        assert violations(page, ".secateurs") == []


def test_marimo(page: Page, tmp_path: Path) -> None:
    (tmp_path / "board.py").write_text(MARIMO)
    with running(tmp_path, "marimo", "run", "--headless", "--no-token", "board.py") as address:
        page.goto(address)
        board = page.locator(".secateurs")
        expect(board.locator("tbody tr")).to_have_count(3)
        place(board, "e2")
        place(board, "e4")
        expect(board.locator(".moves li")).to_have_count(2)
        expect(page.get_by_text("played: e2e4, 2 moves")).to_be_visible()
        expect(board.locator("tbody tr")).to_have_count(3)
        shoot(page, "marimo")


def shoot(page: Page, name: str) -> None:
    """Keeps a picture in the folder that SECATEURS_PICTURES names."""
    folder = os.environ.get("SECATEURS_PICTURES")
    if folder:
        page.screenshot(path=f"{folder}/{name}.png")
