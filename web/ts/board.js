/**
 * A board that people play on: the drawing of the engine, with its places to click, drag or reach by the keyboard.
 *
 * @import { Drawing, LegalMove, Spot, State } from "./types.js"
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * The keys that move from spot to spot, with their directions.
 *
 * @type {Record<string, [number, number]>}
 */
const ARROWS = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** The letters at the end of a promotion, the most wanted first. */
const PROMOTIONS = "qrbn";

/**
 * What a board draws: a `Position` of the page, or of a notebook.
 *
 * @typedef {object} Drawn
 * @property {(drawing: Drawing) => State} stateFor
 * @property {(drawing: Drawing) => string} svg
 *
 * @typedef {object} BoardEvents
 * @property {(move: LegalMove) => void} onMove a legal move has been chosen
 * @property {(text: string) => void} announce something happened that a screen reader should say
 */

export class BoardView {
  #host;
  #events;
  #picture = document.createElement("div");
  #chooser = document.createElement("dialog");
  /** @type {SVGSVGElement | undefined} */
  #overlay;
  /** @type {State | undefined} */
  #state;
  /**
   * The spots chosen so far.
   *
   * @type {number[]}
   */
  #path = [];
  /** The spot that the keyboard is on. */
  #cursor = 0;
  /** Whether the places had the focus before they went. */
  #hadFocus = false;

  /**
   * @param {HTMLElement} host
   * @param {BoardEvents} events
   */
  constructor(host, events) {
    this.#host = host;
    this.#events = events;
    host.classList.add("board");
    this.#picture.className = "picture";
    this.#chooser.className = "chooser";
    this.#chooser.setAttribute("aria-label", "Choose a move");
    host.replaceChildren(this.#picture, this.#chooser);
  }

  /**
   * Shows a position; if it is `active`, its moves can be played.
   *
   * @param {Drawn} position
   * @param {Drawing} drawing
   * @param {boolean} active
   */
  show(position, drawing, active) {
    this.#state = position.stateFor(drawing);
    this.#path = [];
    // Its moves are those of the position before.
    this.#chooser.close();
    const svg = this.draw(position, drawing);
    // While the engine moves there is nothing to focus; the focus comes back with the places.
    this.#hadFocus ||= this.#overlay?.contains(this.#root.activeElement) ?? false;
    this.#overlay?.remove();
    this.#overlay = undefined;
    this.#describe(!active);
    if (active && svg && this.#state.board.spots.length > 0) {
      this.#overlay = this.#places(svg.getAttribute("viewBox") ?? "");
      this.#host.append(this.#overlay);
      this.#mark();
      const isElsewhere = this.#root.activeElement !== null && this.#root.activeElement !== document.body;
      if (this.#hadFocus && !isElsewhere) {
        this.#focus(this.#cursor);
      }
      this.#hadFocus = false;
    }
  }

  /**
   * Draws the position again, with other marks; what is being chosen stays.
   *
   * @param {Drawn} position
   * @param {Drawing} drawing
   */
  draw(position, drawing) {
    this.#picture.innerHTML = position.svg(drawing);
    const svg = this.#picture.querySelector("svg");
    svg?.removeAttribute("width");
    svg?.removeAttribute("height");
    return svg;
  }

  /**
   * Says in words what stands where, while there are no places to read it from.
   *
   * @param {boolean} is
   */
  #describe(is) {
    if (is) {
      const labels = this.#spots.map(({ label }) => label).filter((label) => label.includes(","));
      this.#picture.setAttribute("role", "img");
      this.#picture.setAttribute("aria-label", `Board: ${labels.join("; ") || "empty"}`);
    } else {
      this.#picture.removeAttribute("role");
      this.#picture.removeAttribute("aria-label");
    }
  }

