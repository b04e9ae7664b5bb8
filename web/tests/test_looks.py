"""The page is accessible, and fits all sizes."""

from collections.abc import Callable

import pytest
from conftest import ROOT
from playwright.sync_api import Page

Open = Callable[..., Page]
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
LINKS = ("", "#game=chess&moves=e2e4&play=both", "#game=othello&play=both")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("link", LINKS)
def test_axe_finds_no_violation(visit: Open, link: str, theme: str) -> None:
    page = visit(link)
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    page.locator("#analyse").check()
    page.wait_for_selector("#lines tr")
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run().then(({violations}) => violations)")
    assert [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found] == []


@pytest.mark.parametrize("width", [360, 768, 1280, 3000])
def test_the_page_fits_its_window(visit: Open, width: int) -> None:
    for link in LINKS:
        page = visit(link)
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.close()
