/** The modules of WebAssembly: each compiled once, and shared with the workers. */

import { readCatalogue } from "./catalogue.js";
import type * as others from "./wasm/others.js";
import type { Game, Levels } from "./types.js";

/** What a module exports, each for its own games; `Uci` is in `others` alone. */
export type Bindings = typeof others;

/** What the build for threads exports in addition. */
export interface ThreadBindings extends Bindings {
  /** Lends this thread to the searches of its memory; does not return. */
  lend(ready: () => void): void;
}

/** A compiled module. */
export interface Compiled {
  name: ModuleName;
  module: WebAssembly.Module;
  /** Whether it is the build for threads, which share its memory. */
  isShared: boolean;
}

/** A module with its memory. */
interface Loaded {
  bindings: Bindings;
  memory: WebAssembly.Memory;
}

/** The modules of the games. Kalah, which a visitor sees first, has one of its own; the other one has it for `Uci`. */
export const MODULES = ["kalah", "others"] as const;

/** The name of a module. */
export type ModuleName = (typeof MODULES)[number];

/** Whether this is Node. */
export const isNode = typeof process !== "undefined" && process.versions?.node !== undefined;

/** The size of a shared memory at first, and what it may have beside a table, in pages of 64 KiB. */
const PAGES = { initial: 256, maximum: 4096 };

/** The largest memory, in pages, as the Makefile has it. */
const MOST = 65536;

/** Whether threads may share memory here. */
export const mayShare = isNode || globalThis.crossOriginIsolated;

const compiling = new Map<string, Promise<Compiled>>();
const loading = new Map<ModuleName, Promise<Loaded>>();
const loaded = new Map<ModuleName, Loaded>();

/** Returns what is kept for a key, or makes it; what fails is made again. */
function once<Key, Value>(kept: Map<Key, Promise<Value>>, key: Key, make: () => Promise<Value>): Promise<Value> {
  let value = kept.get(key);
  if (!value) {
    value = make();
    value.catch(() => kept.delete(key));
    kept.set(key, value);
  }
  return value;
}

/** Returns the name of the module of a game. */
export function moduleOf(game: string): ModuleName {
  return game === "kalah" ? "kalah" : "others";
}

/** Returns the place of a module without the end of its name. */
function place(name: ModuleName, isShared: boolean): string {
  return `./wasm/${isShared ? "threads/" : ""}${name}`;
}

/** Whether the build for threads is there. */
async function hasThreads(): Promise<boolean> {
  if (isNode) {
    const { existsSync } = await import("node:fs");
    return existsSync(new URL("./wasm/threads/", import.meta.url));
  }
  return (await readCatalogue()).threads;
}

async function readInNode(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const { readFile } = await import("node:fs/promises");
  return readFile(url);
}

async function compileBuild(name: ModuleName, isShared: boolean): Promise<Compiled> {
  const url = new URL(`${place(name, isShared)}_bg.wasm`, import.meta.url);
  const module = isNode ? await WebAssembly.compile(await readInNode(url)) : await WebAssembly.compileStreaming(fetch(url));
  return { name, module, isShared };
}

async function compile(name: ModuleName, mayShareMemory: boolean): Promise<Compiled> {
  const isShared = mayShareMemory && (await hasThreads());
  // Without a network the other build may be there.
  return isShared ? compileBuild(name, true).catch(() => compileBuild(name, false)) : compileBuild(name, false);
}

/** Returns a compiled module. */
export function compiled(name: ModuleName, mayShareMemory = mayShare): Promise<Compiled> {
  return once(compiling, `${name} ${mayShareMemory}`, () => compile(name, mayShareMemory));
}

/**
 * Makes a module ready on this thread. `given` is the one that another thread has compiled; `memory` is what they share, or
 * the size in MiB of a table that a new one has room for.
 */
export function loadModule(name: ModuleName, given?: Compiled, memory: WebAssembly.Memory | number = 0): Promise<Loaded> {
  return once(loading, name, async () => instantiate(given ?? (await compiled(name)), memory));
}

/** Returns a new memory with room for a table of a size in MiB, within what the modules declare. */
function sharedMemory(table: number): WebAssembly.Memory {
  const maximum = Math.min(PAGES.maximum + 16 * table, MOST);
  return new WebAssembly.Memory({ initial: PAGES.initial, maximum, shared: true });
}

async function instantiate({ name, module, isShared }: Compiled, room: WebAssembly.Memory | number): Promise<Loaded> {
  const bindings: Bindings = await import(`${place(name, isShared)}.js`);
  const options: { module_or_path: WebAssembly.Module; memory?: WebAssembly.Memory } = { module_or_path: module };
  if (isShared) {
    options.memory = typeof room === "number" ? sharedMemory(room) : room;
  }
  const { memory } = await bindings.default(options);
  const ready = { bindings, memory };
  loaded.set(name, ready);
  return ready;
}

const networks = new Map<string, Promise<void>>();

async function readNetwork(game: string, bindings: Bindings): Promise<void> {
  const url = new URL(`./${game}.net`, import.meta.url);
  let bytes;
  if (isNode) {
    bytes = await readInNode(url);
  } else {
    const answer = await fetch(url);
    if (!answer.ok) {
      throw new Error(`${url.pathname}: ${answer.status}`);
    }
    bytes = new Uint8Array(await answer.arrayBuffer());
  }
  bindings.loadNetwork(game, bytes);
}

/** Loads the network of a game that has one, once its module is loaded on this thread. */
export async function loadNetwork(game: string): Promise<void> {
  const bindings = bindingsOf(game);
  if (bindings.networks().includes(game)) {
    await once(networks, game, () => readNetwork(game, bindings));
  }
}

/** Loads the networks of all games of a module, which is loaded on this thread. */
export async function loadNetworks({ bindings }: Loaded): Promise<void> {
  await Promise.all(bindings.networks().map(loadNetwork));
}

/** Makes a game ready, or without a name all games. Positions and engines need it. */
export async function load(game?: string): Promise<void> {
  if (game === undefined) {
    await Promise.all(MODULES.map((name) => loadModule(name).then(loadNetworks)));
  } else {
    await loadModule(moduleOf(game));
    await loadNetwork(game);
  }
}

/** Returns the bindings of a module, which must be loaded. */
export function bindingsIn(name: ModuleName): Bindings {
  const ready = loaded.get(name);
  if (!ready) {
    throw new Error(`the module ${name} is not loaded`);
  }
  return ready.bindings;
}

/** Returns the bindings of a game, which must be loaded. */
export function bindingsOf(game: string): Bindings {
  const ready = loaded.get(moduleOf(game));
  if (!ready) {
    throw new Error(`the game ${game} is not loaded: await load("${game}") before`);
  }
  return ready.bindings;
}

/** Returns the tables of a module: the games that it is loaded for, the levels of an opponent, the version of the engine. */
export function tables(name: ModuleName): { games: Game[]; levels: Levels; version: string } {
  const bindings = bindingsIn(name);
  const games: Game[] = JSON.parse(bindings.games());
  return {
    games: games.filter((game) => moduleOf(game.name) === name),
    levels: JSON.parse(bindings.levels()),
    version: bindings.version(),
  };
}
