"""The clocks, annotated games, and what the page says of a game and its board."""

import re
import time
from collections.abc import Callable

import pytest
from conftest import ROOT
from playwright.sync_api import Browser, BrowserContext, Page, expect
from test_play import history, is_over, link, place

Open = Callable[..., Page]
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"


@pytest.mark.parametrize(
    ("game", "label"),
    [
        ("chess", "e2, white pawn, playable"),
        ("kalah", "South's house 3, 4 seeds, playable"),
        ("kalah", "North's store, 0 seeds"),
        ("othello", "d4, white disc"),
        ("checkers", "22, white man"),
        ("xiangqi", "a1, red chariot, playable"),
        ("nim", "heap 2, 4 objects"),
        ("oware", "South's house A, 4 seeds, playable"),
    ],
)
def test_the_content_of_a_place_is_read_aloud(visit: Open, game: str, label: str) -> None:
    page = visit(link(game, play="both"))
    expect(page.locator(f'.places [aria-label="{label}"]')).to_have_count(1)


def test_a_side_has_one_name(visit: Open) -> None:
    page = visit(link("connect4", moves="4"))
    expect(page.locator("#seats option").first).to_have_text("you are Red")
    expect(page.locator("#bar")).to_have_attribute("aria-label", "Chance of Red")
    page = visit(link("connect4", moves="4", play="both"))
    expect(page.locator("#status")).to_have_text("Yellow to move")
    expect(page.locator('.places [aria-label="d1, red stone"]')).to_have_count(1)


def test_the_last_board_of_kalah_has_the_seeds_that_count(visit: Open) -> None:
    start = "<6,19,22,0,0,0,0,0,1,0,0,0,3,3,0> s"
    page = visit(link("kalah", start=start.replace(" ", "+"), moves="6", play="both"))
    expect(page.locator("#status")).to_have_text("North wins by 8")
    texts = page.eval_on_selector_all("#board .picture text", "texts => texts.map(text => text.textContent)")
    assert {"20", "28"} <= set(texts)


def test_moves_have_numbers(visit: Open) -> None:
    page = visit(link("chess", moves="e2e4,e7e5,g1f3", play="both"))
    assert re.sub(r"\s+", "", page.locator("#moves").inner_text()) == "1.e4e52.Nf3"
    page = visit(link("kalah", moves="3,6,2", play="both"))
    assert re.sub(r"\s+", "", page.locator("#moves").inner_text()) == "1.S32.S63.N2"
    page = visit(link("chess", start="4k3/8/8/8/8/8/8/4K2R b - - 0 7".replace(" ", "+"), moves="e8e7", play="both"))
    assert page.locator("#moves .number").inner_text() == "7..."


def test_a_beginner_reads_how_to_play(visit: Open) -> None:
    page = visit(link("chess"))
    assert all(len(text) < 25 for text in page.locator("#game option").all_inner_texts())
    page.locator("#howto summary").click()
    expect(page.locator("#rules")).to_contain_text("in check")
    page.locator("#game").select_option("othello")
    expect(page.locator("#rules")).to_contain_text("turn over")
    expect(page.locator("#level-about")).to_contain_text("depth 1")
    page.locator("#level").select_option("9")
    expect(page.locator("#level-about")).to_contain_text("opening book")


def test_the_queen_is_offered_first(visit: Open) -> None:
    page = visit(link("chess", start="8/5P2/8/8/7k/8/6K1/8+w+-+-+0+1", play="both"))
    place(page, "f7")
    place(page, "f8")
    assert page.locator("dialog button").all_inner_texts() == ["f8=Q", "f8=R", "f8=B", "f8=N"]


def test_pieces_of_xiangqi_are_characters(visit: Open) -> None:
    page = visit(link("xiangqi"))
    expect(page.locator("#board .picture")).not_to_contain_text("帥")
    page.locator("#more summary").click()
    page.get_by_label("Chinese characters").check()
    expect(page.locator("#board .picture")).to_contain_text("帥")
    page.reload()
    expect(page.locator("#board .picture")).to_contain_text("帥")


def test_many_objects_open_soon(visit: Open) -> None:
    before = time.monotonic()
    page = visit(f"#game=nim&options=Heaps={','.join(['255'] * 12)}&play=both")
    assert time.monotonic() - before < 10
    page.locator('.places [aria-label="12.255, playable"]').click()
    assert len(history(page)) == 1


def test_the_board_keeps_its_size(visit: Open) -> None:
    page = visit(link("chess", play="both"))
    before = page.locator("#board").bounding_box()
    page.locator("#analyse").check()
    expect(page.locator("#bar")).to_be_visible()
    assert page.locator("#board").bounding_box() == before


def test_two_engines_wait_after_a_move_is_taken_back(visit: Open) -> None:
    page = visit(link("chess", play="none", level=1))
    # At once: random moves may end the game.
    page.wait_for_function(
        "document.querySelectorAll('#moves li').length >= 4 && (document.querySelector('#pause').click(), true)"
    )
    played = history(page)
    page.locator("#back").click()
    assert history(page) == played[:-1]
    time.sleep(0.5)
    assert history(page) == played[:-1]
    expect(page.locator("#status")).to_contain_text("paused")
    page.locator("#pause").click()
    page.wait_for_function(f"document.querySelectorAll('#moves li').length > {len(played)}")


