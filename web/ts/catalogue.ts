/** The table of the games, which does not need their modules. */

import { isNode } from "./module.js";
import type { Game, Levels } from "./types.js";

export interface Catalogue {
  /** The version of the engine. */
  version: string;
  levels: Levels;
  games: Game[];
  /** Whether the build for threads is there. */
  threads: boolean;
}

let catalogue: Promise<Catalogue> | undefined;

async function read(): Promise<Catalogue> {
  const url = new URL("./catalogue.json", import.meta.url);
  if (isNode) {
    const { readFile } = await import("node:fs/promises");
    return JSON.parse(await readFile(url, "utf8"));
  }
  return (await fetch(url)).json();
}

/** Returns the games with their options, the levels of an opponent, and the version of the engine. */
export function readCatalogue(): Promise<Catalogue> {
  return (catalogue ??= read());
}
