/** The panel that annotates a game. */

import { element, errorText } from "./dom.js";
import { Engine, Stopped } from "./engine.js";
import { NotesView } from "./notes.js";
import type { Position } from "./position.js";
import { recall, remember } from "./storage.js";
import type { Annotated, Note } from "./types.js";

/** The search of each position. */
const LIMIT = { nodes: 60_000 };

/** The name under which a browser remembers the annotated game. */
const KEPT = "annotation";

export class AnnotationPanel {
  readonly #engine = new Engine({ hash: 32, seed: 1 });
  readonly #host = element("annotation", HTMLElement);
  readonly #button = element("annotate", HTMLButtonElement);
  readonly #progress = element("progress", HTMLElement);
  readonly #changed: () => void;
  readonly #view: NotesView;
  /** The game and its moves, which a reload keeps. */
  #found = recall<{ game: Annotated; start: string; history: string[] }>("sessionStorage", KEPT);

  /** `changed` is called when a game has been annotated; `go` when a place in the graph is chosen. */
  constructor(changed: () => void, go: (ply: number) => void) {
    this.#changed = changed;
    this.#view = new NotesView(this.#host, go);
  }

  /** Annotates a game, or stops doing so. */
  async toggle(position: Position, players: [string, string]): Promise<void> {
    if (this.#engine.isBusy) {
      this.#engine.close();
      return;
    }
    const { start, history } = position.state;
    if (history.length === 0) {
      this.#progress.textContent = "There are no moves to annotate: play some, or open a PGN file.";
      return;
    }
    this.#button.textContent = "Stop";
    const show = (count: number) => (this.#progress.textContent = `${count} of ${history.length + 1} positions searched`);
    show(0);
    try {
      const game = await this.#engine.annotate(position, players, LIMIT, show);
      this.#found = typeof game === "object" ? { game, start, history } : undefined;
      remember("sessionStorage", KEPT, this.#found);
      this.#progress.textContent = "";
    } catch (error) {
      this.#progress.textContent = error instanceof Stopped ? "" : errorText(error);
    }
    this.#button.textContent = "Annotate";
    this.#changed();
  }

  /** Returns the notes on the moves of a game that are those of the annotated one. */
  notes(position: Position): Note[] {
    const { start, history } = position.state;
    if (!this.#found || this.#found.start !== start) {
      return [];
    }
    const known = this.#found.history;
    const other = history.findIndex((move, at) => move !== known[at]);
    return this.#found.game.moves.slice(0, other < 0 ? history.length : other);
  }

  /** Returns the annotated game as PGN, if it is this one. */
  pgn(position: Position): string | undefined {
    const isWhole = this.#found && this.notes(position).length === position.state.history.length;
    return isWhole && this.#found?.history.length === position.state.history.length ? this.#found.game.pgn : undefined;
  }

  /** Shows the annotation at a ply of a game, if it has one. */
  show(last: Position, ply: number): void {
    const notes = this.notes(last);
    const found = notes.length > 0 ? this.#found : undefined;
    this.#host.hidden = !found;
    if (found) {
      this.#view.show(found.game, ply);
    }
  }
}
