"""Networks as arrays, and the positions that they learn from."""

import pickle
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, NoReturn, cast

import heap
import numpy as np
import pytest
from secateurs import BadFile, Engine, Network, Position, TrainingData

SHAPE = (50, 64, 8)


def random(
    features: int = 50, hidden: int = 64, buckets: int = 8, game: str = "kalah", origin: str = "a test"
) -> Network:
    rows = np.random.default_rng(1)
    return Network(
        game,
        rows.integers(-60, 60, (features, hidden)),
        rows.integers(-60, 60, hidden).astype(np.int16),
        rows.integers(-60, 60, (buckets, 2, hidden)).astype(">i8"),
        array("i", range(-70_000, -70_000 + buckets)),
        scale=220,
        origin=origin,
    )


def test_a_network_is_read_back(tmp_path: Path) -> None:
    network, path = random(), tmp_path / "kalah.net"
    network.save(path)
    opened = Network.open(path), Network.open(str(path), "kalah"), Network.open(path, Position("kalah"))
    for again in (*opened, pickle.loads(pickle.dumps(network))):
        assert (again, hash(again)) == (network, hash(network))
    assert (again.game, tuple(again.shape), again.scale, again.origin) == ("kalah", SHAPE, 220, "a test")
    assert again.shape.hidden == 64
    assert repr(again) == "<Network of kalah, 50 features, 64 hidden neurons, 8 buckets>"
    views = again.feature_weights, again.hidden_biases, again.output_weights, again.output_biases
    assert [(view.shape, view.format, view.readonly) for view in views] == [
        ((50, 64), "h", True), ((64,), "h", True), ((8, 2, 64), "h", True), ((8,), "i", True)
    ]  # fmt: skip
    made = [np.asarray(view) for view in views]
    assert Network("kalah", *made, scale=220, origin="a test") == network
    assert Network("kalah", *(part.tolist() for part in made), scale=220, origin="a test") == network
    changed = Network("kalah", made[0], made[1] + 1, *made[2:], scale=220, origin="a test")
    assert changed != network
    changed.save(path)
    assert Network.open(path) == changed
    with pytest.raises(AttributeError):
        network.scale = 3  # type: ignore[misc]


class Heap(heap.Heap):
    feature_count: ClassVar[int] = 20

    def features(self, player: int) -> list[int]:
        return [self.left, 10 + (player == self.turn)]


def with_network(network: Network, path: Path, left: int) -> Position:
    """A position that this network evaluates."""
    network.save(path)
    return Position(type("Heap", (Heap,), {"eval_file": path})(left))


def test_a_network_computes_what_its_docstring_says(tmp_path: Path) -> None:
    network = random(20, 64, 1, "Heap")
    weights, biases = np.asarray(network.feature_weights) / 255, np.asarray(network.hidden_biases) / 255
    outputs, offsets = np.asarray(network.output_weights) / 64, np.asarray(network.output_biases) / 16_320
    for left in range(1, 10):
        features = Heap(left).features(1), Heap(left).features(2)
        squares = [np.clip(biases + weights[seen].sum(0), 0, 1) ** 2 for seen in features]
        expected = network.scale * ((squares * outputs[0]).sum() + offsets[0])
        found = with_network(network, tmp_path / "heap.net", left).evaluate()["network"]
        assert abs(found - expected) <= 1  # whole numbers
    assert abs(expected) > 50


@pytest.mark.parametrize("sign", [-1, 1])
def test_sums_of_extreme_weights_wrap(sign: int, tmp_path: Path) -> None:
    most = 2**31 - 1
    network = Network(
        "Heap", [[32_767 * sign] * 64] * 20, [32_767 * sign] * 64, [[[128 * sign] * 64] * 2], [most * sign], scale=most
    )
    result = Engine(hash=1).analyse(with_network(network, tmp_path / "heap.net", 9), depth=3)
    assert result.best_move in ("1", "2")


