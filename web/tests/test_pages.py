"""The pages that commands write, each alone in its file: a searched tree, annotated games, a match."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT
from playwright.sync_api import Browser, Page, expect

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
GAMES = """
[White "A"]
[Black "B"]

1. f3 { a comment } e5 2. g4 Qh4# 0-1

[White "C"]
[Black "D"]

1. e4 e5 1/2-1/2
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the pages."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "games.pgn").write_text(GAMES, encoding="utf-8")
    engine = f"-ecmd='{sys.executable} -m secateurs' nodes=50"
    for command in (
        ("tree", "--depth", "4", "--output", "tree.html"),
        ("analyse", "--pgn", "games.pgn", "--depth", "4", "--html", "annotated.html"),
        ("match", "--game", "chess", f"{engine} name=a", f"{engine} name=b", "--rounds", "1", "--report", "match.html"),
    ):
        subprocess.run([sys.executable, "-m", "secateurs", *command], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page without a network that writes no error into its console."""
    errors: list[str] = []
    context = browser.new_context(offline=True, reduced_motion="reduce")
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    yield page
    context.close()
    assert errors == []


def test_annotated_games_are_stepped_through(page: Page, folder: Path) -> None:
    page.goto((folder / "annotated.html").as_uri())
    moves, note = page.locator("#moves button"), page.locator(".note")
    expect(moves).to_have_count(4)
    expect(page.locator(".first")).to_be_disabled()
    page.locator(".next").click()
    expect(note).to_contain_text("1. f3")
    expect(note).to_contain_text("a comment")
    page.keyboard.press("ArrowRight")
    expect(note).to_contain_text("1... e5")
    moves.nth(2).click()
    expect(note).to_contain_text("Blunder")
    expect(moves.nth(2)).to_have_attribute("data-assessment", "Blunder")
    expect(moves.nth(2)).to_have_attribute("aria-current", "true")
    page.set_viewport_size({"width": 360, "height": 500})
    page.keyboard.press("End")
    expect(page.locator(".next")).to_be_disabled()
    # The board stays in view.
    assert page.evaluate("scrollY") == 0
    page.locator(".graph").click(position={"x": 2, "y": 20})
    expect(page.locator("#moves [aria-current]")).to_have_count(0)
    page.locator("#games").select_option(label="2. C \N{EN DASH} D 1/2-1/2")
    expect(moves).to_have_count(2)
    expect(page.locator("h1")).to_have_text("C \N{EN DASH} D 1/2-1/2")


def test_the_games_of_a_match_are_stepped_through(page: Page, folder: Path) -> None:
    page.goto((folder / "match.html").as_uri())
    page.locator("#games tbody tr").nth(0).click()
    expect(page.locator("#which")).to_contain_text("Game 1: a \N{EN DASH} b")
    page.keyboard.press("Home")
    expect(page.locator("#now")).to_have_text("start")
    expect(page.locator("#board svg")).to_be_visible()
    before = page.locator("#board").inner_html()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#moves tr.here")).to_have_count(1)
    assert page.locator("#board").inner_html() != before
    page.keyboard.press("PageDown")
    expect(page.locator("#which")).to_contain_text("Game 2: b \N{EN DASH} a")
    page.keyboard.press("Escape")
    expect(page.locator("#viewer")).to_be_hidden()
    page.get_by_role("button", name="Game", exact=True).click()
    expect(page.locator("#games tbody tr td").first).to_have_text("2")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ["tree", "annotated", "match"])
def test_pages_are_accessible_and_fit(page: Page, folder: Path, name: str, theme: str) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    page.goto((folder / f"{name}.html").as_uri())
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run().then(({violations}) => violations)")
    assert [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found] == []
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
