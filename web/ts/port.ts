/** The messages of a worker, in a browser and in Node. */

import { isNode } from "./module.js";

export interface Port<In, Out> {
  postMessage(message: Out): void;
  listen(receive: (message: In) => void): void;
}

/** A thread as its owner sees it. */
export interface Thread<In> {
  post(message: In): void;
  /** Whether Node waits for the thread before it ends. */
  hold(isBusy: boolean): void;
  end(): void;
}

/** Returns the messages of this worker. */
export async function port<In, Out>(): Promise<Port<In, Out>> {
  if (isNode) {
    const { parentPort } = await import("node:worker_threads");
    return {
      postMessage: (message) => parentPort?.postMessage(message),
      listen: (receive) => parentPort?.on("message", receive),
    };
  }
  return {
    postMessage: (message) => self.postMessage(message),
    listen: (receive) => self.addEventListener("message", (event) => receive(event.data)),
  };
}

/** Starts a worker. */
export async function start<In, Out>(
  url: URL,
  receive: (message: Out) => void,
  fail: (error: Error) => void,
): Promise<Thread<In>> {
  if (isNode) {
    const { Worker } = await import("node:worker_threads");
    const worker = new Worker(url);
    worker.on("message", receive);
    worker.on("error", (error) => fail(error instanceof Error ? error : new Error(String(error))));
    worker.unref();
    return {
      post: (message) => worker.postMessage(message),
      hold: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
      end: () => void worker.terminate(),
    };
  }
  const worker = new Worker(url, { type: "module" });
  worker.addEventListener("message", (event) => receive(event.data));
  worker.addEventListener("error", (event) => fail(new Error(event.message || "the engine could not be loaded")));
  return { post: (message) => worker.postMessage(message), hold: () => {}, end: () => worker.terminate() };
}
