/** The thread of a dialogue: it takes lines and posts lines. */

import { loadModule, loadNetworks, type Bindings, type Compiled } from "./module.js";
import { port } from "./port.js";

/** A message to the worker: how to begin, then lines. */
export type UciMessage = { compiled: Compiled; game: string } | { line: string };

const { postMessage, listen } = await port<UciMessage, { said: string } | { done: true }>();
let dialogue: Promise<InstanceType<Bindings["Uci"]>> | undefined;

async function begin(compiled: Compiled, game: string): Promise<InstanceType<Bindings["Uci"]>> {
  const others = await loadModule("others", compiled);
  await loadNetworks(others);
  return new others.bindings.Uci(game, (said: string) => postMessage({ said }));
}

listen(async (message) => {
  if ("compiled" in message) {
    dialogue = begin(message.compiled, message.game);
    return;
  }
  (await dialogue)?.execute(message.line);
  postMessage({ done: true });
});
