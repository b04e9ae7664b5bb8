"""The time of the referee for a move: from the arrival of a `bestmove` to the next `go`, microseconds.

python3 benches/referee.py [ENGINE] [ROUNDS]

Plays the engine against itself at 20 nodes a move, one game at a time, and reads the times from the transcript. They
include writing it, checking the move, the end of the game if there is one, and the clock.
"""

import re
import subprocess
import sys
import tempfile

from engine import summary


def gaps(transcript: str) -> list[float]:
    """From each `bestmove` to the next `go` of the same game, microseconds."""
    found, answered = [], None
    for line in transcript.splitlines():
        if not (read := re.match(r"\s*([\d.]+) \S+ ([<>]) (\w+)", line)):
            continue
        time, word = float(read[1]) * 1e6, read[3]
        if word == "bestmove":
            answered = time
        elif word == "uginewgame":
            answered = None
        elif word == "go" and answered is not None:
            found.append(time - answered)
    return found


def main() -> None:
    """Measures, and prints the result."""
    path = sys.argv[1] if len(sys.argv) > 1 else "target/release/secateurs"
    rounds = sys.argv[2] if len(sys.argv) > 2 else "100"
    with tempfile.NamedTemporaryFile("r") as transcript:
        engines = [word for name in "ab" for word in ("-e", f"cmd={path} name={name}")]
        limits = ["--each", "nodes=20 option.Hash=1", "--random-candidates", "1", "-r", rounds]
        subprocess.run([path, "match", *engines, *limits, "--transcript", transcript.name], check=True)
        times = gaps(transcript.read())
    print(f"{'referee, microseconds a move':32} {summary(times)}  of {len(times)} (median, 99 %, longest; aim 100)")


if __name__ == "__main__":
    main()