@pytest.mark.parametrize(
    ("change", "error", "shown"),
    [
        ({"game": 3}, TypeError, "game is a str, not int"),
        ({"origin": b""}, TypeError, "origin is a str, not bytes"),
        ({"origin": "x" * 100_001}, ValueError, "origin has at most 100000 characters, not 100001"),
        ({"scale": 0}, ValueError, "scale is a whole number from 1 to 2147483647, not 0"),
        ({"scale": 1.5}, TypeError, "scale is an int, not float"),
        ({"scales": 1}, TypeError, "did you mean scale"),
        ({"game": ""}, ValueError, "game is the name of a game, not empty"),
        ({"game": "n\ud800m"}, ValueError, "game has half a character, a surrogate"),
        ({"origin": "\udfff"}, ValueError, "origin has half a character, a surrogate"),
        ({"feature_weights": None}, TypeError, "feature_weights is an array of whole numbers, not NoneType"),
        ({"feature_weights": "12"}, TypeError, "feature_weights is an array of whole numbers, not str"),
        ({"feature_weights": [1]}, ValueError, r"feature_weights has 2 dimensions \(features, hidden\), not 1"),
        ({"feature_weights": np.zeros((5, 2, 1), int)}, ValueError, r"has 2 dimensions \(features, hidden\), not 3"),
        ({"hidden_biases": [[1, 2]]}, ValueError, r"hidden_biases has 1 dimension \(hidden\), not 2"),
        ({"feature_weights": [[1.0, 2.0]] * 5}, TypeError, "an array of whole numbers, not of float"),
        ({"feature_weights": np.zeros((5, 2))}, TypeError, "an array of whole numbers, not of float"),
        ({"feature_weights": [[True, 2]] * 5}, TypeError, "an array of whole numbers, not of bool"),
        ({"feature_weights": [["1", 2]] * 5}, TypeError, "an array of whole numbers, not of str"),
        ({"feature_weights": [[1, 2], [1]]}, ValueError, "feature_weights has rows of different lengths, 1 and 2"),
        ({"feature_weights": [[1, 2], 3]}, ValueError, "feature_weights has rows of different lengths, 0 and 2"),
        ({"feature_weights": []}, ValueError, "feature_weights is empty"),
        ({"feature_weights": [[]]}, ValueError, "feature_weights is empty"),
        ({"feature_weights": [[1, 32_768]]}, ValueError, "feature_weights has numbers from -32768 to 32767, not 32768"),
        ({"feature_weights": [[1, 10**60]]}, ValueError, "not a very large number"),
        ({"feature_weights": [[1, 2]] * 65_536}, ValueError, "feature_weights has at most 65535 features, not 65536"),
        ({"hidden_biases": [1] * 3}, ValueError, r"hidden_biases has the shape \(hidden,\), here \(2,\), not \(3,\)"),
        ({"output_weights": [[[1, 2]]]}, ValueError, r"\(buckets, 2, hidden\), here \(1, 2, 2\), not \(1, 1, 2\)"),
        ({"output_weights": [[[1, 2], [3, 129]]]}, ValueError, "output_weights has .* from -128 to 128, not 129"),
        ({"output_biases": [1, 2]}, ValueError, r"output_biases has the shape \(buckets,\), here \(1,\), not \(2,\)"),
        ({"output_biases": [-(2**31) - 1]}, ValueError, "output_biases has .* from -2147483648 to 2147483647"),
    ],
)  # fmt: skip
def test_wrong_arrays_are_named(change: dict[str, Any], error: type[Exception], shown: str) -> None:
    arrays: dict[str, Any] = {
        "game": "nim",
        "feature_weights": [[1, 2]] * 5,
        "hidden_biases": [1, 2],
        "output_weights": [[[1, 2], [3, 4]]],
        "output_biases": [9],
        "scale": 100,
    }
    Network(**arrays)
    with pytest.raises(error, match=shown):
        Network(**{**arrays, **change})


def test_rows_may_be_arrays_and_ranges() -> None:
    rows = Network("nim", [range(64), np.arange(64), array("h", range(64))], [1] * 64, [[[1] * 64] * 2], [0], scale=9)
    assert np.asarray(rows.feature_weights).tolist() == [list(range(64))] * 3
    assert repr(Network("nim", [[1]], [np.int8(1)], [[(1,), (1,)]], [0], scale=9)) == (
        "<Network of nim, 1 feature, 1 hidden neuron, 1 bucket>"
    )


def test_too_many_features_are_refused_at_once() -> None:
    class Rows(list[Any]):
        def __iter__(self) -> NoReturn:
            raise AssertionError("nothing is converted")

    with pytest.raises(ValueError, match="feature_weights has at most 65535 features, not 70000"):
        Network("nim", Rows([None] * 70_000), [1], [[[1], [1]]], [0], scale=9)


def test_networks_that_evaluate_alike_are_equal() -> None:
    one, other = (random(origin=origin) for origin in ("one training", "another"))
    assert (one, hash(one)) == (other, hash(other))
    assert one != random(game="chess")


