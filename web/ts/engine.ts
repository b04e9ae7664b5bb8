/** An engine on a thread of its own. */

import { compiled, mayShare, moduleOf } from "./module.js";
import { start, type Thread } from "./port.js";
import type { Position } from "./position.js";
import type { Analysis, Annotated, Limit, Solution } from "./types.js";
import type { Reply, Request, StopByte } from "./worker.js";

export interface EngineSettings {
  /** The size of the transposition table, MiB. */
  hash?: number;
  /** The threads of a search, 1 to 8, by default 1; one where they cannot share memory: see {@link availableThreads}. */
  threads?: number;
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

/** The threads of a search on the page: more leave too little for the rest of the device. */
const MOST = 4;

/** How long a search may take to end when it is stopped, milliseconds. After that its thread is ended. */
const PATIENCE = 1000;

/** Returns a number of threads for a search: one fewer than the device has, at most 4; 1 where they cannot share memory. */
export function availableThreads(): number {
  const cores = globalThis.navigator?.hardwareConcurrency ?? 1;
  return mayShare ? Math.min(Math.max(cores - 1, 1), MOST) : 1;
}

interface Task {
  id: number;
  kind: Request["kind"];
  latest: unknown;
  /** Whether the thread has the task. */
  isPosted: boolean;
  /** Whether the search ends as soon as it has found a move. */
  isEnding: boolean;
  found: (info: unknown) => void;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** A thread, and how its search is stopped, if it shares its memory and is ready. */
interface Running {
  thread: Thread<Request>;
  stop?: StopByte;
}

/** A search that has been stopped and has not ended. */
interface Ending {
  id: number;
  timer: ReturnType<typeof setTimeout>;
  ended: Promise<void>;
  resolve: () => void;
}

/** A request before it has its number. */
type Unnumbered = Request extends infer R ? (R extends { id: number } ? Omit<R, "id"> : never) : never;

/**
 * Searches one position at a time; a new task stops the one before it. A search that is stopped returns what it has found
 * so far.
 */
export class Engine {
  readonly #hash: number;
  readonly #threads: number;
  readonly #seed: number;
  #starting: Promise<Running> | undefined;
  /** The thread once it runs. */
  #running: Running | undefined;
  #ending: Ending | undefined;
  #task: Task | undefined;
  #count = 0;
  /** The game of the thread. */
  #game: string | undefined;
  /** The game whose books the opponent reads. */
  #opened: string | undefined;

  constructor({ hash = 16, threads = 1, seed = Math.floor(Math.random() * 2 ** 32) }: EngineSettings = {}) {
    this.#hash = hash;
    this.#threads = threads;
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

  /**
   * Stops the search, which returns what it has found. Where memory is shared, its thread stays with its table; elsewhere a
   * thread cannot be interrupted: it ends, and the next search has a new one with an empty table.
   */
  stop(): void {
    const task = this.#task;
    if (!task) {
      return;
    }
    this.#task = undefined;
    if (task.isPosted) {
      this.#interrupt(task.id);
    } else if (task.kind === "begin") {
      // The next thread begins the game.
      this.#drop();
    }
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
    this.#drop();
  }

  /** Ends the search of a task; without shared memory, the thread with it. */
  #interrupt(id: number): void {
    const byte = this.#running?.stop;
    if (!byte) {
      this.#drop();
      return;
    }
    let resolve = () => {};
    const ended = new Promise<void>((done) => {
      resolve = done;
    });
    this.#ending = { id, ended, resolve, timer: setTimeout(() => this.#drop(), PATIENCE) };
    write(byte, 1);
  }

  /** Notes that the stopped search has ended. */
  #ended(): void {
    const ending = this.#ending;
    if (ending) {
      clearTimeout(ending.timer);
      this.#ending = undefined;
      ending.resolve();
    }
  }

  #drop(): void {
    void this.#starting?.then(({ thread }) => thread.end(), () => {});
    this.#starting = undefined;
    this.#running = undefined;
    this.#ended();
  }

  /** Ends the thread, and with an error the task. */
  #fail(task: Task | undefined, error: Error): void {
    if (this.#task === task) {
      this.#task = undefined;
      this.#drop();
    }
    task?.reject(error);
  }

  async #start(game: string): Promise<Running> {
    const name = moduleOf(game);
    const module = await compiled(name);
    const running: Partial<Running> = {};
    const thread = await start<Request, Reply>(
      new URL("./worker.js", import.meta.url),
      (reply) => this.#receive(running, reply),
      (error) => {
        if (this.#running === running) {
          this.#fail(this.#task, error);
        }
      },
    );
    running.thread = thread;
    thread.post({ kind: "load", compiled: module, game, hash: this.#hash, threads: this.#threads, seed: this.#seed });
    if (this.#opened !== undefined && moduleOf(this.#opened) === name) {
      thread.post({ kind: "begin", id: 0, game: this.#opened });
    }
    return running as Running;
  }

  #begin<T, I = T>(request: Unnumbered, found: ((info: I) => void) | undefined): Promise<T> {
    this.stop();
    return new Promise<T>((resolve, reject) => {
      const task: Task = {
        id: ++this.#count,
        kind: request.kind,
        latest: undefined,
        isPosted: false,
        isEnding: false,
        found: (info) => found?.(info as I),
        resolve: (result) => resolve(result as T),
        reject,
      };
      this.#task = task;
      this.#post(task, request).catch((error) => this.#fail(task, error));
    });
  }

  /** Gives a task to the thread, unless it is stopped before. */
  async #post(task: Task, request: Unnumbered): Promise<void> {
    await this.#ending?.ended;
    if (this.#task !== task) {
      return;
    }
    const game = request.kind === "begin" ? request.game : request.setup.game;
    if (this.#game === undefined || moduleOf(this.#game) !== moduleOf(game)) {
      this.#drop();
    }
    this.#game = game;
    const running = await (this.#starting ??= this.#start(game));
    if (this.#task !== task) {
      return;
    }
    this.#running = running;
    task.isPosted = true;
    running.thread.hold(true);
    running.thread.post({ ...request, id: task.id } as Request);
  }

  #receive(running: Partial<Running>, reply: Reply): void {
    if ("stop" in reply) {
      running.stop = reply.stop;
      return;
    }
    const { id } = reply;
    if (id === this.#ending?.id && running === this.#running && !("info" in reply)) {
      if (running.stop) {
        write(running.stop, 0);
      }
      running.thread?.hold(false);
      this.#ended();
      return;
    }
    const task = this.#task;
    if (task?.id !== id) {
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
    running.thread?.hold(false);
    if ("error" in reply) {
      task.reject(new Error(reply.error));
    } else {
      task.resolve(JSON.parse(reply.result));
    }
  }
}

/** Writes the byte that stops a search. */
function write({ memory, address }: StopByte, value: 0 | 1): void {
  Atomics.store(new Uint8Array(memory), address, value);
}
