"""Breaks the search on purpose, one step at a time, and shows that the tests of its proofs notice.

`python3 tests/mutants.py` copies the sources, lets a step keep a proof that it must not keep, and runs the tests: each
time one of them has to fail. It takes minutes, most of them compiling, and is no part of `make test`.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
TESTS = ["cyclic::proofs", "proof::no_proof_is_wrong_on_trees", "proof::no_proof_is_wrong_on_graphs"]

MUTANTS = [
    (
        "a repetition is proven",
        "src/search/path.rs",
        "Some(Value::guess(score::from_node(outcome.score(), ply as Score)))",
        "Some(Value::exact(score::from_node(outcome.score(), ply as Score)))",
    ),
    (
        "a draw by the clock is proven",
        "src/search/path.rs",
        "return Some(Value::guess(0));",
        "return Some(Value::exact(0));",
    ),
    (
        "a win is proven whatever the clock",
        "src/search/node.rs",
        "value = value.within_clock(ply, clock.left());",
        "let _ = (ply, clock.left());",
    ),
    (
        "the first win is the shortest although positions repeat",
        "src/search/alpha_beta.rs",
        "worker.full_width &= !P::CYCLIC && root.clock().is_none();",
        "worker.full_width &= true;",
    ),
    (
        "the first win is the shortest although moves are reduced",
        "src/core/tuning.rs",
        "self.hashless_reduction.is_none()\n            && self.late_reduction.is_none()",
        "true",
    ),
    (
        "quiescence search proves that nothing is better",
        "src/search/quiescence.rs",
        "(best, end) = (Value { proof: value.proof.and(Proof::LOWER), ..value }, End::Moves);",
        "(best, end) = (value, End::Moves);",
    ),
    (
        "moves that were cut off are no better",
        "src/search/node.rs",
        "(upper, end) = (Proof::NONE, End::Cutoff(ranked.code));",
        "end = End::Cutoff(ranked.code);",
    ),
    (
        "a node is worth no more than its best move was proven to be",
        "src/search/node.rs",
        "best.proof = best.proof.and(Proof::LOWER).or(upper);",
        "best.proof = best.proof.or(upper);",
    ),
    (
        "one child in the table proves what all are worth",
        "src/search/guards.rs",
        "refutes.then_some(Value { proof: value.proof.and(Proof::LOWER), ..value })",
        "refutes.then_some(value)",
    ),
]


def survives(copy: Path, file: str, old: str, new: str) -> bool:
    """Whether the tests pass with this change."""
    path = copy / file
    text = path.read_text(encoding="utf-8")
    if text.count(old) != 1:
        sys.exit(f"{file} has {text.count(old)} times, not once: {old}")
    path.write_text(text.replace(old, new), encoding="utf-8")
    # Nothing that is built from a mutant may be taken for what is built from the sources.
    environment = os.environ | {"CARGO_TARGET_DIR": str(copy / "target")}
    try:
        command = ["cargo", "test", "--locked", "--test", "suite", "--", *TESTS]
        build = subprocess.run([*command[:5], "--no-run"], cwd=copy, env=environment, capture_output=True, text=True)
        if build.returncode:
            sys.exit(f"{file} does not compile:\n{build.stderr}")
        return subprocess.run(command, cwd=copy, env=environment, capture_output=True).returncode == 0
    finally:
        path.write_text(text, encoding="utf-8")


def main() -> None:
    """Prints a line for each mutant; exits with 1 if one survives."""
    survivors = 0
    with tempfile.TemporaryDirectory(prefix="secateurs-mutants-") as folder:
        copy = Path(folder) / "copy"
        listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
        for name in listed.stdout.splitlines():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
        for name, file, old, new in MUTANTS:
            alive = survives(copy, file, old, new)
            survivors += alive
            print("SURVIVES" if alive else "fails   ", name, flush=True)
    sys.exit(min(survivors, 1))


if __name__ == "__main__":
    main()
