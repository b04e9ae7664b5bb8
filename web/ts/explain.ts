/** Steps of a search in words. */

import { NULL_MOVE, type Frame, type Trace, type Visit } from "./trace.js";

/** Writes a value in the units of the tree. */
export type Format = (value: number) => string;

/** Says what a frame shows. */
export function explain(trace: Trace, { visit, kind }: Frame, format: Format): string {
  const found = trace.visits[visit];
  if (!found) {
    return "";
  }
  return kind === "enter" ? entering(trace, visit, found, format) : leaving(trace, visit, found, format);
}

/** Writes a window. */
export function written([low, high]: [number | null, number | null], format: Format): string {
  return `${low === null ? "−∞" : format(low)} … ${high === null ? "∞" : format(high)}`;
}

const HOW: Record<Visit["kind"], string> = {
  full: "",
  null: " with a null window",
  reduced: " to a reduced depth",
  singular: " to half the depth, to see whether the hash move is better than all others",
  quiescence: " beyond the horizon, captures alone",
};

/** Says what a null window asks. */
function question({ kind, window: [low, high] }: Visit, format: Format): string {
  return kind === "null" && low !== null && high !== null
    ? ` It only asks whether the value is ${format(low)} or less, or ${format(high)} or more.`
    : "";
}

/** Says why the first window is a narrow one. */
function guess([low, high]: Visit["window"]): string {
  return low !== null && high !== null && high > low + 1
    ? " It is narrow around a guess of the value: fewer moves matter in it. If the value lies outside, another window follows."
    : "";
}

function entering(trace: Trace, at: number, visit: Visit, format: Format): string {
  const who = trace.isMax(at) ? "MAX" : "MIN";
  const window = written(visit.window, format);
  const promoted = visit.promoted ? " It is tried first, because it refuted or was best elsewhere." : "";
  const how = visit.again ? " again with a wider window, since it is better" : HOW[visit.kind];
  if (visit.parent === null) {
    const begins = `The search begins with the window ${window}. ${who} is to move.${guess(visit.window)}`;
    if (trace.roots.length === 1) {
      return visit.window.every((end) => end === null)
        ? `The search begins. ${who} is to move, and nothing is known of the value: the window is ${window}.`
        : begins;
    }
    const number = trace.roots.indexOf(at);
    const before = trace.visits[trace.roots[number - 1] ?? -1];
    const failed = before?.bound === "upper" ? "failed low: the value is at most" : "failed high: the value is at least";
    return before?.value != null && before.bound !== "exact"
      ? `The last window ${failed} ${format(before.value)}. The next window is ${window}.`
      : number > 0
      ? `The last window does not contain the value. The next window is ${window}.`
      : begins;
  }
  if (visit.move === NULL_MOVE) {
    const passes = trace.isMax(visit.parent) ? "MAX" : "MIN";
    return `A null move: ${passes} does not move at all. If the position is good enough even so, no move needs to be searched.`;
  }
  if (trace.isLeaf(at)) {
    return visit.again
      ? `Move ${visit.move} is searched${how}. It leads to a leaf, whose value is known: the procedure makes no exception for leaves.`
      : `Move ${visit.move}${how === "" ? "" : `, searched${how},`} leads to a leaf.${promoted}`;
  }
  return `Move ${visit.move} is searched${how}.${promoted} ${who} is to move; the window is ${window}.${question(visit, format)}`;
}

