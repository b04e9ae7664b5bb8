"""The trees of searches."""

import gc
import json
import pickle
import re
import signal
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest
import secateurs


def searched(depth: int = 5, **options: bool | int | None) -> secateurs.Result:
    return secateurs.Engine(hash=1).analyse(secateurs.Position("kalah"), depth=depth, tree=options.get("tree", True))


def test_nodes_are_what_the_forms_say() -> None:
    result = searched()
    tree = result.tree()
    nodes = list(tree)
    assert len(tree) == len(nodes)
    assert tree.depth == result.depth == 5
    assert tree.entered == len(nodes) - len(tree.roots)
    last = tree.roots[-1]
    assert last.value == result.score
    assert last.window == result.window
    assert last.pv
    assert [node.move for node in nodes if node.pv][1:] == result.pv[: sum(node.pv for node in nodes) - 1]
    lines = [json.loads(line) for line in tree.to_json_lines().splitlines()]
    assert lines[0]["position"] == result.position.text
    assert len(lines) == len(nodes) + 1
    for node, line in zip(nodes, lines[1:], strict=True):
        assert (node.move, node.turn, node.ply, node.depth) == (line["move"], line["turn"], line["ply"], line["depth"])
        assert (node.kind, node.again, node.pv) == (line["kind"], line["again"], line["pv"])
        assert list(node.window) == line["window"]
        assert node.provisional.pov(1).cp == line["provisional"]
        assert node.value is not None
        assert (node.value.pov(1).cp, node.bound, node.value.proven) == (line["value"], line["bound"], line["proven"])
        assert (node.end, node.by, node.below) == (line["end"], line["by"], line["below"])
        assert sum(child.below + 1 for child in node.children) == node.below
    assert str(tree) == tree.text()
    assert tree.text().count("\n") == len(nodes) + 3
    assert tree.to_dot().count(" -> ") == tree.entered
    assert repr(tree) == f"<Tree, depth 5, {tree.entered} nodes>"
    assert repr(nodes[1]).startswith(f"<Node, move '{nodes[1].move}', ply 1, value Score(")


def test_a_result_without_a_tree_searches_again() -> None:
    plain = searched(tree=None)
    assert plain.tree().to_json_lines() == searched().tree().to_json_lines()
    assert searched(tree=False).tree(plies=1).plies == 1


def test_kinds_of_nodes_are_documented() -> None:
    position = secateurs.Position("chess")
    tree = secateurs.Engine(hash=1).analyse(position, depth=9, tree=100_000).tree()
    kinds = {node.kind for node in tree}
    assert kinds == {"full", "null", "reduced", "singular", "quiescence"}
    root = Path(__file__).parent.parent
    stub = (root / "python/secateurs/_native.pyi").read_text(encoding="utf-8")
    listed = re.search(r"def kind\(self\) -> Literal\[(.*)\]", stub)
    assert listed is not None
    assert set(json.loads(f"[{listed[1]}]")) == kinds
    page = " ".join((root / "docs/tree.md").read_text(encoding="utf-8").split())
    assert "`kind` (" + ", ".join(f"`{kind}`" for kind in json.loads(f"[{listed[1]}]")) + ")" in page
    # A window lies inside that of its parent, unless the search asks whether a move is singular.
    for node in (node for node in tree if node.window != (None, None)):
        for child in (child for child in node.children if child.kind != "singular"):
            assert inside(child.window, node.window)


def inside(window: tuple[int | None, int | None], other: tuple[int | None, int | None]) -> bool:
    low, high = (-40_000 if end[0] is None else end[0] for end in (window, other))
    ends = [40_000 if end[1] is None else end[1] for end in (window, other)]
    return low >= high and ends[0] <= ends[1]


def test_a_file_of_another_kind_is_not_replaced(tmp_path: Path) -> None:
    tree = searched(3).tree()
    for suffix, kind in [
        ("txt", "the tree of a search"),
        ("jsonl", "the tree of a search in JSON"),
        ("dot", "a graph of Graphviz"),
        ("html", "an HTML page"),
    ]:
        path = tmp_path / f"tree.{suffix}"
        path.write_text("precious", encoding="utf-8")
        with pytest.raises(secateurs.BadFile, match=f"is not {kind}, and path would replace it"):
            tree.save(path)
        assert path.read_text(encoding="utf-8") == "precious"
        path.unlink()
        tree.save(path)
        tree.save(path)


def test_room_is_kept() -> None:
    whole = searched().tree()
    assert len(whole) > 200
    small = searched(tree=100).tree()
    assert small.plies < whole.plies
    assert len(small) <= 100 + len(small.roots)
    assert small.entered == whole.entered
    assert whole.to_json_lines().splitlines()[1] == small.to_json_lines().splitlines()[1]
    trimmed = searched().tree(limit=100)
    assert trimmed.to_json_lines() == small.to_json_lines()
    assert searched().tree(plies=2).plies == 2


