"""Games in a browser, played by clicks, keys, drags and text, against the engine."""

import json
import random
import re
import time
from collections.abc import Callable
from urllib.parse import parse_qs

import pytest
from conftest import FOLDER
from playwright.sync_api import BrowserContext, Page, expect

Open = Callable[..., Page]
GAMES = [game["name"] for game in json.loads((FOLDER / "catalogue.json").read_text())["games"]]
# Near its end, where a game from the start takes long.
NEAR_THE_END = {
    "chess": "8/5P1k/8/8/8/8/6K1/3R4 w - - 0 1",
    "xiangqi": "4k4/9/9/9/9/9/9/9/4R4/R3K4 w - - 0 1",
    "draughts": "W:W6,K31,32:B40,45",
    "brazilian": "W:W9,K25:B24,32",
}


def history(page: Page) -> list[str]:
    """The moves in the address of the page."""
    # `page.url` may be late.
    moves = parse_qs(page.evaluate("location.hash.slice(1)")).get("moves", [""])[0]
    return [move for move in moves.split(",") if move]


def link(game: str, moves: str = "", start: str = "", play: str = "first", level: int = 2) -> str:
    """The link of a game."""
    return f"#game={game}&start={start}&moves={moves}&play={play}&level={level}"


def place(page: Page, name: str) -> None:
    """Clicks a place of the board by its name."""
    page.locator(f'.places [aria-label="{name}"], .places [aria-label^="{name},"]').first.click()


def step(page: Page, choice: random.Random) -> None:
    """Makes one click that leads on: an open place, a button for a pass, or a choice."""
    chooser = page.locator("dialog[open] button")
    passing = page.locator("#passing button")
    places = page.locator(".places .open")
    for buttons in (chooser, passing, places):
        count = buttons.count()
        if count:
            buttons.nth(choice.randrange(count)).click()
            return


def is_over(page: Page) -> bool:
    """Whether the game has a result."""
    text = page.locator("#status").inner_text()
    return "wins" in text or "draw" in text


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_to_its_end(visit: Open, game: str) -> None:
    page = visit(link(game, start=NEAR_THE_END.get(game, "startpos")))
    choice = random.Random(game)
    deadline = time.monotonic() + 100
    while not is_over(page):
        assert time.monotonic() < deadline, f"{game} has not ended: {page.url}"
        step(page, choice)
        page.wait_for_function("!document.body.classList.contains('thinking')")
    before = history(page)
    page.reload()
    page.wait_for_selector("body:not(.loading)")
    assert history(page) == before
    assert is_over(page)
    assert page.locator("#moves li").count() == len(before)


def test_clicks_that_begin_no_move_change_nothing(visit: Open) -> None:
    page = visit(link("chess"))
    for name in ("e5", "e7", "e2", "e7", "a1"):
        place(page, name)
    assert history(page) == []
    place(page, "e2")
    place(page, "e5")
    place(page, "d2")
    place(page, "d4")
    page.wait_for_function("document.querySelectorAll('#moves li').length === 2")
    assert history(page)[0] == "d2d4"


def test_a_promotion_is_chosen(visit: Open) -> None:
    page = visit(link("chess", start="8/5P1k/8/8/8/8/6K1/8 w - - 0 1", play="both"))
    place(page, "f7")
    place(page, "f8")
    page.locator("dialog button", has_text="f8=N+").click()
    assert history(page) == ["f7f8n"]


def test_castling_and_dragging(visit: Open) -> None:
    page = visit(link("chess", start="4k3/8/8/8/8/8/8/4K2R w K - 0 1", play="both"))
    king = page.locator('.places [aria-label^="e1"]').bounding_box()
    target = page.locator('.places [aria-label^="g1"]').bounding_box()
    assert king
    assert target
    page.mouse.move(king["x"] + 20, king["y"] + 20)
    page.mouse.down()
    page.mouse.move(target["x"] + 20, target["y"] + 20, steps=5)
    page.mouse.up()
    assert history(page) == ["e1g1"]


