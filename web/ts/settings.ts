/** The settings above the moves: the game, who plays, how strong the engine is. */

import type { Catalogue } from "./catalogue.js";
import { create, element } from "./dom.js";
import type { Link, Seats } from "./link.js";

export interface SettingsEvents {
  onGame(game: string): void;
  onSeats(): void;
  onLevel(): void;
}

export class Settings {
  readonly #gameChoice = element("game", HTMLSelectElement);
  readonly #seatsChoice = element("seats", HTMLSelectElement);
  readonly #levelChoice = element("level", HTMLSelectElement);
  readonly #levels: string[];
  #seats: Seats;
  #level: number;

  constructor({ games, levels: { default: usual, levels } }: Catalogue, link: Partial<Link>, events: SettingsEvents) {
    this.#levels = levels;
    this.#level = Math.min(link.level ?? usual, levels.length);
    this.#seats = link.seats ?? "first";
    this.#gameChoice.replaceChildren(...games.map(({ name, title }) => create("option", title, { value: name })));
    this.#levelChoice.replaceChildren(...levels.map((text, at) => create("option", String(at + 1), { value: String(at + 1), title: text })));
    this.#gameChoice.addEventListener("change", () => events.onGame(this.#gameChoice.value));
    this.#seatsChoice.addEventListener("change", () => {
      this.#seats = this.#seatsChoice.value as Seats;
      events.onSeats();
    });
    this.#levelChoice.addEventListener("change", () => {
      this.#level = Number(this.#levelChoice.value);
      this.#describe();
      events.onLevel();
    });
  }

  get seats(): Seats {
    return this.#seats;
  }

  get level(): number {
    return this.#level;
  }

  /** Takes what a link has. */
  take(link: Partial<Link>): void {
    this.#level = Math.min(link.level ?? this.#level, this.#levels.length);
    this.#seats = link.seats ?? this.#seats;
  }

  /** Shows the settings, with the names of the sides of a game. */
  show(game: string, sides: [string, string]): void {
    this.#gameChoice.value = game;
    for (const [at, name] of (["first", "second"] as const).entries()) {
      const option = this.#seatsChoice.querySelector(`option[value=${name}]`);
      if (option) {
        option.textContent = `you are ${sides[at]}`;
      }
    }
    this.#seatsChoice.value = this.#seats;
    this.#levelChoice.value = String(this.#level);
    this.#describe();
  }

  /** Whether a person moves for a side. */
  isPersons(side: 1 | 2): boolean {
    return this.#seats === "both" || this.#seats === (side === 1 ? "first" : "second");
  }

  /** The names of the players for a file: those of the sides, if two people play. */
  players(sides: [string, string]): [string, string] {
    const engine = `Secateurs, level ${this.#level}`;
    const name = (side: 1 | 2) => (this.isPersons(side) ? "You" : engine);
    return this.#seats === "both" ? sides : [name(1), name(2)];
  }

  #describe(): void {
    element("level-about", HTMLElement).textContent = this.#levels[this.#level - 1] ?? "";
  }
}
