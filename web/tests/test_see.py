"""The page that shows searches step by step."""

from collections.abc import Callable

import pytest
from conftest import ROOT
from playwright.sync_api import Page, expect

Open = Callable[..., Page]
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"


def see(visit: Open, link: str = "") -> Page:
    """The page, once it has searched."""
    page = visit(link, page="see.html")
    page.wait_for_selector("#comparison button", timeout=30_000)
    return page


def row(page: Page, procedure: str) -> list[str]:
    """The cells of a procedure: value, best move, positions, leaves, cut-offs."""
    return page.locator(f'[data-procedure="{procedure}"] td').all_inner_texts()


def test_the_figure_of_the_textbook(visit: Open) -> None:
    page = see(visit)
    assert row(page, "minimax")[:4] == ["3", "1", "13", "9"]
    assert row(page, "alpha-beta")[:5] == ["3", "1", "11", "7", "1"]
    expect(page.locator("#minimum")).to_contain_text("at least 5 leaves")
    said = []
    while page.locator("#step").input_value() != page.locator("#step").get_attribute("max"):
        page.locator(".next").click()
        said.append(page.locator("#explanation").inner_text())
    cuts = [text for text in said if text.startswith("Cut-off")]
    assert cuts[0] == (
        "Cut-off by move 1: MIN gets at most 2 here, but MAX already has 3 elsewhere and will not come here. "
        "The other 2 moves are not looked at."
    )
    assert said[-1] == "The value of the root is 3."


def test_a_last_move_cuts_nothing_off(visit: Open) -> None:
    page = see(visit)
    said = " ".join(sentences(page))
    assert "After move 3 the last move, 3, gives MIN at most 2" in said
    assert "No move is left that it could cut off." in said
    assert "the game is over" not in said
    assert "the leaf has the value 14" in said


def test_the_best_move_first_may_visit_more_than_the_fewest_leaves(visit: Open) -> None:
    # The best reply has four leaves below it; another one, a single leaf, refutes as well.
    page = see(visit, "#tree=(3 ((1 0 1 1) 2))&order=best")
    assert row(page, "alpha-beta")[3] == "5"
    expect(page.locator("#minimum")).to_contain_text("at least 2 leaves")
    expect(page.locator("#minimum")).to_contain_text(
        "Best first, alpha-beta visits 5: the branches of this tree differ in size"
    )
    page.locator("#order").select_option("typed")
    expect(page.locator("#minimum")).not_to_contain_text("Best first")


def test_the_order_is_a_share_of_the_positions(visit: Open) -> None:
    page = see(visit, "#game=kalah&depth=4&order=mixed&share=0&seed=3")
    leaves = []
    for share in ("0", "50", "100"):
        page.locator("#share").fill(share)
        page.locator("#share").dispatch_event("change")
        expect(page.locator("#share-shown")).to_have_text(f"{share} %")
        expect(page.locator("#message")).to_be_empty()
        leaves.append(int(row(page, "alpha-beta")[3].replace(",", "")))
    assert leaves[0] > leaves[1] > leaves[2]
    assert "share=100" in page.url
    page.locator("#seed").fill("4")
    page.keyboard.press("Tab")
    expect(page.locator("#message")).to_be_empty()
    assert int(row(page, "alpha-beta")[3].replace(",", "")) == leaves[2]


def test_the_engine_says_where_it_looks_at_captures_alone(visit: Open) -> None:
    page = see(visit, "#game=chess&moves=e2e4,e7e5,g1f3,b8c6,d2d4&depth=2&procedure=engine")
    said = " ".join(sentences(page))
    assert "Only captures are searched beyond it" in said
    assert "0000" not in said
    assert "beyond the horizon, captures alone" not in said


def test_another_order_prunes_more(visit: Open) -> None:
    page = see(visit)
    page.locator("#order").select_option("best")
    expect(page.locator('[data-procedure="alpha-beta"] td').nth(3)).to_have_text("5")
    page.locator("#order").select_option("worst")
    expect(page.locator('[data-procedure="alpha-beta"] td').nth(3)).to_have_text("9")