  /** @param {string} viewBox */
  #places(viewBox) {
    const overlay = document.createElementNS(SVG, "svg");
    overlay.setAttribute("viewBox", viewBox);
    overlay.setAttribute("class", "places");
    overlay.setAttribute("role", "group");
    overlay.setAttribute("aria-label", "Board: choose the places of a move; the arrow keys go from place to place");
    const spots = this.#spots;
    this.#cursor = Math.min(this.#cursor, spots.length - 1);
    spots.forEach((spot, at) => {
      const place = document.createElementNS(SVG, "rect");
      place.setAttribute("x", String(spot.x - spot.width / 2));
      place.setAttribute("y", String(spot.y - spot.height / 2));
      place.setAttribute("width", String(spot.width));
      place.setAttribute("height", String(spot.height));
      place.setAttribute("rx", String(spot.round));
      place.setAttribute("role", "button");
      place.setAttribute("tabindex", at === this.#cursor ? "0" : "-1");
      place.dataset["spot"] = String(at);
      overlay.append(place);
    });
    /** @type {number | undefined} */
    let pressed;
    overlay.addEventListener("pointerdown", (event) => {
      const at = spotOf(event.target);
      pressed = at;
      if (at !== undefined && event.button === 0) {
        this.choose(at);
      }
    });
    overlay.addEventListener("pointerup", (event) => {
      const at = spotOf(this.#root.elementFromPoint(event.clientX, event.clientY));
      // A piece that was dragged; a click ends where it began.
      if (at !== undefined && pressed !== undefined && at !== pressed && this.#path.length > 0) {
        this.choose(at);
      }
      pressed = undefined;
    });
    overlay.addEventListener("focusin", (event) => this.#reach(spotOf(event.target) ?? this.#cursor));
    overlay.addEventListener("keydown", (event) => this.#key(event));
    return overlay;
  }

  /**
   * The document, or the shadow tree in which a notebook shows the board.
   *
   * @returns {DocumentOrShadowRoot}
   */
  get #root() {
    const root = this.#host.getRootNode();
    return root instanceof ShadowRoot ? root : document;
  }

  /** @returns {Spot[]} */
  get #spots() {
    return this.#state?.board.spots ?? [];
  }

  /**
   * Returns the moves whose spots begin with this path.
   *
   * @param {number[]} path
   */
  #along(path) {
    const moves = this.#state?.moves ?? [];
    return moves.filter(({ spots }) => spots.length >= path.length && path.every((spot, at) => spots[at] === spot));
  }

