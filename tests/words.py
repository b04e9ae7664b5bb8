"""Finds words that are not to come back: private terms where the field has its own. `make lint` runs it."""

import re
import subprocess
import sys
from pathlib import Path

# A pattern, and the word of the field.
WORDS = {
    r"\bwardens?\b": "watchdog",
    r"\bcrews?\b": "threads, shared search",
    r"\bentrants?\b": "player",
    r"\bfouls?\b": "forfeit",
    r"\bpatience\b": "time-out",
    r"\bcensus\b": "counter",
    r"\bjudg(e|es|ed|ing|ement)\b": "evaluate, check; evaluation",
    r"\bbanked\b": "settled, in the store",
    r"\bobeys?\b|\bobeyed\b": "execute, follow",
    r"\b(by|the|another) lots?\b": "at random",
    r"\bmade anew\b": "rebuilt",
    r"\b(is|are|was|were|be|been) told\b": "reported, shown",
    r"\b(nobody|somebody|anybody) (asks|knows|hears|listens|waits)\b": "name the part of the program",
    r"(^|[.:;] |// |\"\"\")Who [a-z]+s\b": "a clause with who is no subject",
    r"\bthe (house|floors?) of the (program|crate)\b": "architecture, layer",
}

ENDINGS = (".md", ".py", ".pyi", ".rs", ".toml", ".yml", "Makefile")


def main() -> int:
    """Print each word with its place, and return how many there are."""
    root = Path(__file__).parent.parent
    names = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True).stdout.split("\n")
    found = 0
    for name in names:
        if not name.endswith(ENDINGS) or name == "tests/words.py":
            continue
        for number, line in enumerate((root / name).read_text("utf-8").splitlines(), 1):
            for pattern, better in WORDS.items():
                if match := re.search(pattern, line):
                    print(f"{name}:{number}: {match[0].strip()!r}: {better}")
                    found += 1
    return found


if __name__ == "__main__":
    sys.exit(main() > 0)
