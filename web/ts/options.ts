/** What a game says of itself: how to play it, and its options. */

import { create, element } from "./dom.js";
import { recall, remember } from "./storage.js";
import type { Game, GameOption } from "./types.js";

/** The name under which a browser remembers that the pieces are Chinese characters. */
const CHARACTERS = "characters";

/** Whether the pieces of xiangqi are Chinese characters. */
export function hasCharacters(): boolean {
  return recall("localStorage", CHARACTERS) === true;
}

/**
 * Shows the rules of a game and its options with their values. `change` receives an option with its new value; `redraw` is
 * called when the drawing has changed.
 */
export function showGame(
  game: Game,
  values: Record<string, string>,
  change: (name: string, value: string) => void,
  redraw: () => void,
): void {
  element("rules", HTMLElement).textContent = game.rules;
  const fields = game.options.map((option) => field(option, values[option.name] ?? option.default, change));
  if (game.characters) {
    const input = create("input", "", { type: "checkbox" });
    input.checked = hasCharacters();
    input.addEventListener("change", () => {
      remember("localStorage", CHARACTERS, input.checked);
      redraw();
    });
    const label = create("label", "Chinese characters");
    label.append(input);
    fields.push(label);
  }
  element("options", HTMLElement).replaceChildren(...fields);
  element("more", HTMLDetailsElement).hidden = fields.length === 0;
}

function field({ name, help, kind, range, choices }: GameOption, value: string, change: (name: string, value: string) => void): HTMLElement {
  const label = create("label", name, { title: help });
  let input: HTMLInputElement | HTMLSelectElement;
  if (kind === "combo") {
    input = create("select");
    input.append(...(choices ?? []).map((choice) => create("option", choice, { value: choice })));
    input.value = value;
  } else if (kind === "check") {
    input = create("input", "", { type: "checkbox" });
    input.checked = value === "true";
  } else {
    input = create("input", "", kind === "spin" ? { type: "number" } : { type: "text" });
    if (range) {
      [input.min, input.max] = range.map(String) as [string, string];
    }
    input.value = value;
  }
  input.addEventListener("change", () => {
    change(name, input instanceof HTMLInputElement && input.type === "checkbox" ? String(input.checked) : input.value);
  });
  label.append(input);
  return label;
}
