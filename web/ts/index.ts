/**
 * Secateurs in JavaScript: positions, searches, exact values.
 *
 * ```js
 * import { Engine, Position, load } from "secateurs";
 * await load("connect4");
 * const position = Position.create({ game: "connect4", moves: ["4", "4", "4"] });
 * const engine = new Engine();
 * const { lines } = await engine.analyse(position, { depth: 12 });
 * console.log(lines[0].san, lines[0].text);
 * engine.close();
 * ```
 */

export { readCatalogue, type Catalogue } from "./catalogue.js";
export { availableThreads, Engine, Stopped, type EngineSettings } from "./engine.js";
export { load } from "./module.js";
export { Position, STARTPOS, type Setup } from "./position.js";
export type * from "./types.js";