def test_a_flag_loses(visit: Open) -> None:
    page = visit(link("chess", play="both") + "&clock=2+0")
    expect(page.locator(".clock").first).to_have_text("White 0:02.0")
    place(page, "e2")
    place(page, "e4")
    expect(page.locator(".clock").nth(1)).to_have_class(re.compile("running"))
    expect(page.locator("#status")).to_have_text("The time of Black is over: White wins")
    expect(page.locator("#said")).to_have_text("The time of Black is over: White wins")
    expect(page.locator(".places")).to_have_count(0)
    page.locator("#back").click()
    expect(page.locator("#status")).to_have_text("White to move")


def test_a_clock_is_paused_and_has_an_increment(visit: Open) -> None:
    page = visit(link("chess", moves="e2e4,e7e5", play="both") + "&clock=100+50")
    assert "clock=100%2B50" in page.url
    expect(page.locator("#clock")).to_have_value("own")
    place(page, "g1")
    place(page, "f3")
    # 100 seconds, less those that the moves took, and 50.
    expect(page.locator(".clock").first).to_contain_text(re.compile("2:(2[5-9]|30)"))
    page.locator("#pause").click()
    before = page.locator(".clock").nth(1).inner_text()
    time.sleep(1.3)
    assert page.locator(".clock").nth(1).inner_text() == before
    expect(page.locator(".places")).to_have_count(0)
    page.locator("#pause").click()
    expect(page.locator(".places")).to_have_count(1)
    page.evaluate("""Object.defineProperty(document, 'hidden', {value: true});
        document.dispatchEvent(new Event('visibilitychange'))""")
    expect(page.locator("#status")).to_contain_text("paused")
    page.locator("#clock").select_option("300+3")
    expect(page.locator(".clock").first).to_have_text("White 5:00")


def test_a_clock_without_a_time_is_refused(visit: Open) -> None:
    page = visit(link("chess", play="both") + "&clock=300+3")
    page.locator("#clock").select_option("own")
    for minutes, seconds in (("0", "3"), ("", "3"), ("2000", "3"), ("5", "-1")):
        page.get_by_label("Minutes").fill(minutes)
        page.get_by_label("Seconds a move").fill(seconds)
        page.get_by_role("button", name="Set clocks").click()
        expect(page.locator("#message")).to_contain_text("A clock has 0.1 to 1440 minutes")
        # The clocks stay as they were.
        expect(page.locator(".clock").first).to_have_text("White 5:00")
    page.get_by_label("Seconds a move").fill("0")
    page.get_by_role("button", name="Set clocks").click()
    expect(page.locator("#message")).to_be_empty()


def test_the_engine_thinks_by_its_clock(visit: Open) -> None:
    # By its level alone it would think for two seconds a move.
    kalah = link("kalah", moves="3,6", play="first", level=10) + "&clock=2+0"
    chess = link("chess", play="none", level=10) + "&clock=3+0"
    for game, moves in (kalah, 2), (chess, 12):
        page = visit(game)
        page.wait_for_function(f"document.querySelectorAll('#moves li').length > {moves}", timeout=30_000)
        assert "time" not in page.locator("#status").inner_text()


def test_the_engine_loses_no_time_while_a_person_looks_back(visit: Open) -> None:
    page = visit(link("chess", moves="e2e4", level=10) + "&clock=9000+0")
    expect(page.locator(".clock.running")).to_have_count(1)
    page.locator(".first").click()
    expect(page.locator(".clock.running")).to_have_count(0)
    page.locator(".last").click()
    expect(page.locator(".clock.running")).to_contain_text("Black")


def test_a_game_is_annotated(visit: Open) -> None:
    page = visit(link("chess", play="both"))
    page.locator("#annotate").click()
    expect(page.locator("#progress")).to_contain_text("no moves")
    text = '[White "A"]\n\n1. f3 e5 2. g4 Qh4# 0-1'
    page.locator("#file").set_input_files({"name": "a.pgn", "mimeType": "text/plain", "buffer": text.encode()})
    expect(page.locator("#moves li")).to_have_count(4)
    page.locator("#annotate").click()
    expect(page.locator("#moves li").nth(2)).to_contain_text("g4??")
    page.reload()
    expect(page.locator("#moves li").nth(2)).to_contain_text("g4??")
    expect(page.locator("#annotation tbody tr")).to_have_count(2)
    page.locator("#moves button").nth(2).click()
    expect(page.locator(".note")).to_contain_text("Blunder")
    box = page.locator(".graph").bounding_box()
    assert box
    page.mouse.click(box["x"] + 2, box["y"] + 20)
    expect(page.locator("#moves [aria-current]")).to_have_count(0)
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run().then(({violations}) => violations)")
    assert [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found] == []
    page.locator(".last").click()
    with page.expect_download() as download:
        page.locator("#save").click()
    assert "$4" in download.value.path().read_text()
    # Another move: the annotation is that of the moves before it.
    page.locator("#moves button").nth(0).click()
    page.locator("#typed").fill("d5")
    page.keyboard.press("Enter")
    expect(page.locator("#annotation")).to_be_visible()
    page.locator("#new").click()
    expect(page.locator("#annotation")).to_be_hidden()


