/** Steps of a search in words. */

import { children, INFINITE, isMax, parents, windowAfter, type Step, type Trace, type TraceNode } from "./trace.js";

/** Says what a step does; `format` writes a value. */
export function explain(trace: Trace, step: Step, format: (value: number) => string): string {
  const node = trace.nodes[step.node];
  if (!node) {
    return "";
  }
  return step.kind === "enter" ? entering(trace, step.node, node, format) : leaving(trace, step.node, node, format);
}

function entering(trace: Trace, at: number, node: TraceNode, format: (value: number) => string): string {
  const who = isMax(trace, node) ? "MAX" : "MIN";
  const windows = trace.nodes.filter(({ ply }) => ply === 0).length;
  const bounds = range(node.window, format);
  if (node.ply === 0) {
    const wide = node.window[0] <= -INFINITE && node.window[1] >= INFINITE;
    if (windows > 1) {
      const again = at > 0 ? "The last window did not contain the value. A new one" : "An aspiration window";
      return `${again}: ${bounds}. ${who} is to move.`;
    }
    return `The search begins. ${who} is to move; ${wide ? "nothing is known of the value" : `its window is ${bounds}`}.`;
  }
  const how =
    node.kind === "null" && !node.again
      ? " with a null window, which only asks whether it is better"
      : node.kind === "reduced"
        ? " to a reduced depth"
        : node.again
          ? " again, since it may be better after all"
          : node.kind === "quiescence"
            ? " beyond the horizon, for captures alone"
            : "";
  const isLeaf = node.recorded === 0 && node.below === 0 && (node.end === "over" || node.end === "horizon");
  return isLeaf ? `Move ${node.mv} leads to a leaf.` : `Move ${node.mv} is searched${how}. ${who} is to move; the window is ${bounds}.`;
}

function leaving(trace: Trace, at: number, node: TraceNode, format: (value: number) => string): string {
  if (node.value === null) {
    return "The search was stopped here.";
  }
  const value = format(node.value);
  const name = node.mv === null ? "The root" : `After ${node.mv}`;
  const who = isMax(trace, node) ? "MAX" : "MIN";
  const { end } = node;
  if (typeof end === "object") {
    const refutes = "cutoff" in end ? end.cutoff : end.enhanced;
    const [low, high] = node.window;
    const left = node.skipped ? `the other ${node.skipped === 1 ? "move is" : `${node.skipped} moves are`} not looked at` : "no other move matters";
    const other = isMax(trace, node) ? "MIN" : "MAX";
    const bound = format(isMax(trace, node) ? high : low);
    const how = "enhanced" in end ? "The table shows that" : "A cut-off:";
    const compare = isMax(trace, node) ? `at least ${value}` : `at most ${value}`;
    return `${how} ${refutes} gives ${who} ${compare} here, but ${other} has ${bound} elsewhere already and will not come here. So ${left}.`;
  }
  switch (end) {
    case "over":
      return `${name} the game is over: ${value}.`;
    case "horizon":
      return `${name === "The root" ? name : `Leaf ${node.mv}`}: ${value}.`;
    case "rules":
      return `${name} the rules alone prove ${value}.`;
    case "database":
      return `${name} the endgame database has the value: ${value}.`;
    case "table":
      return `${name} the table has an entry that is deep enough: ${value}.`;
    case "pruned":
      return `${name} the static evaluation is so good that the node is pruned: ${value}.`;
    case "stopped":
      return "The search was stopped here.";
    case "moves":
      return `${name} all moves are searched: ${who} gets ${value}.${consequence(trace, at, node, format)}`;
  }
}

/** Says what the value means for the parent. */
function consequence(trace: Trace, at: number, node: TraceNode, format: (value: number) => string): string {
  const parent = parents(trace)[at] ?? -1;
  const above = trace.nodes[parent];
  const { value } = node;
  if (!above || value === null) {
    return "";
  }
  const [low, high] = windowAfter(trace, parent, (child) => child < at);
  const who = isMax(trace, above) ? "MAX" : "MIN";
  const better = isMax(trace, above) ? value > low : value < high;
  if (!better) {
    const kept = isMax(trace, above) ? low : high;
    return Math.abs(kept) >= INFINITE ? "" : ` That is no better for ${who} than ${format(kept)}.`;
  }
  const isLast = children(trace, parent).at(-1) === at;
  return ` ${who} above now has ${format(value)}${isLast ? "" : ": the window of the next moves narrows"}.`;
}

/** Writes a window. */
export function range([low, high]: [number, number], format: (value: number) => string): string {
  const bound = (value: number) => (value >= INFINITE ? "∞" : value <= -INFINITE ? "−∞" : format(value));
  return `${bound(low)} to ${bound(high)}`;
}
