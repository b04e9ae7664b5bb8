// The package in Node: `node --test web/tests/`, after `make web`.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { Engine, Position, Stopped, load, readCatalogue } from "../../target/web/index.js";
import { uci } from "../../target/web/uci.js";

test("a game must be loaded before its positions", async () => {
  assert.throws(() => Position.create({ game: "chess" }), /await load\("chess"\)/);
  await load("chess");
  assert.equal(Position.create({ game: "chess" }).legalMoves.length, 20);
});

test("every game of the catalogue has a start, a drawing and a search", async () => {
  await load();
  const { games, levels, version } = await readCatalogue();
  assert.equal(levels.levels.length, 10);
  assert.match(version, /^\d+\.\d+\.\d+$/);
  const engine = new Engine({ seed: 1 });
  for (const { name } of games) {
    const position = Position.create({ game: name });
    assert.match(position.svg(), /^<svg /);
    const { lines } = await engine.analyse(position, { depth: 2 });
    assert.ok(position.legalMoves.some(({ move }) => move === lines[0].pv[0]), name);
  }
  engine.close();
});

test("positions do not change", async () => {
  await load("chess");
  const start = Position.create({ game: "chess" });
  const after = start.play("e4").play("e7e5");
  assert.deepEqual(after.state.history, ["e2e4", "e7e5"]);
  assert.deepEqual(after.state.san, ["e4", "e5"]);
  assert.equal(start.state.history.length, 0);
  assert.equal(after.at(1).turn, 2);
  assert.throws(() => start.play("e5"), /illegal move "e5"/);
  assert.deepEqual(Position.create(after.setup).text, after.text);
});

test("a game is written as PGN and read back", async () => {
  await load();
  for (const [game, moves] of [["chess", ["e4", "c5"]], ["othello", ["d3"]], ["checkers", ["11-15"]]]) {
    const played = Position.create({ game, moves });
    const read = Position.fromPgn(played.pgn(["A", "B"], "2026.01.31"), game);
    assert.deepEqual(read.state.history, played.state.history);
  }
});

test("a search has the nodes of the native program", async () => {
  // secateurs analyse --game connect4 --depth 12 --json startpos
  await load("connect4");
  const engine = new Engine({ hash: 64, seed: 1 });
  const { nodes, lines } = await engine.analyse(Position.create({ game: "connect4" }), { depth: 12 });
  assert.equal(nodes, 78148);
  assert.equal(lines[0].pv[0], "4");
  engine.close();
});

test("a search stops at once with what it has found", async () => {
  await load("chess");
  const engine = new Engine({ seed: 1 });
  const position = Position.create({ game: "chess" });
  let stopped = 0;
  const stop = () => {
    stopped = performance.now();
    engine.stop();
  };
  let timer;
  const { lines } = await engine.analyse(position, {}, () => (timer ??= setTimeout(stop, 200)));
  assert.ok(performance.now() - stopped < 50);
  assert.equal(lines[0].bound, "exact");
  const waiting = engine.analyse(position);
  engine.stop();
  await assert.rejects(waiting, Stopped);
  // The next search has a thread again, also of another game.
  await load("kalah");
  const next = await engine.think(Position.create({ game: "kalah" }), 5);
  assert.ok(next.lines[0].pv.length > 0);
  engine.close();
});

const hasThreads = existsSync(new URL("../../target/web/wasm/threads/", import.meta.url));

test("threads search together, and a search that is stopped leaves its table", { skip: !hasThreads }, async () => {
  await load("connect4");
  const engine = new Engine({ hash: 16, threads: 2, seed: 1 });
  const position = Position.create({ game: "connect4" });
  const { nodes } = await engine.analyse(position, { depth: 14 });
  for (let round = 0; round < 3; round++) {
    let timer;
    await engine.analyse(position, {}, () => (timer ??= setTimeout(() => engine.stop(), 100)));
  }
  assert.ok((await engine.analyse(position, { depth: 14 })).nodes < nodes);
  const { solved } = await engine.solve(position, { movetime: 60_000 });
  assert.ok(solved);
  engine.close();
});

test("exact values are those of the literature", async () => {
  // Pons: the first player wins in the centre column with the 41st stone; the book has the first plies.
  await load("connect4");
  const engine = new Engine({ hash: 64, seed: 1 });
  const { moves, solved } = await engine.solve(Position.create({ game: "connect4" }), { movetime: 60_000 });
  assert.ok(solved);
  assert.deepEqual(moves.map(({ san, bounds }) => [san, bounds[0]]).sort(), [
    ["1", -2], ["2", -1], ["3", 0], ["4", 1], ["5", 0], ["6", -1], ["7", -2],
  ]);
  engine.close();
});

test("a bad request is an error of its search", async () => {
  await load("chess");
  const engine = new Engine({ seed: 1 });
  const position = Position.create({ game: "chess" });
  await assert.rejects(engine.think(position, 11), /level is 1 to 10, not 11/);
  await assert.rejects(engine.analyse(position, { searchmoves: ["e2e5"], depth: 1 }), /illegal move "e2e5"/);
  await assert.rejects(engine.analyse(position, { dept: 3 }), /dept/);
  const { depth } = await engine.analyse(position, { depth: 3 });
  assert.equal(depth, 3);
  engine.close();
});

/** Collects what an engine says; `until` waits for a line. */
function listener() {
  const lines = [];
  let wake = () => {};
  return {
    lines,
    say(line) {
      lines.push(line);
      wake();
    },
    async until(pattern, from = 0) {
      for (;;) {
        const found = lines.slice(from).find((line) => pattern.test(line));
        if (found !== undefined) {
          return found;
        }
        await new Promise((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

test("the engine speaks UCI", async () => {
  const heard = listener();
  const engine = await uci("chess", heard.say);
  engine.send("uci");
  await heard.until(/^uciok$/);
  engine.send("isready");
  await heard.until(/^readyok$/);
  engine.send("position startpos moves e2e4 e7e5");
  engine.send("go depth 8");
  const best = await heard.until(/^bestmove/);
  assert.match(best, /^bestmove [a-h][1-8][a-h][1-8]/);
  assert.ok(heard.lines.some((line) => /^info depth 8 .* pv /.test(line)));
  engine.send("go depth 1 nonsense");
  await heard.until(/nonsense/);
  engine.close();
});

test("a search without a limit is stopped, and the position stays", async () => {
  const heard = listener();
  const engine = await uci("chess", heard.say);
  engine.send("uci");
  engine.send("setoption name Hash value 8");
  engine.send("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
  engine.send("go infinite");
  await heard.until(/ pv a1a8/);
  const before = performance.now();
  engine.send("stop");
  assert.equal(await heard.until(/^bestmove/), "bestmove a1a8");
  assert.ok(performance.now() - before < 50);
  const from = heard.lines.length;
  engine.send("go depth 3");
  assert.equal(await heard.until(/^bestmove/, from), "bestmove a1a8");
  assert.equal(heard.lines.slice(from).filter((line) => line === "uciok").length, 0);
  engine.send("d");
  await heard.until(/6k1\/5ppp/, from);
  engine.close();
});
