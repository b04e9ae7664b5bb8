/** A drawing of a recorded search: positions appear as they are entered, and cuts where moves are left out. */

import { written } from "./explain.js";
import { NULL_MOVE, type Trace } from "./trace.js";

const SVG = "http://www.w3.org/2000/svg";

/** The least width of a position, that of a letter of its text, and the height of a ply, pixels. */
const WIDTH = 46;
const LETTER = 7.2;
const HEIGHT = 108;

/** The width of the mark of a cut-off with its number, pixels. */
const MARK = 44;

/** The most positions that are drawn; of a larger tree the plies near the root. */
const MOST = 700;

/** Triangles that point up and down. */
const MAX = "M0 -16 20 14 -20 14Z";
const MIN = "M0 16 20 -14 -20 -14Z";

interface Place {
  x: number;
  y: number;
}

export class TreeView {
  readonly #host: HTMLElement;
  #trace: Trace | undefined;
  #format: (value: number) => string = String;
  #nodes = new Map<number, SVGGElement>();
  #edges = new Map<number, SVGLineElement>();

  constructor(host: HTMLElement) {
    this.#host = host;
  }

  /** Draws the tree before its first step. */
  show(trace: Trace, format: (value: number) => string): void {
    this.#trace = trace;
    this.#format = format;
    const plies = pliesDrawn(trace);
    const places = layout(trace, plies);
    const width = [...places.values()].reduce((most, { x }) => Math.max(most, x), 0) + 1.5 * WIDTH;
    const height = (plies + 1) * HEIGHT - 8;
    const svg = make("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
    svg.setAttribute("aria-label", "The tree of the search; the text above it says what each step does");
    this.#nodes.clear();
    this.#edges.clear();
    for (const [visit, place] of places) {
      const parent = places.get(trace.visits[visit]?.parent ?? -1);
      if (parent) {
        const edge = make("line", { x1: parent.x, y1: parent.y + 14, x2: place.x, y2: place.y - 48 });
        this.#edges.set(visit, edge);
        svg.append(edge);
      }
    }
    for (const [visit, place] of places) {
      const group = this.#node(trace, visit, place, plies, beside(trace, visit, places));
      this.#nodes.set(visit, group);
      svg.append(group);
    }
    this.#host.replaceChildren(svg);
  }

  #node(trace: Trace, at: number, { x, y }: Place, plies: number, beside: number): SVGGElement {
    const visit = trace.visits[at]!;
    const isMax = trace.isMax(at);
    const group = make("g", { transform: `translate(${x} ${y})`, class: isMax ? "max" : "min" });
    const move = make("text", { y: -34, class: "move" });
    move.textContent = label(trace, at);
    const shape = make("path", { d: isMax ? MAX : MIN, class: visit.kind === "full" ? "shape" : `shape ${visit.kind}` });
    group.append(shape, make("text", { y: isMax ? 9 : 0, class: "value" }), move, make("text", { y: -20, class: "bounds" }));
    if (visit.below > 0 && (visit.ply === plies || trace.isQuiet(at))) {
      const folded = make("text", { y: 28, class: "folded" });
      folded.textContent = `+${visit.below}`;
      group.append(folded);
    }
    const skipped = trace.skipped(at);
    if (skipped > 0) {
      const cut = make("g", { class: "cut" });
      cut.setAttribute("transform", `translate(${beside} 0)`);
      cut.append(make("line", { x1: 0, y1: 26, x2: 18, y2: 44 }), make("line", { x1: 3, y1: 41, x2: 15, y2: 29 }));
      const count = make("text", { x: 26, y: 48 });
      count.textContent = String(skipped);
      cut.append(count);
      group.append(cut);
    }
    return group;
  }

