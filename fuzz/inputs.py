"""Packs and unpacks the inputs of the fuzz targets.

    python3 fuzz/inputs.py unpack TARGET    fuzz/seeds/TARGET and fuzz/inputs/TARGET.txt -> fuzz/corpus/TARGET
    python3 fuzz/inputs.py pack TARGET      fuzz/corpus/TARGET, but for the seeds -> fuzz/inputs/TARGET.txt

A packed input is a line: its bytes as in a Python bytes literal, sorted. `fuzz/corpus` is libFuzzer's working folder.
"""

import hashlib
import sys
from pathlib import Path

ROOT = Path(__file__).parent


def packed(data: bytes) -> str:
    """Return the line of an input."""
    return data.decode("latin-1").encode("unicode_escape").decode("ascii")


def unpacked(line: str) -> bytes:
    """Return the input of a line."""
    return line.encode("ascii").decode("unicode_escape").encode("latin-1")


def main() -> None:
    """Pack or unpack the inputs of a target."""
    if len(sys.argv) != 3 or sys.argv[1] not in {"pack", "unpack"}:
        sys.exit((__doc__ or "").strip())
    target = sys.argv[2]
    seeds = {path.read_bytes() for path in sorted((ROOT / "seeds" / target).iterdir())}
    inputs, corpus = ROOT / "inputs" / f"{target}.txt", ROOT / "corpus" / target
    if sys.argv[1] == "pack":
        found = {path.read_bytes() for path in corpus.iterdir()} - seeds
        inputs.parent.mkdir(exist_ok=True)
        inputs.write_text("".join(sorted(packed(data) + "\n" for data in found)), "ascii")
        return
    corpus.mkdir(parents=True, exist_ok=True)
    lines = inputs.read_text("ascii").splitlines() if inputs.exists() else []
    for data in seeds | {unpacked(line) for line in lines}:
        (corpus / hashlib.sha1(data).hexdigest()).write_bytes(data)


if __name__ == "__main__":
    main()
