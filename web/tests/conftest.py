"""A browser and a server for the page in target/web, which `make web` builds."""

import functools
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "target" / "web"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

# A kernel of a notebook may need many seconds to start on a busy machine. What is there in time does not wait.
PATIENCE = 30_000

Open = Callable[..., Page]


class Handler(SimpleHTTPRequestHandler):
    """Serves the folder without a log."""

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


class Server(ThreadingHTTPServer):
    """A server that a browser may leave in the middle of an answer."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Says nothing."""


@contextmanager
def serving(folder: Path, handler: type[Handler] = Handler) -> Iterator[str]:
    """A server for a folder; its address."""
    with Server(("127.0.0.1", 0), functools.partial(handler, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium: that of the system, or the one that SECATEURS_BROWSER names."""
    path = os.environ.get("SECATEURS_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    assert path, "Chromium is not installed; SECATEURS_BROWSER may name it"
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The address of the page."""
    assert (FOLDER / "catalogue.json").exists(), "target/web is missing: make web"
    with serving(FOLDER) as address:
        yield address


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A visitor who does not want to wait for animations."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.fixture
def visit(context: BrowserContext, address: str) -> Iterator[Open]:
    """Opens a page at a link, and waits until it is ready. No page may write an error into its console."""
    errors: list[str] = []

    def visit(link: str = "", page: str = "index.html") -> Page:
        opened = context.new_page()
        opened.on("pageerror", lambda error: errors.append(str(error)))
        opened.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
        opened.goto(f"{address}/{page}{link}")
        opened.wait_for_selector("body:not(.loading)")
        return opened

    yield visit
    assert errors == []
