"""Endgame databases from Python. The files are written here, by the description in docs/endgames.md."""

import zlib
from pathlib import Path

import pytest
import secateurs
from secateurs import BadFile, Engine, Position

# One house a side, by seeds in play. Cells of the poorer side's 0, 1, ... seeds: the shares of either side to move.
CELLS = [[(0, 0)], [(0, 1)], [(0, 2), (1, 1)]]


def database(folder: Path) -> Path:
    for seeds, cells in enumerate(CELLS):
        subject = f"kalah Houses=1 Capture=standard seeds={seeds}".encode()
        head = b"\x89SDE\r\n\x1a\n" + (2).to_bytes(4, "little") + len(subject).to_bytes(4, "little") + subject
        head += zlib.crc32(head).to_bytes(4, "little")
        data = head + bytes(-len(head) % 64) + bytes(poorer | richer << 4 for poorer, richer in cells)
        (folder / f"kalah-1-standard-{seeds}.sde").write_bytes(data + zlib.crc32(data).to_bytes(4, "little"))
    return folder


def test_a_search_asks_the_databases(tmp_path: Path) -> None:
    folder = str(database(tmp_path))
    for text in ["<1,0,0,1,1> s", "<1,5,2,1,1> n", "<1,0,3,2,3> s"]:
        plain = Engine(hash=1).analyse(Position.parse(text, "kalah"), depth=20)
        position = Position.parse(text, "kalah", kalah_endgames=folder)
        helped = Engine(hash=1).analyse(position, depth=20)
        assert (helped.score, helped.proven) == (plain.score, plain.proven)
        assert helped.nodes <= plain.nodes
    assert eval(repr(position), {"Position": secateurs.Position}) == position
    assert repr(position).endswith(f"kalah_endgames={folder!r})")


def test_what_cannot_be_used_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no-such"):
        Position("kalah", kalah_endgames=str(tmp_path / "no-such"))
    with pytest.raises(BadFile, match="holds no endgame database"):
        Position("kalah", kalah_endgames=str(tmp_path))
    damaged = database(tmp_path) / "kalah-1-standard-2.sde"
    damaged.write_bytes(damaged.read_bytes()[:-1])
    with pytest.raises(BadFile, match=r"kalah-1-standard-2\.sde.* is damaged"):
        Position("kalah", kalah_endgames=str(tmp_path))
