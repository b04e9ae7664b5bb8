/** The thread of a dialogue: it takes lines and posts lines. */

import { bindingsIn, loadModule, type Bindings, type Compiled } from "./module.js";
import { port } from "./port.js";

/** A message to the worker: how to begin, then lines. */
export type UciMessage = { compiled: Compiled; game: string } | { line: string };

const { postMessage, listen } = await port<UciMessage, { said: string } | { done: true }>();
let dialogue: Promise<InstanceType<Bindings["Uci"]>> | undefined;

listen(async (message) => {
  if ("compiled" in message) {
    const { compiled, game } = message;
    dialogue = loadModule("text", compiled).then(() => new (bindingsIn("text").Uci)(game, (said: string) => postMessage({ said })));
    return;
  }
  (await dialogue)?.execute(message.line);
  postMessage({ done: true });
});
