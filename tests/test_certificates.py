"""Certificates that the search made, checked by rules written for this alone."""

import json
from pathlib import Path

import certificate_checker
import pytest
from certificate_checker import Wrong, verify
from secateurs import BadFile, Engine, Position


def certificate(folder: Path, houses: int, capture: str) -> list[str]:
    path = folder / "proof.jsonl"
    lines = Engine(hash=8).certify(path, Position("kalah", houses=houses, seeds=3, capture=capture))
    text = path.read_text(encoding="utf-8").splitlines()
    assert len(text) == lines
    return text


@pytest.mark.parametrize(
    ("houses", "capture", "value"), [(3, "standard", 2), (3, "empty", 2), (4, "standard", 6), (4, "empty", 8)]
)
def test_the_values_of_small_boards(tmp_path: Path, houses: int, capture: str, value: int) -> None:
    lines = certificate(tmp_path, houses, capture)
    start = f"<{houses},0,0{2 * houses * ',3'}> s"
    assert verify(lines) == (start, value)


def test_what_proves_nothing_is_refused(tmp_path: Path) -> None:
    lines = certificate(tmp_path, 3, "empty")
    for number in range(1, len(lines)):
        with pytest.raises(Wrong):
            verify(lines[:number] + lines[number + 1 :])
        row = json.loads(lines[number])
        changes = [{"moves": row["moves"][1:]}]
        changes += [{"lower": row["lower"] - 1}] if row["lower"] is not None else []
        changes += [{"upper": row["upper"] + 1}] if row["upper"] is not None else []
        for change in changes:
            with pytest.raises(Wrong):
                verify([*lines[:number], json.dumps(row | change), *lines[number + 1 :]])


def test_other_rules_prove_something_else(tmp_path: Path) -> None:
    lines = certificate(tmp_path, 4, "standard")
    with pytest.raises(Wrong):
        verify([lines[0].replace('"standard"', '"empty"'), *lines[1:]])


def test_the_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no-such"):
        Engine(hash=1).certify(tmp_path / "no-such" / "file", Position("nim"))
    assert list(tmp_path.iterdir()) == []


def test_another_file_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text("1. e4 e5\n")
    with pytest.raises(BadFile, match="is not a certificate, and is not replaced"):
        Engine(hash=1).certify(path, Position("nim"))
    assert path.read_text() == "1. e4 e5\n"


def test_the_rules_here_capture() -> None:
    state, _ = certificate_checker.read("<3,0,0,1,0,2,1,5,1> s")
    captured, same = certificate_checker.after(state, 0, empty=False)
    assert (certificate_checker.write(captured, "n"), same) == ("<3,6,0,0,0,2,1,0,1> n", False)
