"""Job-level search on the workers of dask.distributed: the values of one machine, and files that survive."""

import json
import shutil
import time
import warnings
from pathlib import Path
from typing import Any

import pytest
import secateurs
from players import ours
from secateurs import Engine, Position, Solution

with warnings.catch_warnings():
    # What it says of its own dependencies.
    warnings.simplefilter("ignore")
    import distributed
    from secateurs import dask
    from secateurs.dask import _workers
    from secateurs.dask._tree import Tree, shifted

pytestmark = pytest.mark.filterwarnings("default")

KALAH = Position("kalah", houses=4, seeds=3)


@pytest.mark.parametrize(
    "position",
    [
        Position("kalah", houses=3, seeds=3),
        KALAH,
        KALAH.play("3"),
        Position("kalah", houses=4, seeds=2, capture="empty"),
        Position("connect4", columns=5, rows=4),
        Position("connect4", columns=4, rows=4).play_line(["1", "2"]),
        Position("connect4").play_line([*"444444333333222225"]),
    ],
    ids=str,
)
def test_values_are_those_of_one_machine(client: distributed.Client, position: Position) -> None:
    expected = Engine(hash=4).solve(position, moves="none")
    reports: list[Solution] = []
    found = dask.solve(position, job=1_000, hash=1, client=client, progress=reports.append)
    assert (found.value, found.proven, found.outcome) == (expected.value, "exact", expected.outcome)
    assert expected.value is not None
    for earlier in reports:
        assert earlier.lower is None or earlier.lower <= expected.value
        assert earlier.upper is None or earlier.upper >= expected.value
    assert reports[-1].value == found.value


@pytest.mark.parametrize("guess", [-20, 5, 6, 30])
def test_a_guess_does_not_change_the_value(client: distributed.Client, guess: int) -> None:
    assert dask.solve(KALAH, job=500, hash=1, guess=guess, client=client).value == 6


def test_a_checkpoint_continues(client: distributed.Client, tmp_path: Path) -> None:
    path, proof = tmp_path / "kalah.jsonl", tmp_path / "proof.jsonl"
    proof.symlink_to("elsewhere.jsonl")
    some = dask.solve(KALAH, nodes=3_000, job=300, hash=3, checkpoint=path, client=client)
    assert some.proven != "exact"
    assert some.nodes >= 3_000
    before = path.read_bytes()
    # A kill may leave a part of a line.
    path.write_bytes(before + b'["<4,0')
    found = dask.solve(KALAH, job=500, hash=2, checkpoint=path, certificate=proof, client=client)
    assert (found.value, found.proven) == (6, "exact")
    after = path.read_bytes()
    assert after.startswith(before)
    rows = [json.loads(line) for line in after.splitlines()[1:]]
    assert sum(row[3] for row in rows) == found.nodes
    ours("check", str(tmp_path / "elsewhere.jsonl"))
    assert proof.is_symlink()
    # All of it is known, also to a search with another evaluation and with endgame databases.
    ours("endgame", "build", "--seeds", "8", str(tmp_path / "endgames"))
    other = Position("kalah", houses=4, seeds=3, kalah_weights="seed=3", kalah_endgames=tmp_path / "endgames")
    again = dask.solve(other, hash=2, checkpoint=path, client=client)
    assert (again.value, again.nodes, path.read_bytes()) == (6, found.nodes, after)


def test_a_certificate_may_take_longer_than_a_look(
    client: distributed.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_workers, "LOOK", 0.001)
    proof = tmp_path / "proof.jsonl"
    assert dask.solve(KALAH, job=500, hash=2, certificate=proof, client=client).value == 6
    ours("check", str(proof))


def test_limits_are_kept(client: distributed.Client) -> None:
    start = time.monotonic()
    assert dask.solve(Position("kalah"), time=0.3, job=10**9, hash=1, client=client).proven != "exact"
    assert time.monotonic() - start < 3
    nothing = dask.solve(KALAH, time=1e-9, hash=1, client=client)
    known = Engine(hash=1).solve(KALAH, time=1e-9)
    assert (nothing.lower, nothing.upper) == (known.lower, known.upper)
    # The jobs of the call before have ended: there are threads for this one.
    assert dask.solve(Position("kalah"), nodes=20_000, hash=1, client=client).nodes < 25_000


@pytest.mark.parametrize("limit", [{"depth": 3}, {"mate": 1}, {"remaining": 1.0}, {"limit": secateurs.Limit(depth=3)}])
def test_other_limits_are_refused(client: distributed.Client, limit: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="an exact search has no limit but nodes and time"):
        dask.solve(KALAH, client=client, **limit)


