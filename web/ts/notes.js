/**
 * What an annotated game has beside its board: the note on a move, the graph of the winning chances, the players in numbers.
 *
 * @import { Note, Summary } from "./types.js"
 *
 * @typedef {object} Noted
 * @property {Summary[]} players
 * @property {Note[]} moves
 * @property {string} graph
 */

import { create } from "./dom.js";

/** The columns of the table, with what stands for a glyph. */
const COLUMNS = [["Player"], ["Accuracy"], ["Loss"], ["?!", "Inaccuracies"], ["?", "Mistakes"], ["??", "Blunders"]];

export class NotesView {
  #note = create("p", "", { class: "note", "aria-live": "polite" });
  #graph = create("div", "", { class: "graph", title: "Winning chances of the first player" });
  #cursor = create("div", "", { class: "cursor" });
  #players = create("tbody");
  /** @type {Noted | undefined} */
  #game;

  /**
   * @param {HTMLElement} host
   * @param {(ply: number) => void} go a place in the graph is chosen
   */
  constructor(host, go) {
    const head = create("tr");
    for (const [text = "", title] of COLUMNS) {
      const cell = create("th", title ? "" : text, { scope: "col" });
      if (title) {
        cell.append(create("abbr", text, { title }));
      }
      head.append(cell);
    }
    const [table, top] = [create("table"), create("thead")];
    top.append(head);
    table.append(top, this.#players);
    const scroll = create("div", "", { class: "scroll", role: "region", "aria-label": "Accuracy", tabindex: "0" });
    scroll.append(table);
    host.append(this.#note, this.#graph, scroll);
    this.#graph.addEventListener("click", (event) => {
      const box = this.#graph.getBoundingClientRect();
      go(this.#first + Math.round(((event.clientX - box.left) / box.width) * this.#count));
    });
  }

  /** The number of moves before the first annotated one, where the graph begins. */
  get #first() {
    return Math.max(0, this.#game?.moves.findIndex(({ score }) => score !== "") ?? 0);
  }

  /** The number of moves in the graph. */
  get #count() {
    return (this.#game?.moves.length ?? 0) - this.#first;
  }

  /**
   * Shows the note on the last of so many moves of a game.
   *
   * @param {Noted} game
   * @param {number} ply
   */
  show(game, ply) {
    if (this.#game !== game) {
      this.#game = game;
      this.#graph.innerHTML = game.graph;
      this.#graph.querySelector("svg")?.setAttribute("preserveAspectRatio", "none");
      this.#graph.append(this.#cursor);
      this.#players.replaceChildren(...game.players.map(playerRow));
    }
    this.#cursor.style.left = `${(100 * Math.max(0, ply - this.#first)) / Math.max(1, this.#count)}%`;
    const note = game.moves[ply - 1];
    const number = note?.number || `${game.moves[ply - 2]?.number ?? ""}..`;
    const parts = note
      ? [`${number} ${note.mv}${note.glyph}`, note.score, note.assessment, note.better && `better ${note.better}`, note.comment]
      : ["Step through the game, or click into the graph."];
    this.#note.textContent = parts.filter(Boolean).join(" · ");
  }
}

/**
 * Gives the moves of a list the colours of their notes.
 *
 * @param {HTMLElement} list
 * @param {Note[]} notes
 */
export function colourMoves(list, notes) {
  list.querySelectorAll("button").forEach((button, at) => {
    button.title = notes[at]?.assessment ?? "";
    button.dataset["assessment"] = button.title;
  });
}

/** @param {Summary} player */
function playerRow({ name, accuracy, average_loss, inaccuracies, mistakes, blunders }) {
  const number = (/** @type {number | null} */ value, unit = "") => (value === null ? "" : value.toFixed(1) + unit);
  const cells = [number(accuracy, " %"), number(average_loss), String(inaccuracies), String(mistakes), String(blunders)];
  const row = create("tr");
  row.append(create("th", name, { scope: "row" }), ...cells.map((text) => create("td", text)));
  return row;
}
