/** The modules of WebAssembly: each compiled once, and shared with the workers. */

import type * as text from "./wasm/text.js";
import type { Game, Levels } from "./types.js";

/** What a module exports, each for its own games; `Uci` is in `text` alone. */
export type Bindings = typeof text;

/** The modules of the games. Kalah, which a visitor sees first, has one of its own. */
export const MODULES = ["kalah", "others"] as const;

/** The name of a module; `text` has the line protocol for all games. */
export type ModuleName = (typeof MODULES)[number] | "text";

/** Whether this is Node. */
export const isNode = typeof process !== "undefined" && process.versions?.node !== undefined;

const compiling = new Map<ModuleName, Promise<WebAssembly.Module>>();
const loading = new Map<ModuleName, Promise<void>>();
const loaded = new Map<ModuleName, Bindings>();

/** Returns the name of the module of a game. */
export function moduleOf(game: string): ModuleName {
  return game === "kalah" ? "kalah" : "others";
}

async function compile(name: ModuleName): Promise<WebAssembly.Module> {
  const url = new URL(`./wasm/${name}_bg.wasm`, import.meta.url);
  if (isNode) {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(url));
  }
  return WebAssembly.compileStreaming(fetch(url));
}

/** Returns a compiled module. */
export function compiled(name: ModuleName): Promise<WebAssembly.Module> {
  let module = compiling.get(name);
  if (!module) {
    module = compile(name);
    module.catch(() => compiling.delete(name));
    compiling.set(name, module);
  }
  return module;
}

/** Makes a module ready on this thread; `shared` is the one that another thread has compiled. */
export function loadModule(name: ModuleName, shared?: WebAssembly.Module): Promise<void> {
  if (shared) {
    compiling.set(name, Promise.resolve(shared));
  }
  let ready = loading.get(name);
  if (!ready) {
    ready = (async () => {
      const [module, bindings] = await Promise.all([compiled(name), import(`./wasm/${name}.js`) as Promise<Bindings>]);
      await bindings.default({ module_or_path: module });
      loaded.set(name, bindings);
    })();
    ready.catch(() => loading.delete(name));
    loading.set(name, ready);
  }
  return ready;
}

/** Makes a game ready, or without a name all games. Positions and engines need it. */
export async function load(game?: string): Promise<void> {
  await Promise.all(game === undefined ? MODULES.map((name) => loadModule(name)) : [loadModule(moduleOf(game))]);
}

/** Returns the bindings of a module, which must be loaded. */
export function bindingsIn(name: ModuleName): Bindings {
  const bindings = loaded.get(name);
  if (!bindings) {
    throw new Error(`the module ${name} is not loaded`);
  }
  return bindings;
}

/** Returns the bindings of a game, which must be loaded. */
export function bindingsOf(game: string): Bindings {
  const bindings = loaded.get(moduleOf(game));
  if (!bindings) {
    throw new Error(`the game ${game} is not loaded: await load("${game}") before`);
  }
  return bindings;
}

/** Returns the tables of a module: its games, the levels of an opponent, the version of the engine. */
export function tables(name: ModuleName): { games: Game[]; levels: Levels; version: string } {
  const bindings = bindingsIn(name);
  return { games: JSON.parse(bindings.games()), levels: JSON.parse(bindings.levels()), version: bindings.version() };
}
