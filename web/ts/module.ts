/** The WebAssembly module: compiled once, and shared with the workers. */

import init, * as bindings from "./wasm/secateurs_web.js";
import type { Game } from "./types.js";

let module: Promise<WebAssembly.Module> | undefined;
let ready: Promise<void> | undefined;

/** Whether this is Node. */
export const isNode = typeof process !== "undefined" && process.versions?.node !== undefined;

async function compile(): Promise<WebAssembly.Module> {
  const url = new URL("./wasm/secateurs_web_bg.wasm", import.meta.url);
  if (isNode) {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(url));
  }
  return WebAssembly.compileStreaming(fetch(url));
}

/** Returns the compiled module. */
export function compiled(): Promise<WebAssembly.Module> {
  return (module ??= compile());
}

/** Makes the engine ready on this thread; `shared` is the module of another one. */
export function load(shared?: WebAssembly.Module): Promise<void> {
  if (shared) {
    module = Promise.resolve(shared);
  }
  return (ready ??= compiled().then(async (module) => {
    await init({ module_or_path: module });
  }));
}

/** Returns the games of the engine; call {@link load} before. */
export function games(): Game[] {
  return JSON.parse(bindings.games());
}

/** Returns the levels of an opponent: the description of each, from level 1 on, and the number of the usual one. */
export function levels(): { default: number; levels: string[] } {
  return JSON.parse(bindings.levels());
}

/** Returns the version of the engine. */
export function version(): string {
  return bindings.version();
}

export { bindings };
