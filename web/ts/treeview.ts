/** A drawing of a recorded search: positions appear as they are entered, and cuts where moves are left out. */

import { written } from "./explain.js";
import type { Trace } from "./trace.js";

const SVG = "http://www.w3.org/2000/svg";

/** The width of a leaf and the height of a ply, pixels. */
const WIDTH = 46;
const HEIGHT = 92;

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
    const width = Math.max(...[...places.values()].map(({ x }) => x), 0) + WIDTH;
    const height = (plies + 1) * HEIGHT;
    const svg = make("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
    svg.setAttribute("aria-label", "The tree of the search; the text above it says what each step does");
    this.#nodes.clear();
    this.#edges.clear();
    for (const [visit, place] of places) {
      const parent = places.get(trace.visits[visit]?.parent ?? -1);
      if (parent) {
        const edge = make("line", { x1: parent.x, y1: parent.y + 14, x2: place.x, y2: place.y - 14 });
        this.#edges.set(visit, edge);
        svg.append(edge);
      }
    }
    for (const [visit, place] of places) {
      const group = this.#node(trace, visit, place, plies);
      this.#nodes.set(visit, group);
      svg.append(group);
    }
    this.#host.replaceChildren(svg);
  }

  #node(trace: Trace, at: number, { x, y }: Place, plies: number): SVGGElement {
    const visit = trace.visits[at]!;
    const isMax = trace.isMax(at);
    const group = make("g", { transform: `translate(${x} ${y})`, class: isMax ? "max" : "min" });
    const move = make("text", { y: -22, class: "move" });
    const windows = trace.roots.length;
    move.textContent = visit.move ?? (windows > 1 ? `window ${trace.roots.indexOf(at) + 1}` : "");
    if (visit.again) {
      move.textContent += " again";
    }
    const shape = make("path", { d: isMax ? MAX : MIN, class: visit.kind === "full" ? "shape" : `shape ${visit.kind}` });
    group.append(shape, make("text", { y: isMax ? 9 : 0, class: "value" }), move, make("text", { y: 28, class: "bounds" }));
    if (visit.ply === plies && visit.below > 0) {
      const folded = make("text", { y: 42, class: "folded" });
      folded.textContent = `+${visit.below}`;
      group.append(folded);
    }
    const skipped = trace.skipped(at);
    if (skipped > 0) {
      const cut = make("g", { class: "cut" });
      cut.append(make("line", { x1: 8, y1: 32, x2: 26, y2: 50 }), make("line", { x1: 11, y1: 47, x2: 23, y2: 35 }));
      const count = make("text", { x: 34, y: 58 });
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

/** Returns the number of plies that are drawn. */
function pliesDrawn(trace: Trace): number {
  let [plies, count] = [0, 0];
  const deepest = Math.max(...trace.visits.map(({ ply }) => ply), 0);
  for (let ply = 0; ply <= deepest; ply++) {
    count += trace.visits.filter((visit) => visit.ply === ply).length;
    if (count > MOST) {
      break;
    }
    plies = ply;
  }
  return plies;
}

/** Places leaves side by side, and each other position above the middle of its children. */
function layout(trace: Trace, plies: number): Map<number, Place> {
  const places = new Map<number, Place>();
  let next = WIDTH / 2 + 10;
  const place = (at: number): number => {
    const { ply } = trace.visits[at]!;
    const below = ply < plies ? (trace.children[at] ?? []).map(place) : [];
    let x = next;
    if (below.length > 0) {
      x = ((below[0] ?? 0) + (below.at(-1) ?? 0)) / 2;
    } else {
      // A cut-off has its mark beside it.
      next += trace.skipped(at) > 0 ? 1.4 * WIDTH : WIDTH;
    }
    places.set(at, { x, y: 40 + ply * HEIGHT });
    return x;
  };
  trace.roots.forEach(place);
  return places;
}

function make<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Record<string, string | number>): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, String(value));
  }
  return element;
}