def test_a_pass_has_a_button(visit: Open) -> None:
    start = "OOOOOXOOOOOOXXOOOXOOXXOOOXXOOXOOOXOOXOOOOOOOOXOOOOXXXXX-OXXXXXX- X"
    page = visit(link("othello", start=start, play="both"))
    page.locator("#passing button").click()
    assert history(page) == ["pass"]


def test_a_capture_goes_by_its_route(visit: Open) -> None:
    page = visit(link("checkers", start="B:B1:W6,7,15", play="both"))
    place(page, "1")
    place(page, "10")
    place(page, "19")
    assert history(page) == ["1x19"]


def test_a_capture_may_end_where_it_began(visit: Open) -> None:
    page = visit(link("draughts", start="W:W38:B32,22,33,23", play="both"))
    place(page, "38")
    place(page, "38")
    assert history(page) == ["38x38"]
    expect(page.locator("#status")).to_have_text("White wins")


def test_another_turn_after_a_move_into_the_store(visit: Open) -> None:
    page = visit(link("kalah", play="both"))
    page.locator(".places .open").nth(2).click()
    assert history(page) == ["3"]
    expect(page.locator("#status")).to_have_text("South to move")


def test_a_stone_falls_wherever_its_column_is_clicked(visit: Open) -> None:
    page = visit(link("connect4", play="both"))
    page.locator(".places rect").nth(3).click()
    assert history(page) == ["4"]


def test_keys_alone_play(visit: Open) -> None:
    page = visit(link("chess", play="both"))
    page.locator('.places [tabindex="0"]').focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    assert history(page) == ["e2e4"]
    expect(page.locator("#said")).to_have_text(re.compile("^e4"))
    page.keyboard.press("Escape")


def test_moves_are_typed(visit: Open) -> None:
    page = visit(link("chess", play="both"))
    for move in ("e4", "e7e5", "Nf3"):
        page.locator("#typed").fill(move)
        page.keyboard.press("Enter")
    assert history(page) == ["e2e4", "e7e5", "g1f3"]
    page.locator("#typed").fill("Ke3")
    page.keyboard.press("Enter")
    expect(page.locator("#message")).to_contain_text('illegal move "Ke3"')
    assert len(history(page)) == 3


def test_moves_are_taken_back_and_looked_at(visit: Open) -> None:
    page = visit(link("chess", moves="e2e4,e7e5,g1f3,b8c6"))
    page.locator(".first").click()
    expect(page.locator("#moves [aria-current]")).to_have_count(0)
    page.locator(".next").click()
    expect(page.locator("#moves [aria-current]")).to_have_text("e4")
    assert len(history(page)) == 4
    page.locator(".last").click()
    page.locator("#back").click()
    assert history(page) == ["e2e4", "e7e5"]


def test_a_hint_is_shown(visit: Open) -> None:
    page = visit(link("chess", start="6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"))
    page.locator("#hint").click()
    expect(page.locator("#message")).to_contain_text("Ra8#")


PASTE = """text => { const data = new DataTransfer(); data.setData('text', text);
    document.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true})); }"""


def test_a_pasted_game_closes_the_choice_of_a_promotion(visit: Open) -> None:
    page = visit(link("chess", start="8/5P1k/8/8/8/8/6K1/8 w - - 0 1", play="both"))
    place(page, "f7")
    place(page, "f8")
    expect(page.locator("dialog.chooser")).to_be_visible()
    page.evaluate(PASTE, "1. e4 e5 *")
    page.wait_for_function("location.hash.includes('e2e4')")
    expect(page.locator("dialog.chooser")).to_be_hidden()


def test_a_reload_keeps_the_times(visit: Open) -> None:
    page = visit("#game=connect4&moves=4&play=both&clock=60%2B0")
    page.wait_for_function("document.getElementById('clocks').textContent.includes('0:58')")
    page.reload()
    page.wait_for_selector("body:not(.loading)")
    times = page.locator(".clock").all_inner_texts()
    assert "1:00" not in "".join(times[1:])
    assert "1:00" in times[0]


