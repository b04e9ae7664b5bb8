/** The clocks of both sides. */

import { create, notify } from "./dom.js";
import { button } from "./parts.js";
import { recall, remember } from "./storage.js";

/** The seconds left at which a side is warned. */
const WARNINGS = [60, 20, 10];

/** A time for the game and an increment for each move, seconds. */
export interface Control {
  base: number;
  increment: number;
}

/** Reads a control as an address has it: `300+3`. */
export function parseControl(text: string): Control | undefined {
  const [base, increment = 0, ...rest] = text.split(/[+ ]/).map(Number);
  const isValid = base !== undefined && rest.length === 0 && base > 0 && base <= 86_400 && increment >= 0 && increment <= 3_600;
  return isValid ? { base, increment } : undefined;
}

/** Writes a control for an address. */
export function writeControl({ base, increment }: Control): string {
  return `${base}+${increment}`;
}

export interface ClockEvents {
  /** The time of a side is over. */
  onFlag(side: 1 | 2): void;
  announce(text: string): void;
}

export class Clocks {
  readonly #host: HTMLElement;
  readonly #events: ClockEvents;
  #control: Control | undefined;
  /** The milliseconds left when the clock of the running side was started. */
  #left: [number, number] = [0, 0];
  #running: 1 | 2 | undefined;
  #since = 0;
  #sides: [string, string] = ["", ""];
  #timer: number | undefined;

  constructor(host: HTMLElement, events: ClockEvents) {
    this.#host = host;
    this.#events = events;
  }

  get control(): Control | undefined {
    return this.#control;
  }

  /** Sets both clocks to the time of a control; without one there are no clocks. */
  set(control: Control | undefined, sides: [string, string]): void {
    this.stop();
    this.#control = control;
    this.#sides = sides;
    this.#left = [1000 * (control?.base ?? 0), 1000 * (control?.base ?? 0)];
    this.#host.hidden = !control;
    const clocks = sides.map((side) => create("span", "", { class: "clock", role: "timer", "aria-label": `Clock of ${side}` }));
    this.#host.replaceChildren(...clocks);
    this.#show();
  }

  /** Sets what each side has left, milliseconds. */
  restore(left: [number, number]): void {
    this.#left = left;
    this.#since = performance.now();
    this.#show();
  }

  /** Runs the clock of a side, and of it alone. */
  run(side: 1 | 2): void {
    if (!this.#control || this.#running === side) {
      return;
    }
    this.stop();
    this.#running = side;
    this.#since = performance.now();
    this.#timer = window.setInterval(() => this.#tick(), 100);
    this.#show();
  }

  /** Stops both clocks. */
  stop(): void {
    window.clearInterval(this.#timer);
    if (this.#running) {
      this.#left[this.#running - 1] = this.left(this.#running);
      this.#running = undefined;
    }
    this.#show();
  }

  /** A side has moved: it gets its increment, if its clock was running. */
  press(side: 1 | 2): void {
    if (this.#control && this.#running === side) {
      this.stop();
      this.#left[side - 1]! += 1000 * this.#control.increment;
      this.#show();
    }
  }

  /** Returns the milliseconds that a side has left. */
  left(side: 1 | 2): number {
    const spent = this.#running === side ? performance.now() - this.#since : 0;
    return Math.max(0, (this.#left[side - 1] ?? 0) - spent);
  }

  /** Returns the time of a side and its increment, milliseconds, for an engine. */
  limit(side: 1 | 2): [number, number] | undefined {
    return this.#control && [this.left(side), 1000 * this.#control.increment];
  }

  #tick(): void {
    const side = this.#running;
    if (!side) {
      return;
    }
    const shown = this.#host.children[side - 1]?.textContent;
    this.#show();
    const seconds = Math.ceil(this.left(side) / 1000);
    const base = this.#control?.base ?? 0;
    if (shown !== this.#host.children[side - 1]?.textContent && WARNINGS.includes(seconds) && seconds < base) {
      this.#events.announce(`${this.#sides[side - 1]} has ${seconds} seconds left`);
    }
    if (this.left(side) === 0) {
      this.stop();
      this.#events.onFlag(side);
    }
  }

  #show(): void {
    for (const side of [1, 2] as const) {
      const clock = this.#host.children[side - 1];
      if (clock) {
        clock.textContent = `${this.#sides[side - 1]} ${written(this.left(side))}`;
        clock.classList.toggle("running", this.#running === side);
        clock.classList.toggle("short", this.left(side) < 10_000);
      }
    }
  }
}

/** Keeps what each side has left in a game, for a reload of the page. */
export function keepTimes(game: string, clocks: Clocks): void {
  remember("sessionStorage", "clocks", { game, left: [clocks.left(1), clocks.left(2)] });
}

/** Restores what each side had left in the same game. */
export function restoreTimes(game: string, clocks: Clocks): void {
  const kept = recall<{ game: string; left: [number, number] }>("sessionStorage", "clocks");
  if (kept?.game === game) {
    clocks.restore(kept.left);
  }
}

/** Writes a time: minutes and seconds, and tenths of the last ten seconds. */
function written(milliseconds: number): string {
  if (milliseconds < 10_000) {
    return `0:0${(Math.floor(milliseconds / 100) / 10).toFixed(1)}`;
  }
  const seconds = Math.ceil(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The controls that the page offers, and a form for any other. */
const CONTROLS = ["60+0", "180+2", "300+3", "600+0", "900+10"];

/** The choice of the clocks. */
export class ClockChoice {
  readonly #select: HTMLSelectElement;
  readonly #own: HTMLElement;
  readonly #base = create("input", "", { type: "number", min: "0.1", max: "1440", step: "any", value: "5", required: "" });
  readonly #increment = create("input", "", { type: "number", min: "0", max: "3600", step: "any", value: "3", required: "" });

  /** `change` receives the control that a person chooses. */
  constructor(select: HTMLSelectElement, own: HTMLElement, change: (control: Control | undefined) => void) {
    this.#select = select;
    this.#own = own;
    const named = CONTROLS.map((text) => {
      const { base, increment } = parseControl(text)!;
      return create("option", `${base / 60} min${increment ? ` + ${increment} s` : ""}`, { value: text });
    });
    select.append(create("option", "none", { value: "" }), ...named, create("option", "other …", { value: "own" }));
    const field = (text: string, input: HTMLInputElement) => {
      const label = create("label", text);
      label.append(input);
      return label;
    };
    const set = () => {
      if (this.#base.checkValidity() && this.#increment.checkValidity()) {
        change(parseControl(`${60 * this.#base.valueAsNumber}+${this.#increment.valueAsNumber}`));
      } else {
        notify("A clock has 0.1 to 1440 minutes, and 0 to 3600 seconds a move.", true);
      }
    };
    own.append(field("Minutes", this.#base), field("Seconds a move", this.#increment), button("Set clocks", set));
    select.addEventListener("change", () => {
      own.hidden = select.value !== "own";
      if (select.value !== "own") {
        change(parseControl(select.value));
      }
    });
  }

  /** Shows a control. */
  show(control: Control | undefined): void {
    const text = control ? writeControl(control) : "";
    this.#select.value = text === "" || CONTROLS.includes(text) ? text : "own";
    this.#own.hidden = this.#select.value !== "own";
    if (control && !this.#own.hidden) {
      this.#base.value = String(control.base / 60);
      this.#increment.value = String(control.increment);
    }
  }
}
