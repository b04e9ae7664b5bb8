/** A recorded search, step by step. */

/** Why the search of a node ended; a move is the one that refutes. */
export type End =
  | "over" | "horizon" | "rules" | "database" | "table" | "pruned" | "moves" | "stopped"
  | { enhanced: string }
  | { cutoff: string };

/** One visit of a position. All values are for the side to move at the root. */
export interface TraceNode {
  /** The move that led to it; null at the root. */
  mv: string | null;
  turn: "First" | "Second";
  ply: number;
  /** The remaining depth, plies. */
  depth: number;
  kind: "full" | "null" | "reduced" | "quiescence";
  /** Whether this is a re-search of the move searched just before. */
  again: boolean;
  pv: boolean;
  window: [number, number];
  provisional: number;
  value: number | null;
  end: End;
  /** The number of nodes entered below it. */
  below: number;
  /** The number of recorded nodes below it, which follow it. */
  recorded: number;
  /** The number of moves that were not looked at. */
  skipped?: number;
}

/** The last iteration of a search. */
export interface Trace {
  turn: "First" | "Second";
  depth: number;
  plies: number;
  entered: number;
  nodes: TraceNode[];
}

/** A step: a node is entered, or left with its value. */
export interface Step {
  node: number;
  kind: "enter" | "leave";
}

/** The end of the scale of scores: nothing is known. */
export const INFINITE = 32_001;

/** Returns the steps of a search in their order. */
export function steps(trace: Trace): Step[] {
  const found: Step[] = [];
  const open: number[] = [];
  const leave = (until: number) => {
    for (let last = open.at(-1); last !== undefined && ends(trace, last) <= until; last = open.at(-1)) {
      found.push({ node: last, kind: "leave" });
      open.pop();
    }
  };
  trace.nodes.forEach((_, node) => {
    leave(node);
    found.push({ node, kind: "enter" });
    open.push(node);
  });
  leave(Infinity);
  return found;
}

function ends(trace: Trace, node: number): number {
  return node + 1 + (trace.nodes[node]?.recorded ?? 0);
}

/** Returns the numbers of the children of a node. */
export function children(trace: Trace, node: number): number[] {
  const found: number[] = [];
  for (let child = node + 1; child < ends(trace, node); child = ends(trace, child)) {
    found.push(child);
  }
  return found;
}

/** Returns the number of the parent of each node; -1 for a root. */
export function parents(trace: Trace): number[] {
  const found: number[] = [];
  const path: number[] = [];
  trace.nodes.forEach(({ ply }, node) => {
    path.length = ply;
    found.push(path[ply - 1] ?? -1);
    path.push(node);
  });
  return found;
}

/** Whether a node takes the largest value of its moves, not the smallest. */
export function isMax(trace: Trace, node: TraceNode): boolean {
  return node.turn === trace.turn;
}

/** Returns the window of a node after so many of its children: it narrows with each. */
export function windowAfter(trace: Trace, node: number, isLeft: (child: number) => boolean): [number, number] {
  const entry = trace.nodes[node];
  if (!entry) {
    return [-INFINITE, INFINITE];
  }
  let [low, high] = entry.window;
  for (const child of children(trace, node)) {
    const value = trace.nodes[child]?.value;
    if (value === null || value === undefined || !isLeft(child)) {
      continue;
    }
    if (isMax(trace, entry)) {
      low = Math.max(low, value);
    } else {
      high = Math.min(high, value);
    }
  }
  return [low, high];
}