def test_what_is_no_text_is_named(visit: Open) -> None:
    page = visit(link("chess", play="both"))
    for text, said in (("   ", "the text is empty"), ("\0PNG\0\0", "This is not a text")):
        page.evaluate(PASTE, text)
        expect(page.locator("#message")).to_contain_text(said)


def test_positions_and_games_are_pasted(visit: Open) -> None:
    page = visit(link("kalah", play="both"))
    page.evaluate(PASTE, "r3k3/8/8/8/8/8/8/4K2R b K - 0 1")
    expect(page.locator("#game")).to_have_value("chess")
    expect(page.locator("#status")).to_have_text("Black to move")
    page.evaluate(PASTE, '[Variant "othello"]\n\n1. d3 c5 *')
    expect(page.locator("#game")).to_have_value("othello")
    assert history(page) == ["d3", "c5"]
    page.evaluate(PASTE, "1. e4 e5 2. Nf3 *")
    expect(page.locator("#game")).to_have_value("chess")
    page.evaluate(PASTE, "nonsense")
    expect(page.locator("#message")).to_contain_text("No game reads this text.")
    expect(page.locator("#message")).to_contain_text("nonsense")
    assert history(page) == ["e2e4", "e7e5", "g1f3"]


def test_a_game_is_saved_and_opened(visit: Open) -> None:
    page = visit(link("chess", moves="e2e4,c7c5", play="both"))
    with page.expect_download() as download:
        page.locator("#save").click()
    saved = download.value.path()
    text = saved.read_text()
    assert "1. e4 c5 *" in text
    page.locator("#new").click()
    assert history(page) == []
    page.locator("#file").set_input_files({"name": "game.pgn", "mimeType": "text/plain", "buffer": text.encode()})
    page.wait_for_function("document.querySelectorAll('#moves li').length === 2")
    assert history(page) == ["e2e4", "c7c5"]


@pytest.mark.parametrize(
    ("hash", "named"),
    [
        ("#game=ches", "unknown game"),
        ("#game=foo", "kalah, nim"),
        ("#game=chess&start=nonsense", "nonsense"),
        ("#game=chess&moves=e2e5", "illegal move"),
        ("#game=kalah&options=Houses=99", "99"),
    ],
)
def test_a_bad_link_is_named(visit: Open, hash: str, named: str) -> None:
    page = visit(hash)
    expect(page.locator("#message")).to_contain_text(named)
    expect(page.locator("#board svg").first).to_be_visible()


def test_a_browser_that_remembers_nothing_plays(context: BrowserContext, visit: Open) -> None:
    context.add_init_script("""for (const name of ["localStorage", "sessionStorage"]) {
        Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });
    }""")
    page = visit("#game=xiangqi&play=both&clock=60%2B1")
    page.locator("#more summary").click()
    page.get_by_label("Chinese characters").check()
    page.reload()
    expect(page.locator("#board svg").first).to_be_visible()


def test_rules_are_options(visit: Open) -> None:
    page = visit(link("kalah"))
    page.locator("#more summary").click()
    page.get_by_label("Houses").fill("3")
    page.keyboard.press("Tab")
    expect(page.locator(".places rect")).to_have_count(8)
    assert "Houses" in page.url
    page.get_by_label("Houses").fill("99")
    page.keyboard.press("Tab")
    expect(page.locator("#message")).to_contain_text("99")


def test_a_search_stops_at_once(visit: Open) -> None:
    # The shortest of three times: the machine may be busy.
    times = []
    for _ in range(3):
        page = visit(link("chess", play="second", level=10))
        page.wait_for_function("document.body.classList.contains('thinking')")
        time.sleep(0.5)
        times.append(
            page.evaluate("""async () => {
                const before = performance.now();
                document.getElementById('stop').click();
                while (document.querySelectorAll('#moves li').length === 0) await new Promise(requestAnimationFrame);
                return performance.now() - before; }""")
        )
    assert min(times) < 150, times


