/** A recorded search, step by step. All values are for the side to move at the root. */

/** One visit of a position. */
export interface Visit {
  /** The number of the visit of the position before; null at the root, which may be searched several times. */
  parent: number | null;
  ply: number;
  /** The move that led here; null at the root. */
  move: string | null;
  turn: 1 | 2;
  kind: "full" | "null" | "reduced" | "singular" | "quiescence";
  /** Whether this is a search again of the move searched just before. */
  again: boolean;
  /** Whether it is on the principal variation. */
  pv: boolean;
  /** The window on entry; null for an infinite end. */
  window: [number | null, number | null];
  value: number | null;
  bound: "exact" | "lower" | "upper" | null;
  end:
    | "over" | "horizon" | "rules" | "database" | "table" | "enhanced" | "pruned" | "cutoff" | "moves" | "stopped";
  /** The move that refutes. */
  by: string | null;
  /** The number of moves, and of those that were looked at; null in the engine's own search. */
  moves: number;
  searched: number | null;
  /** Whether it was tried before moves that precede it: a killer, or the best move in the table. */
  promoted?: boolean;
  /** The number of visits below it, recorded or not. */
  below: number;
}

/** A run of a procedure, or of the engine. */
export interface Run {
  procedure: string;
  about: string;
  source: string;
  value: number | null;
  /** The limit that was reached before there was a value. */
  spent: string | null;
  best: string | null;
  searches: number;
  counts: { nodes: number; terminal: number; hits: number };
  /** The cut-offs that left moves out. */
  prunings: number;
  plies: number;
  steps: Visit[];
}

/** A recorded search of the engine itself. */
export interface Recorded {
  value: number;
  best: string | null;
  nodes: number;
  plies: number;
  steps: Visit[];
}

/**
 * The order of the moves of a tree: as they are typed or generated, by the game's own scores, or by their values: the
 * percentage of the positions whose best move is the first, and the seed that selects these.
 */
export type MoveOrder = "given" | "scored" | { mixed: { best: number; seed: number } };

/** Several procedures on one tree. */
export interface Study {
  turn: 1 | 2;
  /** The fewest terminal positions that any procedure must visit; null if the tree is too large. */
  minimum: number | null;
  runs: Run[];
}

/** A step of a film: a position is entered, or left with its value. */
export interface Frame {
  visit: number;
  kind: "enter" | "leave";
}

/** The move of a side that passes where no rule lets it: a null move. */
export const NULL_MOVE = "0000";

/** A run with what the views need to know of its tree. Searches of captures beyond the horizon belong to their leaf. */
export class Trace {
  readonly visits: Visit[];
  readonly children: number[][];
  /** The steps in their order. */
  readonly frames: Frame[] = [];
  /** Whether the tree is one that was typed: its leaves are values, not ends of a game. */
  readonly isTyped: boolean;
  /** The side at the root takes the largest value. */
  readonly #max: 1 | 2;
  readonly #isHidden: boolean[];

  constructor({ steps }: { steps: Visit[] }, isTyped = false) {
    this.visits = steps;
    this.isTyped = isTyped;
    this.#max = steps[0]?.turn ?? 1;
    this.children = steps.map(() => []);
    steps.forEach(({ parent }, at) => parent !== null && this.children[parent]?.push(at));
    this.#isHidden = steps.map(() => false);
    this.children.forEach((children, at) => {
      const isCaptures = (child: number) => steps[child]?.kind === "quiescence";
      if (this.#isHidden[at] || isCaptures(at) || children.every(isCaptures)) {
        children.forEach((child) => (this.#isHidden[child] = true));
        this.children[at] = [];
      }
    });
    const enter = (visit: number) => {
      this.frames.push({ visit, kind: "enter" });
      this.children[visit]?.forEach(enter);
      this.frames.push({ visit, kind: "leave" });
    };
    steps.forEach(({ parent }, at) => parent === null && enter(at));
  }

  /** Whether a position is part of the search of captures below a leaf. */
  isHidden(visit: number): boolean {
    return this.#isHidden[visit] ?? false;
  }

  /** Whether a position has no moves in this tree. */
  isLeaf(visit: number): boolean {
    const { below = 0, end, moves, searched = null } = this.visits[visit] ?? {};
    return below === 0 && (end === "over" || end === "horizon" || (end === "table" && moves === 0 && searched !== null));
  }

  /** Whether a position is a leaf below which captures were searched. */
  isQuiet(visit: number): boolean {
    const { kind, below = 0, end } = this.visits[visit] ?? {};
    const isBelow = (this.visits[visit + 1]?.parent === visit && this.isHidden(visit + 1)) || kind === "quiescence";
    return below > 0 && isBelow && end !== "stopped";
  }

  /** The visits of the root. */
  get roots(): number[] {
    return this.visits.flatMap(({ parent }, at) => (parent === null ? [at] : []));
  }

  /** Whether a position takes the largest value of its moves, not the smallest. */
  isMax(visit: number): boolean {
    return this.visits[visit]?.turn === this.#max;
  }

  /** The number of moves of a position that a cut-off left out. */
  skipped(visit: number): number {
    const { end, moves = 0, searched = null } = this.visits[visit] ?? {};
    return end === "cutoff" && searched !== null ? moves - searched : 0;
  }

  /** The window of a position when these of its children have been left: it narrows with each. */
  window(visit: number, isLeft: (child: number) => boolean): [number | null, number | null] {
    let [low, high] = this.visits[visit]?.window ?? [null, null];
    for (const child of this.children[visit] ?? []) {
      const value = this.visits[child]?.value ?? null;
      if (value === null || !isLeft(child) || this.visits[child]?.move === NULL_MOVE) {
        continue;
      }
      if (this.isMax(visit)) {
        low = low === null ? value : Math.max(low, value);
      } else {
        high = high === null ? value : Math.min(high, value);
      }
    }
    return [low, high];
  }

  /** The best value of the other moves of a position before a visit; null if there is none. */
  best(visit: number, before: number): number | null {
    const move = this.visits[before]?.move ?? null;
    const values = (this.children[visit] ?? [])
      .filter((child) => child < before && ![move, NULL_MOVE].includes(this.visits[child]?.move ?? null))
      .map((child) => this.visits[child]?.value ?? null)
      .filter((value) => value !== null);
    return values.length === 0 ? null : this.isMax(visit) ? Math.max(...values) : Math.min(...values);
  }

  /** The visits from a position up to the root, itself first. */
  #path(visit: number): number[] {
    const path: number[] = [];
    for (let at: number | null | undefined = visit; typeof at === "number"; at = this.visits[at]?.parent) {
      path.push(at);
    }
    return path;
  }

  /** Whether the other side has this value by another move above a position. */
  isHeld(visit: number, value: number): boolean {
    const path = this.#path(visit);
    return path.slice(1).some((above, at) => this.isMax(above) !== this.isMax(visit) && this.best(above, path[at] ?? 0) === value);
  }

  /** Whether a position is searched with a null window. */
  hasNullWindow(visit: number): boolean {
    return this.#path(visit).some((at) => this.visits[at]?.kind === "null");
  }

  /** Whether a position lies in the search of a move that is searched again. */
  isAgain(visit: number): boolean {
    return this.#path(visit).some((at) => this.visits[at]?.again);
  }

  /** The moves from the root to a position. */
  line(visit: number): string[] {
    const moves: string[] = [];
    for (let at: number | null | undefined = visit; typeof at === "number"; at = this.visits[at]?.parent) {
      const move = this.visits[at]?.move;
      if (move) {
        moves.unshift(move);
      }
    }
    return moves;
  }
}
