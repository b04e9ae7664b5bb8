/** The panel that shows a search, line by line, and exact values, move by move. */

import { create, element } from "./dom.js";
import { Engine, Stopped } from "./engine.js";
import type { Position } from "./position.js";
import type { Analysis, Drawing, Line, MoveValue, Solution } from "./types.js";

/** The longest search for exact values, milliseconds. */
const SOLVING = 20_000;

/** The colours of moves that win, draw, and lose. */
const COLOURS = { win: "#2e9e5b80", draw: "#d9a52680", loss: "#c4473c80" } as const;

export class AnalysisPanel {
  readonly #engine = new Engine({ hash: 64, seed: 1 });
  readonly #redraw: (drawing: Drawing) => void;
  readonly #lines = element("lines", HTMLTableSectionElement);
  readonly #figures = element("figures", HTMLElement);
  readonly #bar = element("bar", HTMLElement);
  #run = 0;

  /** `redraw` shows the marks of a search on the board. */
  constructor(redraw: (drawing: Drawing) => void) {
    this.#redraw = redraw;
  }

  /** Stops what runs and clears the panel. */
  clear(): void {
    this.#run++;
    this.#engine.stop();
    this.#lines.replaceChildren();
    this.#figures.textContent = "";
    this.#bar.style.removeProperty("--share");
    this.#bar.hidden = true;
  }

  /** Searches a position until something else is shown, with so many lines. */
  analyse(position: Position, multipv: number): void {
    this.clear();
    const run = this.#run;
    const show = (info: Analysis) => run === this.#run && this.#show(position, info);
    this.#engine.analyse(position, { multipv }, show).then(show, (error) => this.#fail(run, error));
  }

  /** Finds the exact value of each move. */
  solve(position: Position): void {
    this.clear();
    const run = this.#run;
    const show = (info: Solution) => run === this.#run && this.#values(position, info);
    this.#figures.textContent = "searching for exact values";
    this.#engine.solve(position, { movetime: SOLVING }, show).then(show, (error) => this.#fail(run, error));
  }

  #fail(run: number, error: unknown): void {
    if (run === this.#run && !(error instanceof Stopped)) {
      this.#figures.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  #show(position: Position, info: Analysis): void {
    const speed = info.time > 100 ? `, ${(info.nps / 1e6).toFixed(2)} million nodes/s` : "";
    this.#figures.textContent = `depth ${info.depth}, ${info.nodes.toLocaleString("en")} nodes${speed}`;
    this.#lines.replaceChildren(...info.lines.map((line) => row(line)));
    const [best] = info.lines;
    if (best) {
      const share = position.turn === 1 ? chance(best) : 1 - chance(best);
      this.#bar.hidden = false;
      this.#bar.style.setProperty("--share", share.toFixed(3));
      this.#bar.setAttribute("aria-valuenow", (100 * share).toFixed(0));
      this.#bar.setAttribute("aria-valuetext", best.text);
      this.#redraw(best.pv[0] === undefined ? {} : { best: best.pv[0] });
    }
  }

  #values(position: Position, info: Solution): void {
    const time = info.complete ? `, in ${(info.time / 1000).toFixed(2)} s` : "";
    const reason = info.refused ? `: ${info.refused}` : "";
    this.#figures.textContent = `value ${info.text}${reason}, ${info.nodes.toLocaleString("en")} nodes${time}`;
    this.#lines.replaceChildren(
      ...info.moves.map((value) => {
        const cells = [create("th", value.san, { scope: "row" }), create("td", value.text), create("td", word(value))];
        const line = create("tr", "", { class: value.outcome ?? "" });
        line.append(...cells);
        return line;
      }),
    );
    const fill: [string, string][] = [];
    for (const { move, outcome } of info.moves) {
      const legal = position.legalMoves.find((legal) => legal.move === move);
      const spot = position.state.board.spots[legal?.spots.at(position.state.board.way ? -1 : 0) ?? -1];
      if (outcome && spot) {
        fill.push([spot.name, COLOURS[outcome]]);
      }
    }
    this.#redraw({ fill });
  }
}

function word({ best, outcome }: MoveValue): string {
  return [outcome ?? "", best ? "best" : ""].filter(Boolean).join(", ");
}

function row(line: Line): HTMLTableRowElement {
  const found = create("tr");
  const value = create("td", line.text, { class: "value" });
  found.append(create("th", line.san[0] ?? "", { scope: "row" }), value, create("td", line.san.slice(1, 12).join(" ")));
  return found;
}

/** Returns the chance of the side to move, 0 to 1: by the model of the game, or else by the curve of lichess.org. */
function chance({ wdl, score, mate }: Line): number {
  if (mate !== null) {
    return score > 0 ? 1 : 0;
  }
  return wdl ? (wdl[0] + wdl[1] / 2) / 1000 : 1 / (1 + Math.exp(-0.00368208 * score));
}