def test_what_cannot_be_is_refused() -> None:
    engine, position = secateurs.Engine(hash=1), secateurs.Position("kalah")
    for wrong in 0, -3:
        with pytest.raises(ValueError, match=f"tree .* not {wrong}"):
            engine.analyse(position, depth=3, tree=wrong)
    with pytest.raises(ValueError, match="a tree of 1000000000 nodes may take"):
        engine.analyse(position, depth=3, tree=10**9)
    with pytest.raises(ValueError, match="one line, not multipv=2"):
        engine.analyse(position, depth=3, tree=True, multipv=2)
    result = engine.analyse(position, depth=3)
    for plies in 0, 256:
        with pytest.raises(ValueError, match="plies"):
            result.tree(plies=plies)
    with pytest.raises(ValueError, match="a tree of"):
        result.tree(limit=10**9)
    with pytest.raises(TypeError):
        secateurs.Tree()


def test_trees_are_saved_by_the_end_of_the_name(tmp_path: Path) -> None:
    tree = searched().tree()
    forms = {"txt": tree.text(), "jsonl": tree.to_json_lines(), "dot": tree.to_dot(), "html": tree.to_html()}
    for suffix, text in forms.items():
        tree.save(tmp_path / f"tree.{suffix}")
        assert (tmp_path / f"tree.{suffix}").read_text(encoding="utf-8") == text
    with pytest.raises(secateurs.BadFile, match=r'"tree\.svg" does not end in'):
        tree.save("tree.svg")
    with pytest.raises(FileNotFoundError, match="cannot write"):
        tree.save(tmp_path / "no" / "tree.txt")


def test_trees_pickle_alone_and_with_their_results() -> None:
    result = searched(tree=50)
    tree = result.tree()
    assert pickle.loads(pickle.dumps(tree)).text() == tree.text()
    assert pickle.loads(pickle.dumps(result)).tree().text() == tree.text()
    assert pickle.loads(pickle.dumps(searched(tree=None))).best_move == result.best_move
    reduced: Any = tree.__reduce__()
    restore, (position, text) = reduced
    with pytest.raises(ValueError, match="unpickled"):
        restore(position, "{}")
    head, _, rest = text.partition('"kept":')
    with pytest.raises(ValueError, match="damaged, or was pickled"):
        restore(position, head + '"kept":4000000000' + rest.lstrip("0123456789"))


def test_notebooks_get_the_page() -> None:
    tree: Any = searched(depth=2).tree()
    shown = tree._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert "&quot;rows&quot;" in shown
    assert shown.count('"') == 4


def test_a_search_that_is_watched_can_be_stopped() -> None:
    engine = secateurs.Engine(hash=1)
    threading.Timer(0.2, engine.stop).start()
    result = engine.analyse(secateurs.Position("kalah"), depth=200, tree=1000)
    tree = result.tree()
    assert tree.depth == result.depth
    assert tree.entered > 0


@dataclass(frozen=True)
class Count(secateurs.Game):
    """Reaching 10 wins; one number fails."""

    said: int = 0
    turn: int = 1
    fails: int = -1

    def moves(self) -> list[int]:
        if self.said == self.fails:
            raise ZeroDivisionError("not here")
        return [step for step in (1, 2, 3) if self.said + step <= 10]

    def play(self, move: int, /) -> "Count":
        return Count(self.said + move, 3 - self.turn, self.fails)

    def outcome(self) -> secateurs.Outcome:
        return secateurs.Outcome(winner=3 - self.turn)


def test_the_trees_of_games_in_python() -> None:
    tree = secateurs.Engine(hash=1).analyse(secateurs.Position(Count()), depth=4, tree=True).tree()
    assert [node.move for node in tree.roots[-1].children]
    assert tree.text().startswith("Count Count(said=0, turn=1, fails=-1), player 1 to move")
    assert '"game":"Count"' in tree.to_json_lines()
    assert "Count(said=0" in tree.to_html()
    with pytest.raises(ZeroDivisionError, match="not here"):
        secateurs.Engine(hash=1).analyse(secateurs.Position(Count(fails=2)), depth=4, tree=True)


def test_the_board_of_a_game_in_python_is_one_line_of_a_tree() -> None:
    start = Lines()
    tree = secateurs.Engine(hash=1).analyse(secateurs.Position(start), depth=2, tree=True).tree()
    assert tree.text().splitlines()[0] == "Lines said 0 / of 10, player 1 to move: values are for it"


class Lines(Count):
    """The same with a text of two lines."""

    def __str__(self) -> str:
        return f"said {self.said}\nof 10"


class Counted(secateurs.Game):
    """A game of five moves that counts the states it makes, and may fail or wait when it makes one."""

    made: ClassVar[int] = 0
    effect: ClassVar[Callable[[], object]] = staticmethod(lambda: None)

    def __init__(self, line: str = "") -> None:
        """Counts the state, then has the effect."""
        type(self).made += 1
        type(self).effect()
        self.line, self.turn = line, 1 + len(line) % 2

    def __repr__(self) -> str:
        return f"Counted({self.line!r})"

    def moves(self) -> list[str]:
        return ["a", "b", "c"] if len(self.line) < 5 else []

    def play(self, move: str, /) -> "Counted":
        return type(self)(self.line + move)

    def outcome(self) -> secateurs.Outcome:
        return secateurs.Outcome(winner=1 if self.line.count("a") > 2 else 2)


