/** Steps of a search in words. */

import type { Frame, Trace, Visit } from "./trace.js";

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
  null: " with a null window: is it better at all?",
  reduced: " to a reduced depth",
  quiescence: " beyond the horizon, captures alone",
};

function entering(trace: Trace, at: number, visit: Visit, format: Format): string {
  const who = trace.isMax(at) ? "MAX" : "MIN";
  const window = written(visit.window, format);
  if (visit.parent === null) {
    if (trace.roots.length === 1) {
      return visit.window.every((end) => end === null)
        ? `The search begins. ${who} is to move, and nothing is known of the value: the window is ${window}.`
        : `The search begins with the window ${window}. ${who} is to move.`;
    }
    const before = trace.visits[trace.roots[trace.roots.indexOf(at) - 1] ?? -1];
    const failed = before?.bound === "upper" ? "failed low: the value is at most" : "failed high: the value is at least";
    return before?.value != null && before.bound !== "exact"
      ? `The last window ${failed} ${format(before.value)}. The next window is ${window}.`
      : `The search begins with the window ${window}. ${who} is to move.`;
  }
  if (visit.below === 0 && (visit.end === "over" || visit.end === "horizon")) {
    return `Move ${visit.move} leads to a leaf.`;
  }
  const promoted = visit.promoted ? " It is tried first, because it refuted or was best elsewhere." : "";
  const how = visit.again ? " again with a wider window, since it is better" : HOW[visit.kind];
  return `Move ${visit.move} is searched${how}${how.endsWith("?") ? "" : "."}${promoted} ${who} is to move; the window is ${window}.`;
}

function leaving(trace: Trace, at: number, visit: Visit, format: Format): string {
  if (visit.value === null) {
    return "The search leaves the position for now.";
  }
  const value = format(visit.value);
  const name = visit.parent === null ? "At the root" : `After move ${visit.move}`;
  const [who, other] = trace.isMax(at) ? ["MAX", "MIN"] : ["MIN", "MAX"];
  switch (visit.end) {
    case "cutoff":
    case "enhanced": {
      const end = visit.window[trace.isMax(at) ? 1 : 0];
      const reach = trace.isMax(at) ? "at least" : "at most";
      const skipped = trace.skipped(at);
      const rest = skipped === 0 ? "" : skipped === 1 ? " The other move is not looked at." : ` The other ${skipped} moves are not looked at.`;
      const known = end == null ? "" : `, but ${other} already has ${format(end)} elsewhere and will not come here`;
      return `Cut-off by move ${visit.by}: ${who} gets ${reach} ${value} here${known}.${rest}`;
    }
    case "over":
      return `${name} the game is over: ${value}.${consequence(trace, at, visit, format)}`;
    case "horizon":
      return `${name} the leaf has the value ${value}.${consequence(trace, at, visit, format)}`;
    case "rules":
      return `${name} the rules alone prove ${value}.`;
    case "database":
      return `${name} the endgame database has the value ${value}.`;
    case "table":
      return `${name} the table has the value already: ${value}.`;
    case "pruned":
      return `${name} the position is so good that it is pruned without a search of its moves: ${value}.`;
    case "stopped":
      return "The search was stopped here.";
    case "moves": {
      const reach = visit.bound === "upper" ? "at most " : visit.bound === "lower" ? "at least " : "";
      if (visit.parent === null) {
        const again = trace.roots.at(-1) === at ? "" : " It is not inside the window.";
        return `The value of the root is ${reach}${value}.${again}`;
      }
      return `${name} all moves are searched: the value is ${reach}${value}.${consequence(trace, at, visit, format)}`;
    }
  }
}

/** Says what a value means for the position before. */
function consequence(trace: Trace, at: number, { parent, value }: Visit, format: Format): string {
  if (parent === null || value === null) {
    return "";
  }
  const [low, high] = trace.window(parent, (child) => child < at);
  const isMax = trace.isMax(parent);
  const who = isMax ? "MAX" : "MIN";
  const kept = isMax ? low : high;
  if (kept !== null && (isMax ? value <= kept : value >= kept)) {
    return ` That is no better for ${who} than ${format(kept)}.`;
  }
  return ` ${who} has ${format(value)} now.`;
}
