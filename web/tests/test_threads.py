"""Searches with several threads, in a page that may share memory: `make web THREADS=1`."""

import time
from collections.abc import Iterator

import pytest
from conftest import FOLDER, Handler, Open, serving
from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.skipif(
    not (FOLDER / "wasm" / "threads").exists(), reason="the build for threads is missing: make web THREADS=1"
)

ANALYSE = """async ([threads, limit]) => {
    const { Engine, Position, load } = await import('/index.js');
    await load('chess');
    const engine = new Engine({ hash: 16, threads, seed: 1 });
    const { nodes, nps, lines } = await engine.analyse(Position.create({ game: 'chess' }), limit);
    engine.close();
    return { nodes, nps, move: lines[0].pv[0] }; }"""

# Searches without a limit are stopped, each followed by one that ends at once; then one to a depth that the table has.
STOP = """async (threads) => {
    const { Engine, Position, load } = await import('/index.js');
    await load('chess');
    const engine = new Engine({ hash: 16, threads, seed: 1 });
    const position = Position.create({ game: 'chess' });
    const first = await engine.analyse(position, { depth: 10 });
    const times = [];
    for (let round = 0; round < 5; round++) {
        const searching = engine.analyse(position);
        await new Promise((resolve) => setTimeout(resolve, 200));
        const start = performance.now();
        engine.stop();
        await searching;
        const answered = performance.now() - start;
        await engine.analyse(position, { depth: 1 });
        times.push([answered, performance.now() - start]);
    }
    const again = await engine.analyse(position, { depth: 10 });
    engine.close();
    return { times, first: first.nodes, again: again.nodes }; }"""

REPEAT = """async (count) => {
    const { Engine, Position, load } = await import('/index.js');
    await load('kalah');
    globalThis.engine = new Engine({ hash: 4, threads: 3, seed: 1 });
    const position = Position.create({ game: 'kalah' });
    for (let round = 0; round < count; round++) {
        if (round % 2) {
            await engine.analyse(position, { depth: 8 });
        } else {
            const searching = engine.analyse(position).catch(() => {});
            await new Promise((resolve) => setTimeout(resolve, 5 * round));
            engine.stop();
            await searching;
        }
    }
    await engine.solve(Position.create({ game: 'kalah', options: { Houses: '3', Seeds: '2' } })); }"""


class Isolated(Handler):
    """Serves the folder so that a page may share memory between its threads."""

    def end_headers(self) -> None:
        """Adds the headers."""
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()


@pytest.fixture(scope="module")
def isolated() -> Iterator[str]:
    """The address of the page on such a server."""
    with serving(FOLDER, Isolated) as address:
        yield address


@pytest.fixture
def page(context: BrowserContext, isolated: str) -> Page:
    """A page that may share memory."""
    page = context.new_page()
    page.goto(f"{isolated}/catalogue.json")
    assert page.evaluate("crossOriginIsolated")
    return page


def workers(browser: Browser) -> int:
    """The number of workers, those of workers included."""
    session = browser.new_browser_cdp_session()
    targets = session.send("Target.getTargets", {"filter": [{}]})["targetInfos"]
    session.detach()
    return sum(target["type"] == "worker" for target in targets)


def test_two_threads_search_together(page: Page) -> None:
    one, two = (page.evaluate(ANALYSE, [threads, {"movetime": 1500}]) for threads in (1, 2))
    print(f"two threads: {two['nps'] / one['nps']:.2f} times the nodes per second of one")
    exact = [page.evaluate(ANALYSE, [threads, {"depth": 12}])["nodes"] for threads in (1, 1, 2)]
    assert exact[0] == exact[1] != exact[2]
    assert two["move"] in ("e2e4", "d2d4", "g1f3", "c2c4", "b1c3", "e2e3", "d2d3")


def test_one_thread_counts_the_same_nodes_in_both_builds(page: Page, address: str) -> None:
    other = page.context.new_page()
    other.goto(f"{address}/catalogue.json")
    assert not other.evaluate("crossOriginIsolated")
    # Elsewhere there is one thread, whatever is requested.
    assert page.evaluate(ANALYSE, [1, {"depth": 12}])["nodes"] == other.evaluate(ANALYSE, [4, {"depth": 12}])["nodes"]


def test_a_stopped_search_leaves_its_thread_and_its_table(page: Page) -> None:
    for threads in (1, 2):
        found = page.evaluate(STOP, threads)
        assert all(answered < 50 for answered, _ in found["times"]), found
        # The thread has ended its search and another one; the machine may have other work.
        assert min(free for _, free in found["times"]) < 50, found
        assert found["again"] < found["first"], found


def test_searches_in_a_row_use_the_same_workers(browser: Browser, page: Page) -> None:
    page.evaluate(REPEAT, 20)
    assert workers(browser) == 3
    page.evaluate("engine.close()")
    # Chromium takes two seconds to end workers that wait.
    deadline = time.monotonic() + 10
    while workers(browser) and time.monotonic() < deadline:
        page.wait_for_timeout(100)
    assert workers(browser) == 0


def test_the_service_worker_lets_the_page_share_memory(visit: Open) -> None:
    page = visit()
    assert not page.evaluate("crossOriginIsolated")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.reload()
    page.wait_for_selector("body:not(.loading)")
    assert page.evaluate("crossOriginIsolated")
    page.locator(".places .open").first.click()
    page.wait_for_function(
        "performance.getEntriesByName(new URL('wasm/threads/kalah_bg.wasm', location).href).length > 0"
    )


def test_a_frame_of_another_page_has_one_thread(context: BrowserContext) -> None:
    with serving(FOLDER.parent) as address:
        page = context.new_page()
        # The second visit is served by the service worker.
        for _ in range(2):
            page.goto(f"{address}/web/index.html")
            page.wait_for_selector("body:not(.loading)")
            page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        page.goto(f"{address}/")
        page.evaluate("""() => {
            const frame = document.createElement("iframe");
            frame.src = "web/index.html";
            document.body.append(frame); }""")
        frame = page.frame_locator("iframe")
        frame.locator("body:not(.loading)").wait_for()
        frame.locator(".places .open").first.click()
        assert not page.frames[1].evaluate("crossOriginIsolated")