def test_a_tree_that_cannot_be_read_is_named(visit: Open) -> None:
    page = see(visit)
    page.locator("#toy").fill("((3 12")
    page.keyboard.press("Tab")
    expect(page.locator("#message")).to_contain_text("column 7")
    # No tree is shown that is not the one typed.
    expect(page.locator("#tree")).to_be_hidden()
    expect(page.locator("#comparison")).to_be_hidden()
    page.locator("#toy").fill("[[5,6],[7,4]]")
    page.keyboard.press("Tab")
    expect(page.locator("#message")).to_be_empty()
    assert row(page, "minimax")[0] == "5"


@pytest.mark.parametrize("game", ["kalah", "chess", "othello"])
def test_a_game_is_searched_by_all_procedures(visit: Open, game: str) -> None:
    page = see(visit, f"#game={game}")
    values = {row(page, name)[0] for name in ("minimax", "alpha-beta", "negascout", "aspiration", "mtdf")}
    assert len(values) == 1
    nodes = [int(row(page, name)[2].replace(",", "")) for name in ("minimax", "alpha-beta")]
    assert nodes[1] < nodes[0]
    for name in ("aspiration", "engine"):
        page.locator(f'[data-procedure="{name}"] button').click()
        page.locator(".last").click()
        expect(page.locator("#explanation")).to_contain_text("The value of the root")
    expect(page.locator("#board svg")).to_be_visible()


def sentences(page: Page) -> list[str]:
    """The explanation of each step after the first; all clicks are made in the page, where hundreds take no time."""
    said: list[str] = page.evaluate("""() => {
        const [step, explanation] = ["step", "explanation"].map((id) => document.getElementById(id));
        const said = [];
        document.querySelector(".first").click();
        while (step.value !== step.max) {
            document.querySelector(".next").click();
            said.push(explanation.innerText);
        }
        return said;
    }""")
    return said


def test_nobody_holds_the_edge_of_a_guess(visit: Open) -> None:
    page = see(visit, "#tree=((100 200) (150 90 300) (250 260))&procedure=aspiration")
    said = sentences(page)
    assert not [text for text in said if "already has 2 elsewhere" in text]
    assert sum("It is narrow around a guess" in text for text in said) == 1
    assert "which meets the edge of the window of this search, 2" in " ".join(said)
    page.locator("#procedure").select_option("negascout")
    said = sentences(page)
    # The value of the first search of a move is not one of another move.
    assert not [text for text in said if "already has 250 elsewhere" in text]
    page.locator("#procedure").select_option("mtdf")
    assert not [text for text in sentences(page) if "It is narrow around a guess" in text]
    assert sentences(page)[-1] == "The value of the root is at most 250, and by an earlier window no less: it is 250."


def test_a_null_window_answers_its_question(visit: Open) -> None:
    page = see(visit, "#tree=((5 6) (7 (3 9 2) 4) (1 8))&procedure=negascout")
    said = sentences(page)
    assert not [text for text in said if "MIN already has 6" in text or "no better for MIN than 6" in text]


def test_leaves_have_values_and_no_bounds(visit: Open) -> None:
    page = see(visit, "#tree=((5 (3 9)) 4 ((2 7) (8 (1 6))))&procedure=mtdf")
    said = sentences(page)
    assert "After move 1 the table has the value already: 5." in said
    # All positions of MAX but the root are leaves.
    page = see(visit, "#game=chess&depth=2&procedure=alpha-beta")
    page.locator(".last").click()
    leaves = page.locator("#tree g.max .value").all_text_contents()[1:]
    assert len(leaves) > 20
    assert not [leaf for leaf in leaves if leaf[:1] in "≤≥"]


def test_a_search_again_of_a_leaf_is_explained(visit: Open) -> None:
    said = sentences(see(visit, "#tree=(-3 -1 -2)&procedure=negascout"))
    assert "Move 2, searched with a null window, leads to a leaf." in said
    assert (
        "Move 2 is searched again with a wider window, since it is better. It leads to a leaf, whose value is known: "
        "the procedure makes no exception for leaves."
    ) in said


