"""Engines at the end of a pipe: the same names and the same results."""

import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy
import pytest
import secateurs
from secateurs import BadFile, BadOption, Engine, EngineError, IllegalMove, Limit, Position, UciEngine

pytestmark = pytest.mark.skipif(os.name != "posix", reason="shells and signals of POSIX")

OURS = [sys.executable, "-m", "secateurs"]

# A polite engine that never answers a search.
TALK = (
    "while read -r line; do case $line in uci) echo option name UCI_Variant type string; echo uciok;; "
    "isready) echo readyok;; quit) exit;; esac; done"
)

ENDLESS = Position("kalah", houses=12, seeds=12)


def shell(go: str, **keywords: Any) -> UciEngine:
    """A polite engine, but for what it does on `go`."""
    talk = (
        "while read -r line; do case $line in uci) echo id name Shell; echo option name UCI_Variant type string; "
        f"echo uciok;; isready) echo readyok;; go*) {go};; stop) {keywords.pop('stop', 'true')};; quit) exit;; "
        "esac; done"
    )
    return UciEngine(["sh", "-c", talk], **keywords)


def lives(pid: int) -> bool:
    """Whether there is such a process, be it only to be reaped."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture(scope="module")
def engine() -> Iterator[UciEngine]:
    """Our own engine, through a pipe."""
    with UciEngine(OURS, options={"Hash": numpy.int64(4)}) as engine:
        yield engine


@pytest.mark.parametrize("game", list(secateurs.games()))
@pytest.mark.parametrize("protocol", ["uci", "ugi"])
def test_both_engines_say_the_same(game: str, protocol: Any) -> None:
    ours = Engine(hash=4)
    with UciEngine(OURS, options={"Hash": 4}, protocol=protocol) as pipe:
        position = Position(game)
        for _ in range(3):
            ours.clear()
            pipe.configure({"Clear Hash": None})
            here, there = (engine.analyse(position, depth=6, multipv=2)[0] for engine in (ours, pipe))
            for one, other in zip(here.multipv, there.multipv, strict=True):
                assert (one.best_move, one.score, one.pv, one.depth) == (
                    other.best_move,
                    other.score,
                    other.pv,
                    other.depth,
                )
                assert (one.proven, one.seldepth) == (other.proven, other.seldepth)
            assert here.nodes == there.nodes
            assert len(here.iterations) == len(there.iterations)
            assert there.position is position
            assert here.best_move is not None
            position = position.play(here.best_move)


def test_draughts_programs_speak_hub() -> None:
    with UciEngine(OURS, options={"Hash": 4}, protocol="hub") as pipe:
        for game in ("draughts", "brazilian", "checkers"):
            position = Position(game).play(Position(game).legal_moves[0])
            result = pipe.analyse(position, depth=6)
            assert result.depth == 6
            assert result.pv[0] in position.legal_moves
            assert result.pv == Engine(hash=4).analyse(position, depth=6).pv
        capture = Position.parse("W:W31,32:B27,28,18", "draughts")
        assert pipe.play(capture, depth=3).move in capture.legal_moves
        with pytest.raises(BadOption, match="the Hub protocol, of draughts, does not have"):
            pipe.play(Position("kalah"), depth=3)
        # What the protocol cannot say is refused, and the engine lives on.
        limits: list[dict[str, Any]] = [{"depth": 3, "root_moves": capture.legal_moves[:1]}, {"mate": 2}]
        for limit in limits:
            with pytest.raises(BadOption, match=r"the Hub protocol has no (root_moves|mate)"):
                pipe.play(capture, **limit)
        with pytest.raises(BadOption, match="a text without quotation marks"):
            pipe.configure({"LearnFile": 'a"b'})
        pipe.configure({"LearnFile": ""})
        assert pipe.play(capture, depth=3).move in capture.legal_moves


def test_an_engine_plays_what_it_is_shown(engine: UciEngine) -> None:
    for position in (
        Position("kalah", houses=4, seeds=3),
        Position("kalah", houses=3, seeds=3, capture="empty"),
        Position("kalah"),
        Position("nim", heaps="1,2", theory=False),
        Position.parse("<1,5,3,2,2> s", houses=1),
        Position("kalah", houses=4, seeds=3).play("2"),
    ):
        expected = Engine(hash=4).analyse(position, depth=8)
        assert engine.analyse(position, Limit(depth=8)).score == expected.score
    with pytest.raises(ValueError, match="the search of an external engine has no tree"):
        engine.analyse(Position("kalah"), depth=2).tree()
    over = engine.analyse(Position.parse("0 1", "nim"), depth=3)
    assert (over.best_move, str(over.score)) == (None, "lost proven")


def test_weights_and_files_are_those_of_the_engine() -> None:
    """Unless the position has others; afterwards they are those of the engine again."""
    plain, options = Position("kalah"), {"KalahWeights": "seed=100,mobility=0,extra_turn=0,threat=0,risk=0,hoard=0"}
    light = Position("kalah", kalah_weights="seed=4")
    own = Engine(hash=4).analyse(Position("kalah", kalah_weights=options["KalahWeights"]), depth=4).score
    assert own != Engine(hash=4).analyse(plain, depth=4).score
    with UciEngine(OURS, options={**options, "Heaps": "1,1"}) as engine:
        assert engine.analyse(plain, depth=4).score == own
        assert engine.analyse(light, depth=4).score == Engine(hash=4).analyse(light, depth=4).score != own
        assert engine.analyse(plain, depth=4).score == own
        # The rules are always those of the position.
        assert engine.analyse(Position("nim"), depth=4).best_move in Position("nim").legal_moves
        engine.configure({"KalahWeights": "seed=4"})
        assert engine.analyse(plain, depth=4).score == Engine(hash=4).analyse(light, depth=4).score
    # Some engines end if their network is missing.
    ends = (
        "while read -r line; do case $line in uci) echo option name EvalFile type string default x.nnue; echo uciok;; "
        "*EvalFile*) exit 1;; isready) echo readyok;; go*) echo bestmove ${line##* };; quit) exit;; esac; done"
    )
    with UciEngine(["sh", "-c", ends]) as engine:
        # The moves of a search are in coordinates.
        for move, text in (("Nf3", "g1f3"), ("e4", "e2e4"), ("d2d4", "d2d4")):
            assert engine.analyse(Position("chess"), depth=1, root_moves=[move]).best_move == text


def test_names_of_python_chess(engine: UciEngine) -> None:
    position = Position("kalah")
    results = engine.analyse(position, depth=5, multipv=3)
    assert [line.multipv[0].best_move for line in results] == [line.best_move for line in results]
    assert len(results) == len({line.best_move for line in results}) == 3
    assert len(engine.analyse(position, depth=3, multipv=100)) == 6
    assert engine.analyse(position, depth=5, root_moves=["2"]).pv[0] == "2"
    assert len(engine.analyse(position, depth=5).multipv) == 1


def test_what_it_says_of_itself(engine: UciEngine) -> None:
    assert engine.name.startswith("Secateurs ")
    assert "developers" in engine.author
    assert engine.options["Hash"] == {"type": "spin", "default": 64, "min": 1, "max": 1 << 20}
    assert engine.options["UCI_Variant"]["choices"] == list(secateurs.games())
    assert engine.options["Clear Hash"] == {"type": "button"}
    assert engine.command == OURS
    assert lives(engine.pid)
    assert not engine.closed
    assert str(engine.pid) in repr(engine)


def test_iterations_are_streamed(engine: UciEngine) -> None:
    with engine.analysis(ENDLESS) as analysis:
        depths = []
        for result in analysis:
            depths.append(result.depth)
            if result.depth >= 5:
                analysis.stop()
    assert depths[:5] == [1, 2, 3, 4, 5]
    assert analysis.done
    assert analysis.wait().best_move in ENDLESS.legal_moves
    assert [found.depth for found in engine.analysis(Position("kalah"), depth=3)] == [1, 2, 3]
    again = engine.analysis(ENDLESS)
    next(again)
    with pytest.raises(EngineError, match="analysis without limit, which has to be stopped first"):
        engine.analyse(ENDLESS, depth=1)
    again.stop()
    assert engine.analyse(ENDLESS, depth=2).depth == 2


def test_clear_begins_a_new_game(engine: UciEngine) -> None:
    position = Position("kalah", houses=4, seeds=4)
    engine.clear()
    first = engine.analyse(position, depth=9).nodes
    assert engine.analyse(position, depth=9).nodes < first
    engine.clear()
    assert engine.analyse(position, depth=9).nodes == first
    with UciEngine(engine.command) as other:
        other.close()
        with pytest.raises(secateurs.EngineError, match="it was closed"):
            other.clear()


def test_an_analysis_outlives_the_name_of_its_engine() -> None:
    analysis = UciEngine(OURS, options={"Hash": 1}).analysis(Position("kalah"), depth=6)
    assert analysis.wait().depth == 6


def test_a_search_is_stopped_from_another_thread(engine: UciEngine) -> None:
    threading.Timer(0.2, engine.stop).start()
    assert engine.analyse(ENDLESS, depth=200).depth < 200
    # The engine takes its overhead off the time of a move.
    assert 0.05 < engine.analyse(ENDLESS, time=0.1).time < 10


def test_several_threads_take_turns(engine: UciEngine) -> None:
    found: list[int] = []
    jobs = [threading.Thread(target=lambda: found.append(engine.analyse(ENDLESS, depth=4).depth)) for _ in range(4)]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    assert found == [4] * 4


def test_what_is_wrong_is_named(engine: UciEngine) -> None:
    position = Position("kalah")
    with pytest.raises(ValueError, match="needs a limit"):
        engine.analyse(position)
    with pytest.raises(ValueError, match="not both"):
        engine.analyse(position, Limit(depth=3), depth=3)
    with pytest.raises(IllegalMove, match='"9"'):
        engine.analyse(position, depth=3, root_moves=["9"])
    with pytest.raises(ValueError, match="multipv is a whole number"):
        engine.analyse(position, depth=3, multipv=0)
    with pytest.raises(BadOption, match=r'unknown option "Hsh"; it declares .*Hash'):
        engine.configure({"Hsh": 3})
    with pytest.raises(BadOption, match="a whole number from 1 to"):
        engine.configure({"Hash": 0})
    with pytest.raises(TypeError, match="option Hash is a bool, an int, a str or None, not float"):
        engine.configure({"Hash": 1.5})  # type: ignore[dict-item]
    assert engine.analyse(position, depth=3).depth == 3
    with pytest.raises(ValueError, match='protocol is "uci", "ugi" or "hub", not "xboard"'):
        UciEngine(OURS, protocol="xboard")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="command is empty"):
        UciEngine([])
    with pytest.raises(ValueError, match="timeout is a positive number of seconds up to 1e9, not 0"):
        UciEngine(OURS, timeout=0)
    with pytest.raises(TypeError):
        UciEngine(3)  # type: ignore[arg-type]
    with pytest.raises(EngineError, match=r'engine "/no/such/engine": cannot start'):
        UciEngine("/no/such/engine")
    with pytest.raises(BadOption, match="unknown option"):
        UciEngine(OURS, options={"Hsh": 3})
    with shell("echo bestmove 1") as one_line, pytest.raises(BadOption, match="MultiPV"):
        one_line.analyse(position, depth=1, multipv=2)


def test_what_an_engine_says_is_taken_as_it_comes() -> None:
    said = "echo info depth 300 score mate 2 pv 3 9 9; echo info string; echo bestmove 3"
    with shell(said) as engine:
        result = engine.analyse(Position("kalah"), depth=1)
        assert (result.best_move, result.pv, result.depth, result.score.distance) == ("3", ["3"], 255, 3)
    with shell("echo bestmove 2") as silent:
        result = silent.analyse(Position("kalah"), depth=1)
        assert (result.best_move, result.pv, result.depth) == ("2", ["2"], 0)
        assert result.multipv[0] is result
    with shell("echo info score cp 40 pv 1; echo bestmove 2") as torn:
        assert torn.analyse(Position("kalah"), depth=1).pv == ["2"]


@pytest.mark.parametrize(
    ("pv", "answer", "ponder"),
    [
        ("e2e4", "e2e4 ponder e7e5", "e7e5"),
        ("e2e4 c7c5 g1f3", "e2e4 ponder e7e5", "e7e5"),
        ("e2e4 c7c5", "e2e4", "c7c5"),
        ("e2e4 c7c5", "d2d4", None),
        ("e2e4 c7c5", "e2e4 ponder e2e4", "c7c5"),
    ],
)
def test_the_expected_reply_is_the_one_of_the_answer(pv: str, answer: str, ponder: str | None) -> None:
    with shell(f"echo info depth 3 score cp 40 pv {pv}; echo bestmove {answer}") as engine:
        assert engine.play(Position("chess"), depth=3).ponder == ponder


@pytest.mark.parametrize("score", ["", "echo info depth 5 score mate 99999 pv 2; "])
def test_no_score_is_invented(score: str) -> None:
    with shell(f"{score}echo bestmove 2") as engine:
        result = engine.analyse(Position("kalah"), depth=1)
        assert (result.best_move, result.score, result.bound, result.mate, result.proven) == (
            "2",
            None,
            None,
            None,
            None,
        )
        assert engine.play(Position("kalah"), depth=1).move == "2"
    assert result.to_dict()["score"] is None
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    assert (again.score, repr(again)) == (None, "Result(best_move='2', score=None, depth=0, nodes=0)")
    assert result.plot() is not None
    assert "<td" in result._repr_html_()  # type: ignore[attr-defined]
    # In a match it claims nothing.
    players = {"silent": lambda _: result, "other": lambda position: position.legal_moves[0]}
    [game, _] = secateurs.match(players, rounds=1, resign=(1, 1), length=2, random_plies=0, progress=False).games
    assert game.details[0][1] == ""


def test_a_huge_evaluation_is_no_win() -> None:
    with shell("echo info depth 5 score cp 100000 pv 2; echo bestmove 2") as engine:
        assert engine.analyse(Position("kalah"), depth=1).score == secateurs.Score(28_800, 1)


def test_other_threads_run_during_a_search(engine: UciEngine) -> None:
    ticks = 0
    ended = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not ended.is_set():
            ticks += 1

    thread = threading.Thread(target=count)
    thread.start()
    engine.analyse(ENDLESS, time=0.3)
    ended.set()
    thread.join()
    assert ticks > 1_000


def test_a_forked_process_leaves_the_engine_alone(engine: UciEngine) -> None:
    child = os.fork()
    if child == 0:
        status = 1
        try:
            engine.analyse(Position("kalah"), depth=3)
        except EngineError as error:
            status = int("copy" not in str(error))
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    assert engine.analyse(Position("kalah"), depth=3).depth == 3


def test_surroundings_are_as_given(tmp_path: Path) -> None:
    talk = f"echo $COLOUR >&2; pwd >&2; {TALK}"
    (tmp_path / "home").mkdir()
    with UciEngine(["sh", "-c", talk], cwd=tmp_path / "home", env={"COLOUR": "green"}, stderr=tmp_path / "stderr"):
        pass
    assert (tmp_path / "stderr").read_text().split() == ["green", str((tmp_path / "home").resolve())]
    (tmp_path / "games.pgn").write_text('[Event "x"]\n\n*\n')
    with pytest.raises(BadFile, match="is not a log, and stderr would be appended to it"):
        UciEngine(["sh", "-c", talk], stderr=tmp_path / "games.pgn")


def test_signals_are_not_lost(engine: UciEngine) -> None:
    seen: list[int] = []
    before: Callable[..., Any] | int | None = signal.signal(signal.SIGINT, lambda number, _: seen.append(number))
    try:
        threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        result = engine.analyse(ENDLESS, time=0.4)
    finally:
        signal.signal(signal.SIGINT, before)
    assert seen == [signal.SIGINT]
    assert result.time >= 0.3
