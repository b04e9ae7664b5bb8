"""Training with PyTorch: the network of `secateurs train`."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from players import ours
from secateurs import BadFile, Network

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from secateurs.torch import Epoch, train  # noqa: E402

ARRAYS = "feature_weights", "hidden_biases", "output_weights", "output_biases"


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_both_train_the_same_network(games: Path, dtype: Any, tmp_path: Path) -> None:
    here, there = tmp_path / "ours.net", tmp_path / "theirs.net"
    settings = ["--epochs", "3", "--batch", "500", "--blend", "0.2", "--held-out", "0.1", "--seed", "7"]
    trained = ours("train", "--game", "kalah", str(games), "-o", str(here), *settings, "--json")
    losses = [(epoch["training"], epoch["held_out"]) for epoch in json.loads(trained)["epochs"]]
    seen: list[Epoch] = []
    done = train(
        games, "kalah", there, epochs=3, batch=500, blend=0.2, held_out=0.1, seed=7, dtype=dtype, progress=seen.append
    )
    assert seen == done
    assert [epoch.epoch for epoch in done] == [1, 2, 3]
    np.testing.assert_allclose(np.array([epoch[1:] for epoch in done], float), losses, rtol=1e-5)
    one, other = Network.open(here, "kalah"), Network.open(there, "kalah")
    assert (one.shape, one.scale) == (other.shape, other.scale)
    differences = [np.abs(np.asarray(getattr(one, name)) - np.asarray(getattr(other, name))) for name in ARRAYS]
    # A weight near the middle between two whole numbers is rounded to either.
    assert [difference.max() <= most for difference, most in zip(differences, (1, 1, 1, 2), strict=True)] == [True] * 4
    assert all(difference.mean() < 0.01 for difference in differences[:3])


def test_the_default_of_a_batch_is_that_of_train(games: Path, tmp_path: Path) -> None:
    here, there = tmp_path / "ours.net", tmp_path / "theirs.net"
    ours("train", "--game", "kalah", str(games), "-o", str(here), "--epochs", "1", "--held-out", "0")
    done = train(games, "kalah", there, epochs=1, held_out=0, dtype=torch.float64)
    assert done[0].held_out is None
    one, other = Network.open(here), Network.open(there)
    assert "1 epoch of" in one.origin
    assert '"batch":32' in one.origin
    assert "1 epoch of" in other.origin
    assert "batch 32" in other.origin
    np.testing.assert_allclose(np.asarray(one.feature_weights), np.asarray(other.feature_weights), atol=1)


def test_a_file_of_another_kind_is_not_replaced(games: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.write_text("my notes, which are long enough to be read")
    with pytest.raises(BadFile, match="is not a network"):
        train(games, "kalah", notes)
    assert notes.read_text().startswith("my notes")
    chess = tmp_path / "chess.net"
    Network("chess", [[1]], [1], [[[1], [1]]], [1], scale=9).save(chess)
    with pytest.raises(BadFile, match="is a network of chess, not of kalah"):
        train(games, "kalah", chess)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"epochs": 0}, "epochs is"),
        ({"epochs": 65_536}, "epochs is a whole number from 1 to 65535"),
        ({"batch": 0}, "batch is"),
        ({"rate": 2}, "rate is"),
    ]
    for keywords, shown in wrong:
        with pytest.raises(ValueError, match=shown):
            train(games, "kalah", tmp_path / "x.net", **keywords)