def test_the_games_of_a_file_are_offered(visit: Open) -> None:
    page = visit(link("chess", play="both"))
    choice = page.locator("#number")
    expect(choice).to_be_hidden()
    games = ['[White "A"]\n[Event "Club"]\n\n1. e4 e5 1-0\n', '[White "B"]\n\n1. d4 *\n', '[White "C"]\n\n1. e4 e4 *\n']

    def give(text: str) -> None:
        page.locator("#file").set_input_files({"name": "a.pgn", "mimeType": "text/plain", "buffer": text.encode()})

    give("\n".join(games))
    titles = [
        f"{number} \N{EN DASH} Black {result}"
        for number, result in (("1. A", "1-0, Club"), ("2. B", "*"), ("3. C", "*"))
    ]
    expect(choice.locator("option")).to_have_text(titles)
    expect(page.locator("#said")).to_have_text("The first of 3 games of the file")
    assert history(page) == ["e2e4", "e7e5"]
    choice.select_option(index=1)
    page.wait_for_function("document.querySelectorAll('#moves li').length === 1")
    assert history(page) == ["d2d4"]
    # A game that cannot be read changes nothing.
    choice.select_option(index=2)
    expect(page.locator("#message")).to_contain_text("e4")
    expect(choice).to_have_value(titles[1])
    assert history(page) == ["d2d4"]
    give(games[0])
    expect(choice).to_be_hidden()
    give("\n".join(games))
    expect(choice).to_be_visible()
    page.locator("#new").click()
    expect(choice).to_be_hidden()


def test_everything_is_kept_after_the_first_visit(context: BrowserContext, visit: Open) -> None:
    page = visit()
    kept = "async () => Boolean(await (await caches.open('secateurs')).match('wasm/others_bg.wasm'))"
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    for _ in range(100):
        if page.evaluate(kept):
            break
        time.sleep(0.2)
    context.set_offline(True)
    page.locator("#game").select_option("chess")
    expect(page.locator('.places [aria-label="e2, white pawn, playable"]')).to_have_count(1)
    page.goto(page.url.replace("index.html", "see.html"))
    page.wait_for_selector("#comparison button")
    context.set_offline(False)


def test_what_is_missing_is_named_until_it_is_there(browser: Browser, address: str) -> None:
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    context.route("**/others*", lambda route: route.abort())
    page.goto(f"{address}/index.html")
    page.wait_for_selector("body:not(.loading)")
    page.locator("#game").select_option("chess")
    expect(page.locator("#message")).to_contain_text("Chess is not on this device yet")
    expect(page.locator("#game")).to_have_value("kalah")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.locator("#message")).to_be_empty()
    context.unroute_all()
    page.locator("#game").select_option("chess")
    expect(page.locator('.places [aria-label="e2, white pawn, playable"]')).to_have_count(1)
    assert not is_over(page)
    context.close()


def test_the_last_position_is_described(visit: Open) -> None:
    page = visit(link("chess", moves="f2f3,e7e5,g2g4,d8h4", play="both"))
    expect(page.locator(".picture")).to_have_attribute("aria-label", re.compile("h4, black queen"))
    page.locator("#back").click()
    expect(page.locator("#said")).to_contain_text("Taken back. Black to move")
    expect(page.locator(".picture")).not_to_have_attribute("role", "img")


def test_the_message_of_a_link_stays(visit: Open) -> None:
    page = visit(link("chess", moves="e2e4,e2e4", play="first"))
    page.wait_for_function("document.querySelectorAll('#moves li').length >= 2")
    expect(page.locator("#message")).to_contain_text("illegal move")


def test_the_way_back_leads_to_the_moves_that_were_dropped(visit: Open) -> None:
    page = visit(link("chess", moves="e2e4,e7e5,g1f3", play="both"))
    page.locator(".first").click()
    page.locator("#typed").fill("d4")
    page.locator("#typed").press("Enter")
    assert history(page) == ["d2d4"]
    page.go_back()
    page.wait_for_function("document.querySelectorAll('#moves li').length === 3")
    assert history(page) == ["e2e4", "e7e5", "g1f3"]


def test_a_move_after_the_end_is_answered(visit: Open) -> None:
    page = visit(link("chess", moves="f2f3,e7e5,g2g4,d8h4", play="both"))
    page.locator("#typed").fill("a3")
    page.locator("#typed").press("Enter")
    expect(page.locator("#message")).to_have_text("The game is over.")
    page.locator("#new").click()
    expect(page.locator("#typed")).to_have_value("")
