/**
 * The games of a page that has no engine: their positions, as numbers of shapes.
 *
 * @typedef {object} Frames
 * @property {string} style
 * @property {string[][]} shapes by their layers; the first layer is the size
 * @property {string[]} parts what recurs in the shapes
 *
 * @typedef {object} Game
 * @property {number[]} start the first position
 * @property {[number[], number[]][]} changes the shapes that go at each move, and those that come
 */

import { stepButtons, stepOf } from "./parts.js";

/**
 * Draws a position. The remainder of a number by 4 is the layer of its shape.
 *
 * @param {HTMLElement} host
 * @param {Frames} frames
 * @param {number[]} numbers
 */
export function draw(host, { style, shapes, parts }, numbers) {
  const layers = shapes.map((layer, at) => numbers.filter((number) => number % 4 === at).map((number) => layer[(number - at) / 4] ?? ""));
  const [[size = ""] = [], ...others] = layers;
  const body = others.flat().join("").replace(/<(\d+)>/g, (_, part) => parts[part] ?? "");
  host.innerHTML = `<svg class="secateurs-auto" viewBox="0 0 ${size}" role="img" aria-label="the board"><style>${style}</style>${body}</svg>`;
}

/** A game that a reader steps through by buttons and keys. */
export class GameView {
  /** The number of moves before the position shown. */
  ply = 0;
  #host;
  #frames;
  #shown;
  #buttons;
  /** @type {number[][]} */
  #positions = [];

  /**
   * @param {HTMLElement} host
   * @param {HTMLElement} row the place of the buttons
   * @param {Frames} frames
   * @param {(ply: number) => void} shown a position is shown
   */
  constructor(host, row, frames, shown) {
    this.#host = host;
    this.#frames = frames;
    this.#shown = shown;
    this.#buttons = stepButtons((by) => this.go(this.ply + by));
    row.prepend(...this.#buttons);
  }

  /**
   * Shows a game after some of its moves.
   *
   * @param {Game} game
   * @param {number} ply
   */
  open({ start, changes }, ply) {
    this.#positions = [start];
    let position = start;
    for (const [gone, come] of changes) {
      position = position.filter((shape) => !gone.includes(shape)).concat(come);
      this.#positions.push(position);
    }
    this.go(ply);
  }

  /**
   * Shows the position after some moves, or the nearest.
   *
   * @param {number} ply
   */
  go(ply) {
    const end = this.#positions.length - 1;
    this.ply = Math.max(0, Math.min(end, ply));
    draw(this.#host, this.#frames, this.#positions[this.ply] ?? []);
    this.#buttons.forEach((button, at) => (button.disabled = this.ply === (at < 2 ? 0 : end)));
    this.#shown(this.ply);
  }

  /**
   * Takes the step of a key, if it has one.
   *
   * @param {KeyboardEvent} event
   */
  key(event) {
    const by = stepOf(event);
    if (by !== undefined) {
      event.preventDefault();
      this.go(this.ply + by);
    }
  }
}