def test_other_files_are_refused(tmp_path: Path) -> None:
    path, notes = tmp_path / "x.net", tmp_path / "notes"
    random().save(path)
    notes.write_text("my notes, which are long enough to be read")
    damaged, any_number = tmp_path / "damaged", cast(Any, 3)
    damaged.write_bytes(path.read_bytes()[:-1] + b"x")
    calls: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: Network.open(path, "chess"), BadFile, "is a network of kalah, not of chess"),
        (lambda: Network.open(notes), BadFile, "is not a network"),
        (lambda: Network.open(damaged), BadFile, "is damaged"),
        (lambda: Network.open(tmp_path), BadFile, "is not a regular file"),
        (lambda: Network.open(tmp_path / "nowhere"), FileNotFoundError, "nowhere"),
        (lambda: Network.open(any_number), TypeError, "path is"),
        (lambda: Network.open(path, any_number), TypeError, "game is a Position or the name of a game, not int"),
        (lambda: Network.open(path, Heap), TypeError, r"game is a Game, such as Heap\(\), not the class Heap"),
        (lambda: Network.open(path, Heap(3)), BadFile, "is a network of kalah, not of Heap"),
        (lambda: random().save(notes), BadFile, "is not a network"),
        (lambda: random(game="chess").save(path), BadFile, "is a network of kalah, not of chess"),
        (lambda: random().save(tmp_path / "no" / "folder"), FileNotFoundError, "folder"),
    ]
    for call, error, shown in calls:
        with pytest.raises(error, match=shown):
            call()
    assert notes.read_text().startswith("my notes")


def test_the_positions_are_those_of_the_files(games: Path) -> None:
    data = TrainingData([games], Position("kalah"), held_out=0.2, seed=5)
    assert repr(data) == f"<TrainingData of kalah, {len(data)} positions, {data.held_out} held out>"
    assert len(data) > 300
    assert data.held_out > 0
    assert data.scale > 0
    features, hidden, buckets = data.shape
    assert len(data.initial_weights) == (features + 1 + 2 * buckets) * hidden + buckets
    seen = [[], []]  # type: list[list[float]]
    for epoch in range(2):
        for batch in data.batches(epoch, 64):
            size = len(batch.targets)
            assert (
                size == len(batch.own_offsets) == len(batch.other_offsets) == len(batch.buckets) == len(batch.settled)
            )
            assert batch.own_offsets[0] == batch.other_offsets[0] == 0
            assert all(0 <= feature < features for part in (batch.own, batch.other) for feature in part)
            assert all(0 <= bucket < buckets for bucket in batch.buckets)
            assert all(0 <= target <= 1 for target in batch.targets)
            seen[epoch] += batch.targets
    assert len(seen[0]) == len(data)
    assert seen[0] != seen[1]
    assert sorted(seen[0]) == sorted(seen[1])
    assert sum(len(batch.targets) for batch in data.batches(None, 7)) == data.held_out


@pytest.mark.parametrize(
    ("change", "error", "shown"),
    [
        ({"paths": 3}, TypeError, "paths is a path or a list of paths, not int"),
        ({"paths": [3]}, TypeError, "paths is a str or a path, not int"),
        ({"paths": "nowhere"}, FileNotFoundError, "nowhere"),
        ({"paths": []}, ValueError, "paths is empty: there are no positions to train on"),
        ({"position": "chess"}, BadFile, "has games of kalah, not of chess"),
        ({"position": "nim"}, ValueError, "nim has no features for a network to see"),
        ({"position": 3}, TypeError, "position is a Position or the name of a game, not int"),
        ({"position": Heap}, TypeError, r"position is a Game, such as Heap\(\), not the class Heap"),
        ({"position": Heap(3)}, BadFile, "has games of kalah, not of Heap"),
        ({"blend": 1.5}, ValueError, "blend is a number from 0 to 1, not 1.5"),
        ({"td_lambda": "1"}, TypeError, "td_lambda is a number, not str"),
        ({"held_out": 1}, ValueError, "held_out is a number from 0 to less than 1, not 1"),
        ({"held_out": float("nan")}, ValueError, "held_out is a number from 0 to less than 1, not nan"),
        ({"seed": -1}, ValueError, "seed is a whole number, at least 0"),
    ],
)
def test_wrong_data_are_named(games: Path, change: dict[str, Any], error: type[Exception], shown: str) -> None:
    with pytest.raises(error, match=shown):
        TrainingData(**{"paths": games, "position": "kalah", **change})


def test_a_file_counts_once(games: Path) -> None:
    with pytest.raises(ValueError, match=r"paths name .* twice"):
        TrainingData([games, games.parent / ".." / games.parent.name / games.name], "kalah")


def test_positions_are_not_pickled(games: Path) -> None:
    with pytest.raises(TypeError, match="TrainingData is not pickled: each process reads the files itself"):
        pickle.dumps(TrainingData(games, "kalah"))


def test_wrong_batches_are_named(games: Path) -> None:
    data = TrainingData(games, "kalah")
    calls: list[tuple[Callable[[], Any], str]] = [
        (lambda: data.batches(-1), "epoch is a whole number from 0 to 65534, not -1"),
        (lambda: data.batches(65_535), "epoch is a whole number from 0 to 65534, not 65535"),
        (lambda: data.batches(0, 0), "size is a whole number from 1 to 32768, not 0"),
        (lambda: data.batches(0, 40_000), "size is a whole number from 1 to 32768, not 40000"),
    ]
    for call, shown in calls:
        with pytest.raises(ValueError, match=shown):
            call()