function leaving(trace: Trace, at: number, visit: Visit, format: Format): string {
  if (visit.value === null) {
    return "The search leaves the position for now.";
  }
  const value = format(visit.value);
  const name = visit.parent === null ? "At the root" : visit.move === NULL_MOVE ? "After the null move" : `After move ${visit.move}`;
  const [who, other] = trace.isMax(at) ? ["MAX", "MIN"] : ["MIN", "MAX"];
  if (trace.isQuiet(at)) {
    const count = visit.below === 1 ? "one position" : `${visit.below} positions`;
    return `${name} the horizon is reached. Only captures are searched beyond it, ${count}: the leaf has the value ${reach(visit)}${value}.${consequence(trace, at, visit, format)}`;
  }
  switch (visit.end) {
    case "cutoff":
    case "enhanced": {
      const bound = trace.isMax(at) ? "at least" : "at most";
      const skipped = trace.skipped(at);
      const now = trace.isAgain(at) ? " in this search" : "";
      const root = visit.parent === null && trace.roots.at(-1) === at ? ` ${rootValue(trace, at, visit, value)}` : met(trace, at, visit, format);
      if (skipped === 0 && visit.searched !== null) {
        return `${name} the last move, ${visit.by}, gives ${who} ${bound} ${value}${reason(trace, at, visit, other, format)}. No move is left that it could cut off.${root}`;
      }
      const rest = skipped === 0 ? "" : skipped === 1 ? ` The other move is not looked at${now}.` : ` The other ${skipped} moves are not looked at${now}.`;
      return `Cut-off by move ${visit.by}: ${who} gets ${bound} ${value} here${reason(trace, at, visit, other, format)}.${rest}${root}`;
    }
    case "over":
      if (visit.parent === null) {
        return `The root is a leaf: its value is ${value}.`;
      }
      if (trace.isTyped) {
        return `${name} the leaf has the value ${value}.${consequence(trace, at, visit, format)}`;
      }
      return `${name} the game is over: ${value}.${consequence(trace, at, visit, format)}`;
    case "horizon":
      return `${name} the leaf has the value ${value}.${consequence(trace, at, visit, format)}`;
    case "rules":
      return `${name} the rules alone prove ${value}.`;
    case "database":
      return `${name} the endgame database has the value ${value}.`;
    case "table":
      return `${name} the table has ${reach(visit) === "" ? "the value" : "a bound that is enough"} already: ${reach(visit)}${value}.${visit.parent === null ? ` ${rootValue(trace, at, visit, value)}` : ""}`;
    case "pruned":
      if (trace.children[at]?.some((child) => trace.visits[child]?.move === NULL_MOVE)) {
        return `${name} the position is good enough for ${who} even after a null move. It is pruned without a search of its moves: ${reach(visit)}${value}.`;
      }
      return `${name} the position is so good for ${who} that it is pruned without a search of its moves: ${value}.`;
    case "stopped":
      return "The search was stopped here.";
    case "moves":
      if (visit.parent === null) {
        return rootValue(trace, at, visit, value);
      }
      return `${name} all moves are searched: the value is ${reach(visit)}${value}${reach(visit) === "" ? "" : ", and the window asks no more"}.${consequence(trace, at, visit, format)}`;
  }
}

function reach({ bound }: Visit): string {
  return bound === "upper" ? "at most " : bound === "lower" ? "at least " : "";
}

/** Says what the search of a window at the root has found. */
function rootValue(trace: Trace, at: number, visit: Visit, value: string): string {
  if (trace.roots.at(-1) !== at) {
    return `The value of the root is ${reach(visit)}${value}. It is not inside the window.`;
  }
  const meets = trace.roots.some((root) => {
    const other = trace.visits[root];
    return root !== at && other?.value === visit.value && other?.bound !== visit.bound;
  });
  return reach(visit) !== "" && meets
    ? `The value of the root is ${reach(visit)}${value}, and by an earlier window no ${visit.bound === "upper" ? "less" : "more"}: it is ${value}.`
    : `The value of the root is ${reach(visit)}${value}.`;
}

/** Says why a cut-off is allowed: the opponent has better elsewhere, or the window asks for no more. */
function reason(trace: Trace, at: number, visit: Visit, other: string, format: Format): string {
  const end = visit.window[trace.isMax(at) ? 1 : 0];
  if (end === null) {
    return "";
  }
  if (trace.isHeld(at, end)) {
    return `, but ${other} already has ${format(end)} elsewhere and will not come here`;
  }
  return trace.hasNullWindow(at)
    ? `, which answers the null window: the value is not ${trace.isMax(at) ? "below" : "above"} ${format(end)}`
    : `, which meets the edge of the window of this search, ${format(end)}`;
}

/** Says what a value means for the position before. */
function consequence(trace: Trace, at: number, visit: Visit, format: Format): string {
  const { parent, value } = visit;
  if (parent === null || value === null || visit.move === NULL_MOVE) {
    return "";
  }
  const isMax = trace.isMax(parent);
  const [who, more, better] = isMax ? ["MAX", "more", "lower"] : ["MIN", "less", "upper"];
  const isNoBetter = (than: number) => (isMax ? value <= than : value >= than);
  const kept = trace.best(parent, at);
  if (kept !== null && isNoBetter(kept)) {
    return ` That is no better for ${who} than ${format(kept)}.`;
  }
  const edge = trace.visits[parent]?.window[isMax ? 0 : 1] ?? null;
  if (edge !== null && isNoBetter(edge) && visit.bound !== better) {
    return ` That changes nothing above: ${who} needs ${more} than ${format(edge)} here.`;
  }
  return visit.bound === "exact" || visit.bound === null ? ` ${who} has ${format(value)} now.` : met(trace, at, visit, format);
}

/** Says that a search again has met the bound of the search before it: together they are the value. */
function met(trace: Trace, at: number, { parent, again, bound, value }: Visit, format: Format): string {
  const siblings = trace.children[parent ?? -1] ?? [];
  const before = trace.visits[siblings[siblings.indexOf(at) - 1] ?? -1];
  if (parent === null || value === null || !again || before?.value !== value || before.bound === bound) {
    return "";
  }
  const [who, less] = trace.isMax(parent) ? ["MAX", "less"] : ["MIN", "more"];
  return ` By the search before it is no ${less}: ${who} has ${format(value)} now.`;
}