  /** Shows the tree after the first `count` frames. */
  at(count: number): void {
    const trace = this.#trace;
    if (!trace) {
      return;
    }
    const entered = new Set<number>();
    const left = new Set<number>();
    for (const { visit, kind } of trace.frames.slice(0, count)) {
      (kind === "enter" ? entered : left).add(visit);
    }
    const current = trace.frames[count - 1]?.visit;
    const path = new Set<number>();
    for (let at: number | null | undefined = current; typeof at === "number"; at = trace.visits[at]?.parent) {
      path.add(at);
    }
    const isOver = count === trace.frames.length;
    for (const [at, group] of this.#nodes) {
      const visit = trace.visits[at]!;
      const isOpen = entered.has(at) && !left.has(at);
      group.classList.toggle("hidden-node", !entered.has(at));
      group.classList.toggle("open", isOpen);
      group.classList.toggle("current", at === current);
      group.classList.toggle("best", isOver && visit.pv);
      const edge = this.#edges.get(at);
      edge?.classList.toggle("hidden-node", !entered.has(at));
      edge?.classList.toggle("path", isOver ? visit.pv : path.has(at));
      const value = group.querySelector(".value");
      const bounds = group.querySelector(".bounds");
      if (value && bounds) {
        const sign = visit.bound === "lower" ? "≥" : visit.bound === "upper" ? "≤" : "";
        value.textContent = left.has(at) && visit.value !== null ? sign + this.#format(visit.value) : "";
        value.classList.toggle("long", (value.textContent ?? "").length > 3);
        bounds.textContent = isOpen ? written(trace.window(at, (child) => left.has(child)), this.#format) : "";
      }
      group.querySelector(".cut")?.classList.toggle("hidden-node", !left.has(at));
    }
    this.#follow(current);
  }

  /** Scrolls the tree, not the page, to a position. */
  #follow(visit: number | undefined): void {
    const shown = visit === undefined ? undefined : this.#nodes.get(visit);
    if (!shown) {
      return;
    }
    const [place, host] = [shown.getBoundingClientRect(), this.#host.getBoundingClientRect()];
    if (place.left < host.left || place.right > host.right) {
      this.#host.scrollLeft += place.left - host.left - host.width / 2;
    }
    if (place.top < host.top || place.bottom > host.bottom) {
      this.#host.scrollTop += place.top - host.top - host.height / 2;
    }
  }
}

/** Returns the text above a position. */
function label(trace: Trace, at: number): string {
  const { move = null, again = false } = trace.visits[at] ?? {};
  const window = trace.roots.length > 1 ? `window ${trace.roots.indexOf(at) + 1}` : "";
  return (move === NULL_MOVE ? "null" : (move ?? window)) + (again ? " again" : "");
}

/** Returns the number of plies that are drawn. */
function pliesDrawn(trace: Trace): number {
  let [plies, count] = [0, 0];
  const shown = trace.visits.filter((_, at) => !trace.isHidden(at)).map(({ ply }) => ply);
  const deepest = shown.reduce((most, ply) => Math.max(most, ply), 0);
  for (let ply = 0; ply <= deepest; ply++) {
    count += shown.filter((other) => other === ply).length;
    if (count > MOST) {
      break;
    }
    plies = ply;
  }
  return plies;
}

/** Returns how far to the right of a position the mark of its cut-off stands: right of the edge to the last move. */
function beside(trace: Trace, at: number, places: Map<number, Place>): number {
  const [here, last] = [places.get(at), places.get(trace.children[at]?.at(-1) ?? -1)];
  // The edge has run two thirds of its way where the mark ends.
  return here && last ? Math.max(8, (2 / 3) * (last.x - here.x) + 4) : 8;
}

/** Places positions side by side, each above the middle of its children. */
function layout(trace: Trace, plies: number): Map<number, Place> {
  const places = new Map<number, Place>();
  const width = (at: number) => {
    return Math.max(WIDTH, LETTER * label(trace, at).length + 8);
  };
  /** Places a position and those below it from a point on; returns where they end. */
  const place = (at: number, left: number): number => {
    const { ply } = trace.visits[at]!;
    const below = ply < plies ? (trace.children[at] ?? []) : [];
    let right = left;
    for (const child of below) {
      right = place(child, right);
    }
    const [first, last] = [places.get(below[0] ?? -1), places.get(below.at(-1) ?? -1)];
    const missing = width(at) - (right - left);
    if (first && last) {
      if (missing > 0) {
        below.forEach((child) => move(child, missing / 2));
      }
      places.set(at, { x: (first.x + last.x) / 2, y: 56 + ply * HEIGHT });
    } else {
      places.set(at, { x: left + width(at) / 2, y: 56 + ply * HEIGHT });
    }
    const mark = trace.skipped(at) > 0 ? (places.get(at)?.x ?? left) + beside(trace, at, places) + MARK : left;
    return Math.max(right, left + width(at), mark);
  };
  const move = (at: number, by: number): void => {
    const place = places.get(at);
    if (place) {
      place.x += by;
      trace.children[at]?.forEach((child) => move(child, by));
    }
  };
  let left = 10;
  for (const root of trace.roots) {
    left = place(root, left);
  }
  return places;
}

function make<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Record<string, string | number>): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, String(value));
  }
  return element;
}
