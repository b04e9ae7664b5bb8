"""Checkpoints of batches: killed, interrupted, damaged, those of others."""

import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import secateurs
from secateurs import Batch, Position, analyse_many
from test_batch import ENDLESS, timeless, walk

POSITIONS = 'positions = [Position("kalah", houses=6, seeds=n % 9 + 3) for n in range(40)]'

PROGRAM = f"""
import sys
from secateurs import Position, analyse_many
{POSITIONS}
analyse_many(positions, depth=12, threads=2, hash=1, checkpoint=sys.argv[1],
             progress=lambda done, total: print(done, flush=True))
"""


def batch_of_the_program(checkpoint: Path | None, **keywords: Any) -> Batch:
    """What the program below searches."""
    names: dict[str, Any] = {"Position": Position}
    exec(POSITIONS, names)
    return analyse_many(names["positions"], depth=12, hash=1, checkpoint=checkpoint, **keywords)


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """The checkpoint of a batch whose process was killed on its way."""
    checkpoint = tmp_path / "batch"
    program = [sys.executable, "-c", PROGRAM, str(checkpoint)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        while int(process.stdout.readline()) < 2:
            pass
        process.kill()
        assert process.wait() == -signal.SIGKILL
    return checkpoint


def test_a_killed_batch_goes_on_where_it_was(killed: Path) -> None:
    before = killed.read_bytes()
    expected = batch_of_the_program(None)
    reports: list[int] = []
    batch = batch_of_the_program(killed, progress=lambda done, _: reports.append(done), threads=1)
    assert timeless(batch) == timeless(expected)
    # Before the checkpoint has been read there may be reports of none.
    assert next(filter(None, reports)) >= 2
    after = killed.read_bytes()
    # Finished rows stay as they were, and none is there twice: no more than a last one that was cut off is gone.
    rows = before.count(b'"best"')
    assert 2 <= rows < 40 == after.count(b'"best"')
    assert after.startswith(before[: before.rindex(b'"best"')])
    # Now all of them are there, with the times that they took then.
    assert batch_of_the_program(killed) == batch
    assert killed.read_bytes() == after


def test_a_torn_record_is_dropped_and_damage_is_refused(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "batch"
    positions = walk("nim")
    batch = analyse_many(positions, depth=4, threads=1, checkpoint=file)
    whole = file.read_bytes()
    file.write_bytes(whole[:-5])
    again = analyse_many(positions, depth=4, threads=1, checkpoint=file)
    assert timeless(again) == timeless(batch)
    assert again[:11] == batch[:11]
    assert "the last record was cut off and is removed" in caplog.text
    middle = len(whole) // 2
    file.write_bytes(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :])
    with pytest.raises(secateurs.BadFile, match="is damaged: the checksum of the record at byte"):
        analyse_many(positions, depth=4, checkpoint=file)
    file.write_bytes(b"Dear diary, today I searched\n")
    with pytest.raises(secateurs.BadFile, match="is not a checkpoint of a batch"):
        analyse_many(positions, depth=4, checkpoint=file)
    with pytest.raises(secateurs.BadFile, match="is not a regular file"):
        analyse_many(positions, depth=4, checkpoint=tmp_path)


def test_checkpoints_of_others_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "batch"
    positions = walk("kalah")
    analyse_many(positions, depth=3, checkpoint=file)
    whole = file.read_bytes()
    others: list[tuple[str, list[Position], dict[str, Any]]] = [
        ("it has 12 positions, not 11", positions[1:], {"depth": 3}),
        ("its positions or its root moves are others", positions[::-1], {"depth": 3}),
        ('its limit is "depth=3", not "depth=4"', positions, {"depth": 4}),
        ('its limit is "depth=3", not "depth=3 time=0.5"', positions, {"depth": 3, "time": 0.5}),
        ("its hash is 4 MiB, not 2", positions, {"depth": 3, "hash": 2}),
        ("it has variations", positions, {"depth": 3, "pv": False}),
        ("its options or its evaluation are others", walk("kalah", capture="empty"), {"depth": 3}),
    ]
    for words, given, keywords in others:
        with pytest.raises(secateurs.BadFile, match=f"is the checkpoint of another batch: {words}"):
            analyse_many(given, checkpoint=file, **keywords)
    assert file.read_bytes() == whole
    assert analyse_many(positions, depth=3, checkpoint=file, threads=2).errors == 0


def test_a_checkpoint_serves_one_batch_at_a_time(tmp_path: Path) -> None:
    file = tmp_path / "batch"
    started = threading.Event()

    def work() -> None:
        analyse_many([ENDLESS] * 3, time=0.3, checkpoint=file, threads=1, progress=lambda done, total: started.set())

    thread = threading.Thread(target=work)
    thread.start()
    assert started.wait(60)
    with pytest.raises(secateurs.BadFile, match="is already being written"):
        analyse_many([ENDLESS] * 3, time=0.3, checkpoint=file)
    thread.join()


INTERRUPTED = """
import os, signal, sys, threading, time
from secateurs import Position, analyse_many
positions = [Position("nim", heaps="1,2")] * 3 + [Position("kalah", houses=12, seeds=12)]
def interrupt():
    time.sleep(0.5)
    global sent
    sent = time.perf_counter()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    analyse_many(positions, depth=200, threads=2, checkpoint=sys.argv[1])
except KeyboardInterrupt:
    print((time.perf_counter() - sent) * 1000)
"""


def test_ctrl_c_ends_a_batch_and_loses_nothing(tmp_path: Path) -> None:
    file = tmp_path / "batch"
    run = subprocess.run([sys.executable, "-c", INTERRUPTED, str(file)], capture_output=True, text=True, check=True)
    # Some 20 ms; the bound is only there for a machine that is busy.
    assert float(run.stdout) < 2000
    assert run.stderr == ""
    assert file.read_bytes().count(b'"best"') == 3
