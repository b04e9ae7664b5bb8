/** An engine on a thread of its own. */

import { compiled, moduleOf } from "./module.js";
import { start, type Thread } from "./port.js";
import type { Position } from "./position.js";
import type { Analysis, Annotated, Limit, Solution } from "./types.js";
import type { Reply, Request } from "./worker.js";

export interface EngineSettings {
  /** The size of the transposition table, MiB. */
  hash?: number;
  /** The seed of random choices; a new one each time by default. */
  seed?: number;
}

/** The search was stopped before it found anything. */
export class Stopped extends Error {
  constructor() {
    super("the search was stopped before it found a move");
    this.name = "Stopped";
  }
}

interface Task {
  id: number;
  latest: unknown;
  /** Whether the search ends as soon as it has found a move. */
  isEnding: boolean;
  found: (info: unknown) => void;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** A request before it has its number. */
type Unnumbered = Request extends infer R ? (R extends { id: number } ? Omit<R, "id"> : never) : never;

/**
 * Searches one position at a time; a new task stops the one before it. A search that is stopped returns what it has found
 * so far.
 */
export class Engine {
  readonly #hash: number;
  readonly #seed: number;
  #thread: Promise<Thread<Request>> | undefined;
  #task: Task | undefined;
  #count = 0;
  /** The game of the thread. */
  #game: string | undefined;
  /** The game whose books the opponent reads. */
  #opened: string | undefined;

  constructor({ hash = 16, seed = Math.floor(Math.random() * 2 ** 32) }: EngineSettings = {}) {
    this.#hash = hash;
    this.#seed = seed;
  }

  /** Searches within limits; without a limit, until {@link stop}. `found` receives each iteration. */
  analyse(position: Position, limit: Limit = {}, found?: (info: Analysis) => void): Promise<Analysis> {
    return this.#begin({ kind: "search", setup: position.setup, limit }, found);
  }

  /** Finds the exact value of the position and of each of its moves. `found` receives what is known so far. */
  solve(position: Position, limit: Limit = {}, found?: (info: Solution) => void): Promise<Solution> {
    return this.#begin({ kind: "solve", setup: position.setup, limit }, found);
  }

  /**
   * Returns the move of a level, with its evaluation. `clock` has the milliseconds that the side to move has left, and its
   * increment.
   */
  think(position: Position, level: number, found?: (info: Analysis) => void, clock?: [number, number]): Promise<Analysis> {
    return this.#begin({ kind: "think", setup: position.setup, level, clock }, found);
  }

  /** Annotates the game that led to a position, between these players. `found` receives the number of positions searched. */
  annotate(position: Position, players: [string, string], limit: Limit, found?: (count: number) => void): Promise<Annotated> {
    return this.#begin<Annotated, number>({ kind: "annotate", setup: position.setup, players, limit }, found);
  }

  /** Returns a hint, with its evaluation. */
  hint(position: Position, found?: (info: Analysis) => void): Promise<Analysis> {
    return this.#begin({ kind: "hint", setup: position.setup }, found);
  }

  /** Clears the table, and reads the opening books of a game. */
  async newGame(game: string): Promise<void> {
    this.#opened = game;
    await this.#begin({ kind: "begin", game }, undefined);
  }

  /** Whether a search is running. */
  get isBusy(): boolean {
    return this.#task !== undefined;
  }

  /** Stops the search. A thread cannot be interrupted: it ends, and the next search has a new one with an empty table. */
  stop(): void {
    const task = this.#task;
    if (!task) {
      return;
    }
    this.#end();
    if (task.latest === undefined) {
      task.reject(new Stopped());
    } else {
      task.resolve(task.latest);
    }
  }

  /** Ends the search as soon as it has found a move. */
  finish(): void {
    if (this.#task?.latest === undefined) {
      if (this.#task) {
        this.#task.isEnding = true;
      }
    } else {
      this.stop();
    }
  }

  /** Ends the thread. */
  close(): void {
    this.stop();
    this.#end();
  }

  #end(): void {
    this.#task = undefined;
    this.#drop();
  }

  #drop(): void {
    void this.#thread?.then((thread) => thread.end());
    this.#thread = undefined;
  }

  async #start(game: string): Promise<Thread<Request>> {
    const name = moduleOf(game);
    const module = await compiled(name);
    const ready = await start<Request, Reply>(
      new URL("./worker.js", import.meta.url),
      (reply) => this.#receive(reply),
      (error) => {
        const task = this.#task;
        this.#end();
        task?.reject(error);
      },
    );
    ready.post({ kind: "load", name, module, game, hash: this.#hash, seed: this.#seed });
    if (this.#opened !== undefined && moduleOf(this.#opened) === name) {
      ready.post({ kind: "begin", id: 0, game: this.#opened });
    }
    return ready;
  }

  #begin<T, I = T>(request: Unnumbered, found: ((info: I) => void) | undefined): Promise<T> {
    this.stop();
    const id = ++this.#count;
    return new Promise<T>((resolve, reject) => {
      this.#task = {
        id,
        latest: undefined,
        isEnding: false,
        found: (info) => found?.(info as I),
        resolve: (result) => resolve(result as T),
        reject,
      };
      const game = request.kind === "begin" ? request.game : request.setup.game;
      if (this.#game === undefined || moduleOf(this.#game) !== moduleOf(game)) {
        this.#drop();
      }
      this.#game = game;
      this.#thread ??= this.#start(game);
      this.#thread.then((thread) => {
        if (this.#task?.id === id) {
          thread.hold(true);
          thread.post({ ...request, id } as Request);
        }
      }, reject);
    });
  }

  #receive(reply: Reply): void {
    const task = this.#task;
    if (task?.id !== reply.id) {
      return;
    }
    if ("info" in reply) {
      task.latest = JSON.parse(reply.info);
      task.found(task.latest);
      if (task.isEnding) {
        this.stop();
      }
      return;
    }
    this.#task = undefined;
    void this.#thread?.then((thread) => thread.hold(false));
    if ("error" in reply) {
      task.reject(new Error(reply.error));
    } else {
      task.resolve(JSON.parse(reply.result));
    }
  }
}
