/**
 * What a page and a notebook show beside a board.
 *
 * @import { Analysis, LegalMove, Line, State } from "./types.js"
 */

import { create } from "./dom.js";

/**
 * Creates a button.
 *
 * @param {string} text
 * @param {() => void} act
 * @param {Record<string, string>} attributes
 */
export function button(text, act, attributes = {}) {
  const made = create("button", text, { type: "button", ...attributes });
  made.addEventListener("click", act);
  return made;
}

/** More plies than a game has. */
const MOST = 1e6;

/** The steps through a game or a search: their names, what is on their buttons, their keys, and their plies. */
const STEPS = /** @type {const} */ ([
  ["first", "Start", "\u21e4", "Home", -MOST],
  ["previous", "Previous", "\u2190", "ArrowLeft", -1],
  ["next", "Next", "\u2192", "ArrowRight", 1],
  ["last", "End", "\u21e5", "End", MOST],
]);

/**
 * Creates the buttons that step through a game, or something else.
 *
 * @param {(by: number) => void} step
 */
export function stepButtons(step, what = "move") {
  return STEPS.map(([name, word, text, , by]) => {
    const title = by === MOST || by === -MOST ? word : `${word} ${what}`;
    return button(text, () => step(by), { class: name, "aria-label": title, title });
  });
}

/**
 * Returns the plies of the step that a key takes.
 *
 * @param {KeyboardEvent} event
 */
export function stepOf({ key, ctrlKey, metaKey, altKey }) {
  return ctrlKey || metaKey || altKey ? undefined : STEPS.find(([, , , name]) => name === key)?.[4];
}

/**
 * Shows a button for each move that has no place on the board, such as a pass.
 *
 * @param {HTMLElement} row
 * @param {LegalMove[]} moves
 * @param {(move: LegalMove) => void} play
 */
export function showPassing(row, moves, play) {
  const passing = moves.filter(({ spots }) => spots.length === 0);
  row.replaceChildren(...passing.map((move) => button(move.san, () => play(move))));
}

/**
 * Shows the moves of a game, each of them a button; `ply` is the number of moves before the position shown. Where the turns
 * do not alternate, a number stands before each move, and the side with it.
 *
 * @param {HTMLElement} list
 * @param {string[]} texts
 * @param {number} ply
 * @param {(ply: number) => void} go
 * @param {Partial<Pick<State, "numbers" | "players" | "sides">>} [state]
 */
export function showMoves(list, texts, ply, go, state) {
  const { numbers = [], players = [], sides = ["", ""] } = state ?? {};
  const isByMove = players.length > 1 && !numbers.includes(null);
  const items = texts.map((text, at) => {
    const item = create("li");
    const number = numbers[at];
    if (number) {
      item.append(create("span", number, { class: "number" }));
    }
    const side = sides[(players[at] ?? 1) - 1] ?? "";
    if (isByMove) {
      item.append(create("abbr", side.startsWith("player") ? side.slice(-1) : side.slice(0, 1), { class: "number", title: side }));
    }
    item.append(button(text, () => go(at + 1), at + 1 === ply ? { "aria-current": "true" } : {}));
    return item;
  });
  list.replaceChildren(...items);
  const current = list.querySelector("[aria-current]");
  if (current instanceof HTMLElement) {
    // The list scrolls, not the page.
    list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
  }
}

/**
 * Shows the lines of a search as rows of a table; returns its figures in words.
 *
 * @param {HTMLElement} rows
 * @param {Analysis} info
 */
export function showLines(rows, info) {
  rows.replaceChildren(...info.lines.map(lineRow));
  const speed = info.time > 100 ? `, ${(info.nps / 1e6).toFixed(2)} million nodes/s` : "";
  return `depth ${info.depth}, ${info.nodes.toLocaleString("en")} nodes${speed}`;
}

/** @param {Line} line */
function lineRow(line) {
  const row = create("tr");
  const value = create("td", line.text, { class: "value" });
  row.append(create("th", line.san[0] ?? "", { scope: "row" }), value, create("td", line.san.slice(1, 12).join(" ")));
  return row;
}

/**
 * Shows the chance of player 1 as a bar; hides it without a line.
 *
 * @param {HTMLElement} bar
 * @param {1 | 2} turn
 * @param {Line | undefined} line
 */
export function showBar(bar, turn, line) {
  bar.hidden = !line;
  if (line) {
    const share = turn === 1 ? chance(line) : 1 - chance(line);
    bar.style.setProperty("--share", share.toFixed(3));
    bar.setAttribute("aria-valuenow", (100 * share).toFixed(0));
    bar.setAttribute("aria-valuetext", line.text);
  }
}

/**
 * Returns the chance of the side to move, 0 to 1: by the model of the game, or else by the curve of lichess.org.
 *
 * @param {Line} line
 */
function chance({ wdl, score, mate }) {
  if (mate !== null) {
    return score > 0 ? 1 : 0;
  }
  return wdl ? (wdl[0] + wdl[1] / 2) / 1000 : 1 / (1 + Math.exp(-0.00368208 * score));
}
