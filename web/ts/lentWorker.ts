/** A thread that helps with the searches of an engine. */

import { loadModule, type Compiled, type ThreadBindings } from "./module.js";
import { port } from "./port.js";

/** The message to the worker: a module, and the memory of the engine. */
export interface Lending {
  compiled: Compiled;
  memory: WebAssembly.Memory;
}

const { postMessage, listen } = await port<Lending, true>();

listen(async ({ compiled, memory }) => {
  const { bindings } = await loadModule(compiled.name, compiled, memory);
  (bindings as ThreadBindings).lend(() => postMessage(true));
});