  /**
   * Chooses a spot: the next of a move, or the first of another one.
   *
   * @param {number} at
   */
  choose(at) {
    const state = this.#state;
    if (!state) {
      return;
    }
    const first = this.#path.length === 0;
    let path = [...this.#path, at];
    let moves = this.#along(path);
    if (moves.length === 0 && !first) {
      // The end of a longer route, or of another move.
      moves = this.#along(this.#path).filter(({ spots }) => spots.at(-1) === at);
      if (moves.length > 0) {
        this.#settle(moves);
        return;
      }
      if (this.#path.includes(at)) {
        this.#path = [];
        this.#mark();
        this.#events.announce("Nothing chosen");
        return;
      }
      path = [at];
      moves = this.#along(path);
    }
    if (moves.length === 0 && !state.board.way) {
      moves = this.#inColumn(at);
    }
    if (moves.length === 0) {
      // What is chosen stays: the place may be one that a capture passes.
      this.#events.announce(`No legal move ${first ? "begins at" : "goes to"} ${this.#spots[at]?.label}`);
      return;
    }
    const whole = moves.filter(({ spots }) => spots.length === path.length);
    if (!state.board.way || whole.length === moves.length) {
      this.#settle(moves);
      return;
    }
    this.#path = path;
    this.#mark();
    const next = new Set(moves.map(({ spots }) => this.#spots[spots[path.length] ?? -1]?.name));
    this.#events.announce(`${this.#spots[at]?.label}, to ${[...next].filter(Boolean).join(", ")}`);
  }

  /**
   * Returns the moves above or below a spot, if there is one: a stone falls wherever its column is clicked.
   *
   * @param {number} at
   */
  #inColumn(at) {
    const x = this.#spots[at]?.x;
    const found = (this.#state?.moves ?? []).filter(({ spots }) => this.#spots[spots[0] ?? -1]?.x === x);
    return found.length === 1 ? found : [];
  }

  /**
   * Plays the only one of these moves, or lets the person choose.
   *
   * @param {LegalMove[]} moves
   */
  #settle(moves) {
    this.#path = [];
    const [only, ...others] = moves;
    if (only && others.length === 0) {
      this.#events.onMove(only);
      return;
    }
    // Of the pieces that a pawn may become, the queen first.
    const rank = (/** @type {LegalMove} */ { move }) => PROMOTIONS.indexOf(move.at(-1) ?? "");
    const buttons = moves.toSorted((one, other) => rank(one) - rank(other)).map((move) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = move.san;
      button.addEventListener("click", () => {
        this.#chooser.close();
        this.#events.onMove(move);
      });
      return button;
    });
    this.#chooser.replaceChildren(...buttons);
    this.#chooser.showModal();
    this.#mark();
  }

  /** Marks the spots chosen, and those that may be next. */
  #mark() {
    const overlay = this.#overlay;
    if (!overlay) {
      return;
    }
    overlay.querySelectorAll("circle").forEach((dot) => dot.remove());
    const moves = this.#along(this.#path);
    const next = new Set(moves.map(({ spots }) => spots[this.#path.length]).filter((at) => at !== undefined));
    overlay.querySelectorAll("rect").forEach((place, at) => {
      const chosen = this.#path.includes(at);
      place.classList.toggle("chosen", chosen);
      place.classList.toggle("open", next.has(at));
      const how = chosen ? ", chosen" : next.has(at) ? ", playable" : "";
      place.setAttribute("aria-label", `${this.#spots[at]?.label}${how}`);
    });
    if (this.#path.length > 0) {
      for (const at of next) {
        const spot = this.#spots[at];
        if (spot) {
          const dot = document.createElementNS(SVG, "circle");
          dot.setAttribute("cx", String(spot.x));
          dot.setAttribute("cy", String(spot.y));
          dot.setAttribute("r", String(Math.min(spot.width, spot.height) / 6));
          overlay.append(dot);
        }
      }
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const direction = ARROWS[event.key];
    if (direction) {
      this.#focus(this.#beside(this.#cursor, direction));
    } else if (event.key === "Enter" || event.key === " ") {
      this.choose(this.#cursor);
    } else if (event.key === "Escape") {
      this.#path = [];
      this.#mark();
    } else {
      return;
    }
    event.preventDefault();
  }

  /**
   * Returns the nearest spot in a direction.
   *
   * @param {number} at
   * @param {[number, number]} direction
   */
  #beside(at, [right, down]) {
    const from = this.#spots[at];
    let [best, least] = [at, Infinity];
    this.#spots.forEach((spot, other) => {
      if (!from || other === at) {
        return;
      }
      const [x, y] = [spot.x - from.x, spot.y - from.y];
      const [along, across] = [x * right + y * down, Math.abs(x * down) + Math.abs(y * right)];
      if (along > 1 && along + 3 * across < least) {
        [best, least] = [other, along + 3 * across];
      }
    });
    return best;
  }

  /** @param {number} at */
  #focus(at) {
    this.#overlay?.querySelectorAll("rect")[at]?.focus();
  }

  /**
   * Makes a spot the one that the keyboard is on.
   *
   * @param {number} at
   */
  #reach(at) {
    const places = this.#overlay?.querySelectorAll("rect");
    places?.[this.#cursor]?.setAttribute("tabindex", "-1");
    places?.[at]?.setAttribute("tabindex", "0");
    this.#cursor = at;
  }
}

/**
 * @param {EventTarget | null} target
 * @returns {number | undefined}
 */
function spotOf(target) {
  const spot = target instanceof SVGElement ? target.dataset["spot"] : undefined;
  return spot === undefined ? undefined : Number(spot);
}
