/** The panel that shows a search, line by line, and exact values, move by move. */

import { create, element, errorText, notify } from "./dom.js";
import { availableThreads, Engine, Stopped } from "./engine.js";
import { showBar, showLines } from "./parts.js";
import type { Position } from "./position.js";
import type { Analysis, Drawing, Game, MoveValue, Solution } from "./types.js";

/** The longest search for exact values, milliseconds. */
const SOLVING = 20_000;

/** The colours of moves that win, draw, and lose. */
const COLOURS = { win: "#2e9e5b80", draw: "#d9a52680", loss: "#c4473c80" } as const;

export class AnalysisPanel {
  readonly #engine = new Engine({ hash: 64, threads: availableThreads(), seed: 1 });
  readonly #redraw: (drawing: Drawing) => void;
  readonly #lines = element("lines", HTMLTableSectionElement);
  readonly #figures = element("figures", HTMLElement);
  readonly #bar = element("bar", HTMLElement);
  readonly #search = element("analyse", HTMLInputElement);
  readonly #exact = element("values", HTMLInputElement);
  readonly #multipv = element("multipv", HTMLInputElement);
  #shown: Position | undefined;
  /** The number of lines. */
  #count = this.#multipv.valueAsNumber;
  #run = 0;

  /** `redraw` shows the marks of a search on the board. */
  constructor(redraw: (drawing: Drawing) => void) {
    this.#redraw = redraw;
    this.#multipv.addEventListener("change", () => {
      const isValid = this.#multipv.checkValidity();
      this.#count = isValid ? this.#multipv.valueAsNumber : this.#count;
      notify(isValid ? "" : `The number of lines is from 1 to 20. It stays ${this.#count}.`, true);
    });
    for (const [input, other] of [[this.#search, this.#exact], [this.#exact, this.#search], [this.#multipv, undefined]] as const) {
      input.addEventListener("change", () => {
        if (other && input.checked) {
          other.checked = false;
        }
        if (this.#shown) {
          this.show(this.#shown);
        }
      });
    }
  }

  /** Offers what there is for a game. */
  offer(game: Game): void {
    this.#exact.disabled = !game.solvable;
  }

  /** Shows what a person has chosen to see of a position. */
  show(position: Position): void {
    this.#shown = position;
    if (position.outcome) {
      this.clear();
    } else if (this.#search.checked) {
      this.analyse(position, this.#count);
    } else if (this.#exact.checked && !this.#exact.disabled) {
      this.solve(position);
    } else {
      this.clear();
    }
  }

  /** Stops what runs and clears the panel. */
  clear(): void {
    this.#run++;
    this.#engine.stop();
    this.#lines.replaceChildren();
    this.#figures.textContent = "";
    showBar(this.#bar, 1, undefined);
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
      this.#figures.textContent = errorText(error);
    }
  }

  #show(position: Position, info: Analysis): void {
    this.#figures.textContent = showLines(this.#lines, info);
    const [best] = info.lines;
    if (best) {
      showBar(this.#bar, position.turn, best);
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
