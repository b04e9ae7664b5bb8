/**
 * The board in a notebook, by anywidget: it shows what the kernel sends, and sends what a person does.
 *
 * @import { Analysis, State } from "./types.js"
 */

import { BoardView } from "./board.js";
import { create } from "./dom.js";
import { button, showBar, showLines, showMoves, showPassing, stepButtons } from "./parts.js";

/**
 * What the kernel sends.
 *
 * @typedef {object} View
 * @property {State} state
 * @property {string} svg
 * @property {string[]} line the moves of the game, with their glyphs
 * @property {number} ply
 * @property {string} comment
 * @property {boolean} open whether a person may move
 * @property {boolean} engine whether an engine plays
 * @property {boolean} thinking
 * @property {string} message an error
 * @property {"auto" | "light" | "dark"} theme
 * @property {number} size
 * @property {boolean} analyse
 *
 * @typedef {object} Search
 * @property {Analysis} info
 * @property {string} svg the board with the best move
 *
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(event: string, listener: () => void) => void} on
 * @property {(event: string, listener: () => void) => void} off
 * @property {(name: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(content: object) => void} send
 */

class BoardWidget {
  #model;
  #el;
  #status = create("p", "", { class: "status" });
  #passing = create("div", "", { class: "row" });
  #message = create("p", "", { class: "message error", role: "alert" });
  #said = create("p", "", { class: "hidden", "aria-live": "polite" });
  #moves = create("ol", "", { class: "moves", "aria-label": "Moves" });
  #comment = create("p", "", { class: "comment" });
  #figures = create("p", "", { class: "figures" });
  #rows = create("tbody");
  #bar = create("div", "", {
    class: "bar",
    role: "meter",
    "aria-label": "Chance of player 1",
    "aria-valuemin": "0",
    "aria-valuemax": "100",
  });
  #root = create("div", "", { class: "secateurs", role: "group", "aria-label": "Game", "data-lm-suppress-shortcuts": "true" });
  #search = create("input", "", { type: "checkbox" });
  #stop = this.#button("Move now", "stop");
  #board;
  #shown = "";

  /**
   * @param {Model} model
   * @param {HTMLElement} el
   */
  constructor(model, el) {
    this.#model = model;
    this.#el = el;
    const host = create("div");
    this.#board = new BoardView(host, {
      onMove: ({ move }) => this.#send("play", { move }),
      announce: (text) => this.#say(text),
    });
    const table = create("div", "", { class: "table" });
    table.append(this.#bar, host, this.#status, this.#passing);
    const check = create("label", "", { class: "check" });
    check.append(this.#search, "Search");
    this.#search.addEventListener("change", () => this.#send("analyse", { on: this.#search.checked }));
    const actions = create("div", "", { class: "row" });
    actions.append(this.#button("Take back", "back"), this.#button("Turn board", "flip"), this.#stop, check);
    const steps = create("div", "", { class: "row" });
    steps.append(...stepButtons((plies) => this.#send("step", { plies })));
    const lines = create("table");
    lines.append(this.#rows);
    const scroll = create("div", "", { class: "scroll", role: "group", "aria-label": "Lines", tabindex: "0" });
    scroll.append(lines);
    const side = create("div", "", { class: "side" });
    side.append(actions, this.#moves, steps, this.#comment, this.#message, this.#figures, scroll, this.#said);
    this.#root.append(table, side);
    el.append(this.#root);
  }

  /** @returns {View} */
  get #view() {
    return this.#model.get("_view");
  }

  /** @returns {Search | null} */
  get #found() {
    return this.#model.get("_search");
  }

  /**
   * @param {string} name
   * @param {object} values
   */
  #send(name, values = {}) {
    this.#model.send({ name, ...values });
  }

  /**
   * @param {string} text
   * @param {string} name
   */
  #button(text, name) {
    return button(text, () => this.#send(name));
  }

  /** Shows the position that the kernel has sent. */
  show() {
    const { state, line, ply, comment, open, engine, thinking, message, theme, size, analyse } = this.#view;
    this.#root.className = `secateurs ${theme}`;
    this.#el.dataset["theme"] = theme === "auto" ? pageTheme() : theme;
    this.#root.style.setProperty("--board", `${size}px`);
    this.#root.classList.toggle("thinking", thinking);
    this.#board.show(this.#drawn(), {}, open);
    this.#status.textContent = state.status;
    this.#stop.hidden = !engine;
    this.#stop.disabled = !thinking;
    this.#search.checked = analyse;
    showPassing(this.#passing, open ? state.moves : [], ({ move }) => this.#send("play", { move }));
    showMoves(this.#moves, line, ply, (to) => this.#send("go", { ply: to }));
    this.#comment.textContent = comment;
    this.#message.textContent = message;
    const said = `${line[ply - 1] ?? ""}${state.remark ? `, ${state.remark}` : ""}. ${state.status}`;
    if (this.#shown !== "" && this.#shown !== said) {
      this.#say(said);
    }
    this.#shown = said;
    this.showSearch();
    this.#report(state.history);
  }

  /**
   * Sends the moves back as a value of the widget: marimo runs the cells that depend on it when a page sends it.
   *
   * @param {string[]} history
   */
  #report(history) {
    if (this.#model.get("history").join(" ") !== history.join(" ")) {
      this.#model.set("history", history);
      this.#model.save_changes();
    }
  }

  /** Shows the lines of the search. */
  showSearch() {
    const found = this.#found;
    showBar(this.#bar, this.#view.state.turn, found?.info.lines[0]);
    if (found) {
      this.#figures.textContent = showLines(this.#rows, found.info);
    } else {
      this.#rows.replaceChildren();
      this.#figures.textContent = "";
    }
    this.#board.draw(this.#drawn(), {});
  }

  #drawn() {
    return { stateFor: () => this.#view.state, svg: () => this.#found?.svg ?? this.#view.svg };
  }

  /** @param {string} text */
  #say(text) {
    this.#said.textContent = text;
  }
}

/** Returns the theme of a notebook that marks it where the styles of the board do not see it. */
function pageTheme() {
  const marked = document.querySelector(":is(html, body):is(.dark, .light)");
  return marked ? (marked.classList.contains("dark") ? "dark" : "light") : "";
}

export default {
  /**
   * @param {{ model: Model, el: HTMLElement }} host
   * @returns {() => void}
   */
  render({ model, el }) {
    const widget = new BoardWidget(model, el);
    const show = () => widget.show();
    const showSearch = () => widget.showSearch();
    model.on("change:_view", show);
    model.on("change:_search", showSearch);
    widget.show();
    model.send({ name: "shown" });
    return () => {
      model.off("change:_view", show);
      model.off("change:_search", showSearch);
      model.send({ name: "hidden" });
    };
  },
};
