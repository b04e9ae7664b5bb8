/**
 * The engine as text, for pages and programs that speak UCI:
 *
 * ```js
 * import { uci } from "secateurs/uci";
 * const engine = await uci("chess", (line) => console.log(line));
 * engine.send("uci");
 * engine.send("position startpos moves e2e4");
 * engine.send("go movetime 1000");
 * ```
 */

import { compiled } from "./module.js";
import { start, type Thread } from "./port.js";
import type { UciMessage } from "./uciWorker.js";

/** The commands that a new thread needs to go on where the last one was stopped. */
const KEPT = /^\s*(uci|ugi|setoption|ucinewgame|uginewgame|position|debug)\b/;

/** An engine that takes lines. */
export interface UciEngine {
  /** Sends a line. */
  send(line: string): void;
  /** Ends the thread. */
  close(): void;
}

/** Starts an engine for a game. `say` receives its lines. */
export async function uci(game: string, say: (line: string) => void): Promise<UciEngine> {
  const engine = new Dialogue(game, say);
  await engine.begin();
  return engine;
}

class Dialogue implements UciEngine {
  readonly #game: string;
  readonly #say: (line: string) => void;
  #thread: Thread<UciMessage> | undefined;
  /** What has been sent, as far as a new thread needs it. */
  readonly #kept: string[] = [];
  /** The lines that the thread has not answered yet. */
  #open: string[] = [];
  /** The lines of answers to repeated commands that are not passed on. */
  #muted = 0;
  /** The best move so far of the running search. */
  #best: string | undefined;
  #isClosed = false;

  constructor(game: string, say: (line: string) => void) {
    this.#game = game;
    this.#say = say;
  }

  async begin(): Promise<void> {
    // A new thread goes on after a search that is stopped: it needs no shared memory.
    const module = await compiled("others", false);
    const url = new URL("./uciWorker.js", import.meta.url);
    const thread = await start<UciMessage, { said: string } | { done: true }>(
      url,
      (message) => thread === this.#thread && this.#receive(message),
      (error) => this.#say(`info string ${error.message}`),
    );
    if (this.#isClosed) {
      thread.end();
      return;
    }
    this.#thread = thread;
    thread.post({ compiled: module, game: this.#game });
    this.#muted = this.#kept.length;
    for (const line of [...this.#kept, ...this.#open]) {
      thread.post({ line });
    }
    thread.hold(this.#muted + this.#open.length > 0);
  }

  send(line: string): void {
    const word = line.trim().split(/\s+/)[0];
    if (word === "quit") {
      this.close();
    } else if (word === "stop") {
      this.#stop();
    } else if (!this.#isClosed) {
      this.#open.push(line);
      this.#thread?.hold(true);
      this.#thread?.post({ line });
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#thread?.end();
    this.#thread = undefined;
  }

  /** Ends a search. Its thread cannot be interrupted: it ends, and a new one goes on with the options and the position. */
  #stop(): void {
    const [running, ...waiting] = this.#open;
    if (this.#muted > 0 || !running?.trim().startsWith("go") || !this.#thread) {
      return;
    }
    this.#thread.end();
    this.#thread = undefined;
    this.#open = waiting;
    this.#say(`bestmove ${this.#best ?? "(none)"}`);
    this.#best = undefined;
    void this.begin();
  }

  #receive(message: { said: string } | { done: true }): void {
    if ("said" in message) {
      if (this.#muted === 0) {
        this.#best = / pv (\S+)/.exec(message.said)?.[1] ?? this.#best;
        this.#say(message.said);
      }
    } else if (this.#muted > 0) {
      this.#muted--;
    } else {
      const line = this.#open.shift();
      if (line !== undefined && KEPT.test(line)) {
        this.#keep(line);
      }
      this.#best = undefined;
      this.#thread?.hold(this.#open.length > 0);
    }
  }

  /** Keeps a command, which may replace an earlier one. */
  #keep(line: string): void {
    const key = (text: string) => /^\s*(setoption\s+name\s+.*?)(\s+value\b|$)/.exec(text)?.[1] ?? text.trim().split(/\s+/)[0];
    const at = this.#kept.findIndex((kept) => key(kept) === key(line));
    if (at >= 0) {
      this.#kept.splice(at, 1);
    }
    this.#kept.push(line);
  }
}
