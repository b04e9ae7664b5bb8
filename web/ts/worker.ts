/** The thread of an engine: it searches and posts what it finds. */

import { errorText } from "./dom.js";
import type { Lending } from "./lentWorker.js";
import { bindingsOf, loadModule, loadNetwork, type Bindings, type Compiled } from "./module.js";
import { port, start } from "./port.js";
import { setUp, type Setup } from "./position.js";
import type { Limit } from "./types.js";

/** A message to the worker. */
export type Request =
  | { kind: "load"; compiled: Compiled; game: string; hash: number; threads: number; seed: number }
  | { kind: "begin"; id: number; game: string }
  | { kind: "search" | "solve"; id: number; setup: Required<Setup>; limit: Limit }
  | { kind: "think"; id: number; setup: Required<Setup>; level: number; clock: [number, number] | undefined }
  | { kind: "annotate"; id: number; setup: Required<Setup>; players: [string, string]; limit: Limit }
  | { kind: "hint"; id: number; setup: Required<Setup> };

/** The place of a byte that ends a search when it is 1; it must be 0 when the next one begins. */
export interface StopByte {
  memory: ArrayBufferLike;
  address: number;
}

/** A message from the worker, for the request with the number `id`; the first says how a search is stopped. */
export type Reply =
  | { stop: StopByte }
  | { id: number; info: string }
  | { id: number; result: string }
  | { id: number; error: string };

/** The most threads that a search starts where it does not know the number of cores. */
const MOST = 8;

type RawEngine = InstanceType<Bindings["Engine"]>;

function run(engine: RawEngine, request: Exclude<Request, { kind: "load" }>, found: (info: string) => void): string {
  if (request.kind === "begin") {
    engine.begin(request.game);
    return "null";
  }
  const root = setUp(request.setup);
  try {
    switch (request.kind) {
      case "search":
        return engine.search(root, JSON.stringify(request.limit), found);
      case "solve":
        return engine.solve(root, JSON.stringify(request.limit), found);
      case "think":
        return engine.think(root, request.level, found, request.clock && Float64Array.from(request.clock));
      case "annotate":
        return engine.annotate(root, ...request.players, JSON.stringify(request.limit), found);
      case "hint":
        return engine.hint(root, found);
    }
  } finally {
    root.free();
  }
}

/** Creates the engine with its threads, where they can share its memory. */
async function create({ compiled, game, hash, threads, seed }: Extract<Request, { kind: "load" }>): Promise<RawEngine> {
  const { memory } = await loadModule(compiled.name, compiled, hash);
  const count = compiled.isShared ? Math.min(threads, MOST) - 1 : 0;
  const others = Array.from({ length: count }, () => lend({ compiled, memory }));
  // A thread that cannot be started is not needed.
  const lent = (await Promise.allSettled(others)).filter(({ status }) => status === "fulfilled");
  const engine = new (bindingsOf(game).Engine)(hash, lent.length + 1, seed);
  if (compiled.isShared) {
    postMessage({ stop: { memory: memory.buffer, address: engine.stopAddress() } });
  }
  return engine;
}

/** Starts a thread that helps with searches, and waits until it is ready. It ends with this one. */
function lend(lending: Lending): Promise<true> {
  const url = new URL("./lentWorker.js", import.meta.url);
  return new Promise((resolve, reject) => {
    start<Lending, true>(url, resolve, reject).then((thread) => thread.post(lending), reject);
  });
}

const { postMessage, listen } = await port<Request, Reply>();
let engine: Promise<RawEngine> | undefined;

listen(async (request) => {
  if (request.kind === "load") {
    engine = create(request);
    return;
  }
  const { id } = request;
  try {
    if (!engine) {
      throw new Error("the engine is not loaded");
    }
    const loaded = await engine;
    await loadNetwork(request.kind === "begin" ? request.game : request.setup.game);
    postMessage({ id, result: run(loaded, request, (info) => postMessage({ id, info })) });
  } catch (error) {
    postMessage({ id, error: errorText(error) });
  }
});