def test_files_have_one_purpose(client: distributed.Client, tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    with pytest.raises(ValueError, match="checkpoint and certificate name the same file"):
        dask.solve(KALAH, checkpoint=path, certificate=tmp_path / "." / path.name, client=client)
    assert not path.exists()
    with pytest.raises(secateurs.BadFile, match='"/dev/full" is not a regular file'):
        dask.solve(KALAH, checkpoint="/dev/full", client=client)


def test_bad_files_are_named(client: distributed.Client, tmp_path: Path) -> None:
    path = tmp_path / "kalah.jsonl"
    dask.solve(KALAH, nodes=500, job=300, hash=1, checkpoint=path, client=client)
    with pytest.raises(secateurs.BadFile, match="is of another search: it has position '<4,0"):
        dask.solve(KALAH.play("1"), checkpoint=path, client=client)
    with pytest.raises(secateurs.BadFile, match=r"it has rules \{'houses': 4, 'seeds': 3\}, not \{'houses': 4, 's"):
        dask.solve(Position("kalah", houses=4, seeds=3, capture="empty"), checkpoint=path, client=client)
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    cases = [
        (b"".join([lines[0], lines[1][:-3], b"\n", *lines[2:]]), "is damaged: line 2 is not JSON"),
        (b"a letter\n", "is not a checkpoint of dask.solve"),
        (b"[1]\n", "is not a checkpoint of dask.solve"),
        (b"a letter", "is not a checkpoint of dask.solve"),
        (b"a letter\nwithout an end", "is not a checkpoint of dask.solve"),
        (lines[0].replace(b"capture", b"sowing").replace(b'"houses":4', b'"houses":5') + b"[", "is of another search"),
        (lines[0] + b'["elsewhere",0,0,1,[]]\n', "is damaged: line 2 is no result of this search"),
        (lines[0] + b"{}\n", "is damaged: line 2 is no result of this search"),
    ]
    for content, message in cases:
        path.write_bytes(content)
        with pytest.raises(secateurs.BadFile, match=message):
            dask.solve(KALAH, checkpoint=path, client=client)
        assert path.read_bytes() == content
    with pytest.raises(secateurs.BadFile, match="is not a certificate, and is not replaced"):
        dask.solve(KALAH, certificate=path, client=client)
    # Not after the work.
    with pytest.raises(FileNotFoundError, match="nowhere"):
        dask.solve(Position("kalah"), certificate=tmp_path / "nowhere" / "proof", client=client)


def test_bad_arguments_are_named(client: distributed.Client) -> None:
    cases: list[tuple[Any, dict[str, Any], type[Exception], str]] = [
        (Position("chess"), {}, ValueError, "dask.solve solves kalah, othello, connect4, not chess; Engine.solve"),
        (KALAH, {"job": 0}, ValueError, "job is a whole number, at least 1"),
        (KALAH, {"guess": 300}, ValueError, "guess is a whole number from -288 to 288"),
        (KALAH, {"progress": 3}, TypeError, "progress is a bool or a function of a Solution, not int"),
        (KALAH, {"hash": "much"}, TypeError, "hash is an int"),
    ]
    for position, options, kind, message in cases:
        with pytest.raises(kind, match=message):
            dask.solve(position, client=client, **options)


def test_a_tree_finds_the_value_whatever_the_order() -> None:
    """Two leaves of each: a maximum of minima, with a position that two moves reach."""
    tree = Tree("root", 5)
    tree.learn("root", -32_000, 32_000, [("a", False, -100, 100, 20), ("b", False, -100, 100, 0)])
    best = tree.best()
    assert best is not None
    assert (best.text, tree.question(best)) == ("a", -4)
    tree.learn("a", -100, 100, [("c", False, -100, 100, 0), ("d", False, -100, 100, 0)])
    tree.learn("b", -100, 100, [("d", False, -100, 100, 0), ("e", False, -100, 100, 9)])
    tree.learn("d", 7, 9, [])
    tree.learn("c", 3, 3, [])
    assert (tree.root.lower, tree.root.upper) == (3, 9)
    tree.learn("e", 8, 8, [])
    assert (tree.root.lower, tree.root.upper) == (7, 8)
    assert tree.best() is None
    tree.aim(8)
    leaf = tree.best()
    assert leaf is not None
    assert (leaf.text, tree.question(leaf)) == ("d", 8)
    with pytest.raises(ValueError, match="results contradict each other: d is worth at least 10 and at most 9"):
        tree.learn("d", 10, 12, [])


def test_what_is_needed_comes_before_alternatives() -> None:
    """The root is proven by ``c`` and ``d``, and ``c`` by one of its moves."""
    tree = Tree("root", 5)
    tree.learn("root", -32_000, 32_000, [("a", False, -4_000, 4_000, 20)])
    tree.learn("a", -4_000, 4_000, [("c", False, -4_000, 4_000, -20), ("d", False, -4_000, 4_000, -3_000)])
    tree.learn("c", -4_000, 4_000, [("c1", False, -4_000, 4_000, 20), ("c2", False, -4_000, 4_000, 18)])
    found = [tree.best() for _ in range(4)]
    assert [leaf and leaf.text for leaf in found] == ["c1", "d", "c2", None]
    tree.learn("c1", 0, 4_000, [])
    tree.learn("d", 7, 4_000, [])
    assert tree.best() is None
    tree.learn("c2", -4_000, -6, [])
    assert tree.root.lower == 6


def test_distances_are_counted_from_each_position() -> None:
    assert [shifted(score, 1) for score in (31_990, -31_990, 400, 32_000)] == [31_989, -31_989, 400, 31_999]
    assert [shifted(shifted(score, 3), -3) for score in (31_990, -31_990, 28_900)] == [31_990, -31_990, 28_900]


def test_the_record_of_kalah_6_6_is_read(client: distributed.Client, tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.jsonl"
    shutil.copy(Path(__file__).parent.parent / "docs" / "data" / "kalah-6-6-standard.jsonl", path)
    found = dask.solve(Position("kalah", seeds=6), nodes=1, hash=1, guess=33, checkpoint=path, client=client)
    assert (found.upper, found.proven) == (28, "lower")
