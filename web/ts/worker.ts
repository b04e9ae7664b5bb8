/** The thread of an engine: it searches and posts what it finds. */

import { errorText } from "./dom.js";
import { bindingsOf, loadModule, type Bindings, type ModuleName } from "./module.js";
import { port } from "./port.js";
import { setUp, type Setup } from "./position.js";
import type { Limit } from "./types.js";

/** A message to the worker. */
export type Request =
  | { kind: "load"; name: ModuleName; module: WebAssembly.Module; game: string; hash: number; seed: number }
  | { kind: "begin"; id: number; game: string }
  | { kind: "search" | "solve"; id: number; setup: Required<Setup>; limit: Limit }
  | { kind: "think"; id: number; setup: Required<Setup>; level: number; clock: [number, number] | undefined }
  | { kind: "annotate"; id: number; setup: Required<Setup>; players: [string, string]; limit: Limit }
  | { kind: "hint"; id: number; setup: Required<Setup> };

/** A message from the worker, for the request with the number `id`. */
export type Reply =
  | { id: number; info: string }
  | { id: number; result: string }
  | { id: number; error: string };

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

const { postMessage, listen } = await port<Request, Reply>();
let engine: Promise<RawEngine> | undefined;

listen(async (request) => {
  if (request.kind === "load") {
    const { name, module, game, hash, seed } = request;
    engine = loadModule(name, module).then(() => new (bindingsOf(game).Engine)(hash, seed));
    return;
  }
  const { id } = request;
  try {
    if (!engine) {
      throw new Error("the engine is not loaded");
    }
    const loaded = await engine;
    postMessage({ id, result: run(loaded, request, (info) => postMessage({ id, info })) });
  } catch (error) {
    postMessage({ id, error: errorText(error) });
  }
});
