"""Selects the build of the extension module for this processor, where the package has several.

Wheels of a release for x86-64 have the module twice: for every processor, and in the folder ``_v3`` for those of the
level x86-64-v3 (Haswell, 2013, and later), where searches of chess are faster (docs/performance.md). Both return the
same results.
"""

import sys
from collections.abc import MutableSequence
from pathlib import Path

#: What the level x86-64-v3 adds to earlier ones (System V ABI, AMD64 supplement), in the words of Linux.
FLAGS = frozenset({"abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"})


def is_v3(cpuinfo: str | Path = "/proc/cpuinfo") -> bool:
    """Whether the first processor of the machine has the level x86-64-v3; false where that is unknown."""
    try:
        with open(cpuinfo, encoding="ascii", errors="replace") as lines:
            flags = next((line for line in lines if line.startswith("flags")), "")
    except OSError:
        return False
    return FLAGS.issubset(flags.split())


def select(path: MutableSequence[str]) -> None:
    """Puts the folder of the faster build before the others of a package, if there is one for this processor."""
    folder = Path(path[0], "_v3")
    if folder.is_dir() and is_v3():
        path.insert(0, str(folder))


select(sys.modules["secateurs"].__path__)
