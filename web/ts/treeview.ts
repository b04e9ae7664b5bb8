/** A drawing of a recorded search: nodes appear as they are entered, and cuts where moves are left out. */

import { children, INFINITE, isMax, parents, windowAfter, type Step, type Trace } from "./trace.js";

const SVG = "http://www.w3.org/2000/svg";

/** The width of a leaf and the height of a ply, pixels. */
const WIDTH = 46;
const HEIGHT = 86;

/** The most nodes that are drawn; of a larger tree the plies near the root. */
const MOST = 600;

interface Place {
  x: number;
  y: number;
}

export class TreeView {
  readonly #host: HTMLElement;
  #trace: Trace | undefined;
  #format: (value: number) => string = String;
  #parents: number[] = [];
  #nodes = new Map<number, SVGGElement>();
  #edges = new Map<number, SVGLineElement>();

  constructor(host: HTMLElement) {
    this.#host = host;
  }

  /** Draws the tree before its first step. */
  show(trace: Trace, format: (value: number) => string): void {
    this.#trace = trace;
    this.#format = format;
    this.#parents = parents(trace);
    const plies = pliesDrawn(trace);
    const places = layout(trace, plies);
    const width = Math.max(...[...places.values()].map(({ x }) => x), 0) + WIDTH;
    const svg = make("svg", { width: width, height: (plies + 1) * HEIGHT, viewBox: `0 0 ${width} ${(plies + 1) * HEIGHT}` });
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", "The tree of the search; the text below says what each step does");
    this.#nodes.clear();
    this.#edges.clear();
    for (const [node, place] of places) {
      const parent = places.get(this.#parents[node] ?? -1);
      if (parent) {
        const edge = make("line", { x1: parent.x, y1: parent.y + 14, x2: place.x, y2: place.y - 14 });
        this.#edges.set(node, edge);
        svg.append(edge);
      }
    }
    for (const [node, place] of places) {
      const group = this.#node(node, place, plies);
      this.#nodes.set(node, group);
      svg.append(group);
    }
    this.#host.replaceChildren(svg);
  }

  #node(node: number, { x, y }: Place, plies: number): SVGGElement {
    const trace = this.#trace!;
    const entry = trace.nodes[node]!;
    const group = make("g", { transform: `translate(${x} ${y})`, class: isMax(trace, entry) ? "max" : "min" });
    group.append(make("path", { d: isMax(trace, entry) ? "M0 -16 18 14 -18 14Z" : "M0 16 18 -14 -18 -14Z", class: "shape" }));
    const label = make("text", { y: isMax(trace, entry) ? 9 : -1, class: "value" });
    const move = make("text", { y: -24, class: "move" });
    move.textContent = (entry.mv ?? (trace.nodes.filter(({ ply }) => ply === 0).length > 1 ? "window" : "")) + (entry.again ? " again" : "");
    const bounds = make("text", { y: 29, class: "bounds" });
    group.append(label, move, bounds);
    if (entry.ply === plies && entry.below > 0) {
      const folded = make("text", { y: 44, class: "folded" });
      folded.textContent = `+${entry.below}`;
      group.append(folded);
    }
    const skipped = typeof entry.end === "object" ? entry.skipped : 0;
    if (skipped) {
      const cut = make("g", { class: "cut" });
      cut.append(make("line", { x1: 4, y1: 22, x2: 26, y2: 44 }), make("line", { x1: 10, y1: 40, x2: 24, y2: 30 }));
      const count = make("text", { x: 30, y: 50 });
      count.textContent = String(skipped);
      cut.append(count);
      group.append(cut);
    }
    return group;
  }

  /** Shows the tree after the first `count` steps; returns the node of the last one. */
  at(steps: Step[], count: number): number | undefined {
    const trace = this.#trace;
    if (!trace) {
      return undefined;
    }
    const entered = new Set<number>();
    const left = new Set<number>();
    for (const { node, kind } of steps.slice(0, count)) {
      (kind === "enter" ? entered : left).add(node);
    }
    const current = steps[count - 1]?.node;
    const path = new Set<number>();
    for (let node = current ?? -1; node >= 0; node = this.#parents[node] ?? -1) {
      path.add(node);
    }
    for (const [node, group] of this.#nodes) {
      const entry = trace.nodes[node]!;
      const isOpen = entered.has(node) && !left.has(node);
      group.classList.toggle("hidden-node", !entered.has(node));
      group.classList.toggle("open", isOpen);
      group.classList.toggle("current", node === current);
      group.classList.toggle("left", left.has(node));
      this.#edges.get(node)?.classList.toggle("hidden-node", !entered.has(node));
      this.#edges.get(node)?.classList.toggle("path", path.has(node));
      const [value, , bounds] = group.querySelectorAll("text");
      const [low, high] = windowAfter(trace, node, (child) => left.has(child));
      if (value && bounds) {
        value.textContent = left.has(node) && entry.value !== null ? this.#format(entry.value) : "";
        bounds.textContent = isOpen ? `${this.bound(low)} … ${this.bound(high)}` : "";
      }
      group.querySelector(".cut")?.classList.toggle("hidden-node", !left.has(node));
    }
    const shown = current === undefined ? undefined : this.#nodes.get(current);
    shown?.scrollIntoView({ block: "nearest", inline: "center" });
    return current;
  }

  /** A bound of a window. */
  bound(value: number): string {
    return value >= INFINITE ? "∞" : value <= -INFINITE ? "−∞" : this.#format(value);
  }
}

/** Returns the number of plies that are drawn. */
function pliesDrawn(trace: Trace): number {
  let [plies, count] = [0, 0];
  for (let ply = 0; ply <= trace.plies; ply++) {
    count += trace.nodes.filter((node) => node.ply === ply).length;
    if (count > MOST) {
      break;
    }
    plies = ply;
  }
  return Math.min(plies, Math.max(...trace.nodes.map(({ ply }) => ply), 0));
}

/** Places leaves side by side, and each other node above the middle of its children. */
function layout(trace: Trace, plies: number): Map<number, Place> {
  const places = new Map<number, Place>();
  let next = WIDTH / 2 + 10;
  const place = (node: number): number => {
    const entry = trace.nodes[node]!;
    const below = entry.ply < plies ? children(trace, node).map(place) : [];
    let x = next;
    if (below.length > 0) {
      x = ((below[0] ?? 0) + (below.at(-1) ?? 0)) / 2;
    } else {
      next += WIDTH;
    }
    places.set(node, { x, y: 40 + entry.ply * HEIGHT });
    return x;
  };
  for (let root = 0; root < trace.nodes.length; root += 1 + (trace.nodes[root]?.recorded ?? 0)) {
    place(root);
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