def test_a_recorded_search_makes_no_more_states_than_another() -> None:
    def made(**options: Any) -> tuple[int, secateurs.Result]:
        start = secateurs.Position(Counted())
        before = Counted.made
        result = secateurs.Engine(hash=1).analyse(start, depth=5, **options)
        return Counted.made - before, result

    count, _ = made()
    recorded, result = made(tree=True)
    assert recorded == count
    before = Counted.made
    assert result.tree(plies=1).plies == 1
    assert 0 < Counted.made - before <= 6
    whole = result.tree()
    assert len(whole) > 50
    assert pickle.loads(pickle.dumps(result)).tree().text() == whole.text() == result.tree().text()
    assert pickle.loads(pickle.dumps(result)).tree(limit=20).text() == result.tree(limit=20).text()


def test_a_tree_is_that_of_the_same_moves() -> None:
    result = secateurs.Engine(hash=1).analyse(secateurs.Position("kalah"), depth=5, root_moves=["1", "4"])
    for same in (result, pickle.loads(pickle.dumps(result)), result.iterations[-1]):
        root = same.tree().roots[-1]
        assert {node.move for node in root.children} == {"1", "4"}
        assert root.value == result.score


def test_what_the_game_raises_while_moves_are_named_is_raised() -> None:
    class Failing(Counted):
        pass

    result = secateurs.Engine(hash=1).analyse(secateurs.Position(Failing()), depth=4, tree=True)
    Failing.effect = staticmethod(lambda: 1 // 0)
    asks: list[Callable[[], object]] = [result.tree, lambda: pickle.dumps(result)]
    for ask in asks:
        with pytest.raises(ZeroDivisionError):
            ask()


@pytest.mark.parametrize("ask", ["result.tree()", "pickle.dumps(result)"])
def test_moves_are_named_without_the_gil_and_under_ctrl_c(ask: str) -> None:
    class Slow(Counted):
        pass

    result = secateurs.Engine(hash=1).analyse(secateurs.Position(Slow()), depth=5, tree=True)
    entered = threading.Event()

    def wait() -> None:
        entered.set()
        time.sleep(1)

    def interrupt() -> None:
        entered.wait(60)
        signal.raise_signal(signal.SIGINT)

    Slow.effect = staticmethod(wait)
    before = Slow.made
    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        eval(ask, {"result": result, "pickle": pickle})
    thread.join()
    assert Slow.made - before < 4


def test_moves_of_any_length_are_shown(tmp_path: Path) -> None:
    long = "x" * 70_000

    class Wordy(Count):
        def moves(self) -> list[str]:  # type: ignore[override]
            return [long, "y"] if self.said < 9 else []

        def play(self, move: Any, /) -> "Wordy":
            return Wordy(2 * self.said + 1 + (move == "y"), 3 - self.turn)

    tree = secateurs.Engine(hash=1).analyse(secateurs.Position(Wordy()), depth=2, tree=True).tree()
    tree.save(tmp_path / "tree.txt")
    assert (tmp_path / "tree.txt").read_text() == str(tree) == tree.text()
    # Rows with short moves are not padded to the long ones.
    short = [line for line in tree.text().splitlines() if long not in line]
    assert long in tree.text()
    assert any(" y " in line for line in short)
    assert max(map(len, short)) < 500


def test_a_tree_is_a_sequence() -> None:
    tree = searched(3).tree()
    nodes = list(tree)
    assert [tree[0], tree[-1]] == [nodes[0], nodes[-1]] != [nodes[1], nodes[-1]]
    assert tree[2:9:3] == nodes[2:9:3]
    assert list(reversed(tree)) == tree[::-1] == nodes[::-1]
    assert nodes[2] in tree
    assert nodes[2] in searched(3).tree()
    assert nodes[2] not in searched(2).tree()
    assert len(set(nodes)) == len(nodes)
    for place in (len(nodes), -len(nodes) - 1, 10**30):
        with pytest.raises(IndexError, match=f"node {place} of a tree that has {len(nodes)}"):
            tree[place]
    with pytest.raises(TypeError, match="node is an int, not str"):
        tree["0"]  # type: ignore[call-overload]


def test_a_node_pickles_with_its_tree() -> None:
    node = searched(3).tree()[5]
    one, other = pickle.loads(pickle.dumps((node, node)))
    assert one == other
    assert (repr(one), one.ply, one.window) == (repr(node), node.ply, node.window)


def test_trees_take_part_in_garbage_collection() -> None:
    keepers: list[Callable[[secateurs.Tree], object]] = [
        lambda tree: tree,
        lambda tree: tree[0],
        lambda tree: tree.roots[0].children,
    ]
    for kept in keepers:
        state = Count()
        tree = secateurs.Engine(hash=1).analyse(secateurs.Position(state), depth=2, tree=True).tree()
        vars(state)["kept"] = kept(tree)
        gone = weakref.ref(state)
        del state, tree
        gc.collect()
        assert gone() is None