@pytest.mark.parametrize("wait", [0, 60, 300])
def test_a_stop_in_the_first_moments_gets_a_move(visit: Open, wait: int) -> None:
    page = visit(link("chess", play="second", level=10))
    page.wait_for_function("!document.getElementById('stop').disabled")
    page.wait_for_timeout(wait)
    page.locator("#stop").click()
    page.wait_for_function("document.querySelectorAll('#moves li').length === 1", timeout=2_000)


def test_keys_go_on_after_the_answer(visit: Open) -> None:
    page = visit(link("connect4", level=1))
    page.locator('.places [tabindex="0"]').focus()
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelectorAll('#moves li').length === 2")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelectorAll('#moves li').length === 4")


def test_see_takes_the_position_along(visit: Open) -> None:
    page = visit(link("kalah", moves="3,6", play="both"))
    page.locator("#see").click()
    page.wait_for_selector("#comparison button")
    expect(page.locator("#source")).to_have_value("game")
    expect(page.locator("#game")).to_have_value("kalah")
    expect(page.locator("#board svg title")).to_contain_text("n")


def test_analysis_shows_lines(visit: Open) -> None:
    page = visit(link("chess", play="both"))
    page.locator("#multipv").fill("4")
    page.locator("#analyse").check()
    expect(page.locator("#lines tr")).to_have_count(4)
    expect(page.locator("#figures")).to_contain_text("depth")
    expect(page.locator("#bar")).to_be_visible()
    place(page, "e2")
    # The marks of the search do not disturb what is being chosen.
    time.sleep(0.5)
    place(page, "e4")
    assert history(page) == ["e2e4"]
    page.locator("#analyse").uncheck()
    expect(page.locator("#lines tr")).to_have_count(0)


def test_a_number_of_lines_has_its_limits(visit: Open) -> None:
    page = visit(link("chess", play="both"))
    page.locator("#analyse").check()
    for number in ("0", "21", "2.5", ""):
        page.locator("#multipv").fill(number)
        page.keyboard.press("Tab")
        expect(page.locator("#message")).to_have_text("The number of lines is from 1 to 20. It stays 3.")
        expect(page.locator("#lines tr")).to_have_count(3)
    page.locator("#multipv").fill("2")
    page.keyboard.press("Tab")
    expect(page.locator("#message")).to_be_empty()
    expect(page.locator("#lines tr")).to_have_count(2)


@pytest.mark.parametrize(
    ("hash", "value"),
    [
        (link("connect4", play="both"), "1"),
        (link("nim", play="both"), "11"),
        ("#game=kalah&options=Houses=4;Seeds=3&play=both", "6"),
    ],
)
def test_exact_values_colour_the_moves(visit: Open, hash: str, value: str) -> None:
    page = visit(hash)
    page.locator("#values").check()
    expect(page.locator("#figures")).to_contain_text(f"value {value},")
    expect(page.locator("#lines tr.win").first).to_be_visible()


def test_the_page_works_offline_after_a_visit(context: BrowserContext, visit: Open) -> None:
    page = visit()
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    visit(link("chess")).close()
    context.set_offline(True)
    page.reload()
    page.wait_for_selector("body:not(.loading)")
    page.locator(".places .open").first.click()
    assert history(page)
    context.set_offline(False)


def test_memory_after_fifty_games(visit: Open) -> None:
    page = visit(link("nim", play="none", level=1) + "&options=heaps=1,2,3")
    sizes = []
    for _ in range(50):
        page.wait_for_function("/wins|draw/.test(document.getElementById('status').textContent)")
        sizes.append(page.evaluate("performance.memory.usedJSHeapSize") / 2**20)
        page.locator("#new").click()
    assert sizes[-1] < sizes[9] + 20