def test_a_tree_that_is_a_leaf_has_its_value(visit: Open) -> None:
    said = sentences(see(visit, "#tree=5&procedure=aspiration"))
    assert "The last window does not contain the value. The next window is 5 … ∞." in said
    assert said[-1] == "The root is a leaf: its value is 5."


def test_the_mark_of_a_cut_stands_right_of_the_last_move(visit: Open) -> None:
    page = see(visit, "#tree=((7 8 9)(8 5 6 1)(9 8 2 1))&procedure=alpha-beta")
    page.locator(".last").click()
    crossed = page.evaluate("""() => {
        const boxes = [...document.querySelectorAll('#tree .cut:not(.hidden-node) line')];
        const edges = [...document.querySelectorAll('#tree svg > line')];
        const shape = (line) => {
            const [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map((name) => line.getAttribute(name));
            return [new DOMPoint(x1, y1), new DOMPoint(x2, y2)].map((end) => end.matrixTransform(line.getCTM()));
        };
        const side = ([a, b], p) => Math.sign((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x));
        const splits = (one, [p, q]) => side(one, p) !== side(one, q);
        const cross = (one, other) => splits(one, other) && splits(other, one);
        return [boxes.length, boxes.filter((box) => edges.some((edge) => cross(shape(box), shape(edge)))).length];
    }""")
    assert crossed[0] > 0
    assert crossed[1] == 0


def test_a_typed_tree_keeps_the_game_before_it(visit: Open) -> None:
    page = see(visit, "#game=chess&moves=e2e4,e7e5&play=both&depth=2")
    page.locator("#source").select_option("toy")
    page.wait_for_function("location.hash.includes('tree=')")
    page.locator("#source").select_option("game")
    page.wait_for_function("location.hash.includes('moves=e2e4%2Ce7e5')")
    assert "moves=e2e4%2Ce7e5" in str(page.locator("#home").get_attribute("href"))
    assert "play=both" in str(page.locator("#home").get_attribute("href"))


def test_unknown_words_of_a_link_are_named(visit: Open) -> None:
    page = see(visit, "#tree=(1 2)&procedure=nonsense")
    expect(page.locator("#message")).to_contain_text('unknown procedure "nonsense"')


def test_a_step_has_a_link(visit: Open) -> None:
    page = see(visit, "#tree=(1+(5+9)+(0+4))&procedure=alpha-beta&order=best&step=3")
    expect(page.locator("#step-shown")).to_contain_text("3 of")
    expect(page.locator("#order")).to_have_value("best")
    page.locator(".next").click()
    page.reload()
    page.wait_for_selector("#comparison button")
    expect(page.locator("#step-shown")).to_contain_text("4 of")
    expect(page.locator("#toy")).to_have_value("(1 (5 9) (0 4))")


def test_the_film_runs_and_stops(visit: Open) -> None:
    page = see(visit)
    page.locator("#play").click()
    page.wait_for_function("Number(document.getElementById('step').value) > 1")
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_text("Run")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("link", ["", "#game=kalah"])
def test_axe_finds_no_violation(visit: Open, link: str, theme: str) -> None:
    page = see(visit, link)
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    page.locator(".last").click()
    page.add_script_tag(path=AXE)
    found = page.evaluate("axe.run().then(({violations}) => violations)")
    assert [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found] == []


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_fits_its_window(visit: Open, width: int) -> None:
    page = see(visit, "#game=chess")
    page.set_viewport_size({"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_value_that_changes_nothing_above_is_no_gain(visit: Open) -> None:
    page = see(visit, "#tree=((-8 -3) (-6 -2) (-7 -1) (-6 -6))&procedure=negascout")
    said = [text.replace("\N{MINUS SIGN}", "-") for text in sentences(page)]
    assert said[9] == "After move 1 the leaf has the value -6. That changes nothing above: MIN needs less than -7 here."
    # The search again finds an upper bound, the one before it found the same as a lower bound.
    assert said[16].startswith("Cut-off by move 1: MIN gets at most -6 here")
    assert said[16].endswith("By the search before it is no less: MAX has -6 now.")
    assert said[-1] == "The value of the root is -6."
