/** The thread of a dialogue: it takes lines and posts lines. */

import { bindingsIn, loadModule, type Bindings } from "./module.js";
import { port } from "./port.js";

/** A message to the worker: how to begin, then lines. */
export type UciMessage = { module: WebAssembly.Module; game: string } | { line: string };

const { postMessage, listen } = await port<UciMessage, { said: string } | { done: true }>();
let dialogue: Promise<InstanceType<Bindings["Uci"]>> | undefined;

listen(async (message) => {
  if ("module" in message) {
    const { module, game } = message;
    dialogue = loadModule("text", module).then(() => new (bindingsIn("text").Uci)(game, (said: string) => postMessage({ said })));
    return;
  }
  (await dialogue)?.execute(message.line);
  postMessage({ done: true });
});
