/** Games that come from files, the clipboard or a drag, and go to a file or a link. */

import { create, element, notify } from "./dom.js";
import { complain } from "./errors.js";
import { Position } from "./position.js";

/** Calls `receive` with each text that a person opens, pastes or drops. */
export function listenForTexts(receive: (text: string) => void): void {
  const file = element("file", HTMLInputElement);
  element("load", HTMLButtonElement).addEventListener("click", () => file.click());
  file.addEventListener("change", () => {
    void file.files?.[0]?.text().then(receive);
    // The same file may be opened again.
    file.value = "";
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const [dropped] = event.dataTransfer?.files ?? [];
    void Promise.resolve(dropped?.text() ?? event.dataTransfer?.getData("text")).then((text) => text && receive(text));
  });
  document.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text");
    if (text && !(event.target instanceof HTMLInputElement)) {
      receive(text);
    }
  });
}

/** The choice among the games of a text. */
export class FileGames {
  readonly #field = element("of-file", HTMLElement);
  readonly #select = element("number", HTMLSelectElement);
  #text = "";
  #game = "";
  /** The number of the game on the board. */
  #number = 0;

  /** `show` receives the game that a person chooses. */
  constructor(show: (position: Position) => void) {
    this.#select.addEventListener("change", () => {
      try {
        show(Position.fromPgn(this.#text, this.#game, this.#select.selectedIndex));
        this.#number = this.#select.selectedIndex;
        this.#field.hidden = false;
      } catch (error) {
        complain(error);
        this.#select.selectedIndex = this.#number;
      }
    });
  }

  /** Offers the games of a text whose first one is on the board; returns how many there are. */
  offer(text: string, game: string): number {
    const titles = Position.titles(text, game);
    [this.#text, this.#game, this.#number] = [text, game, 0];
    this.#select.replaceChildren(...titles.map((title, at) => create("option", `${at + 1}. ${title}`)));
    this.#field.hidden = titles.length < 2;
    return titles.length;
  }

  hide(): void {
    this.#field.hidden = true;
  }
}

/** Saves a text as a file of PGN. */
export function save(name: string, pgn: string): void {
  const file = new Blob([pgn], { type: "application/x-chess-pgn" });
  const link = create("a", "", { download: `${name}.pgn`, href: URL.createObjectURL(file) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Copies the address of the page, or shows it where that is not allowed. */
export async function copyLink(): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href);
    notify("The link is copied: it has the game as it stands.");
  } catch {
    notify(location.href);
  }
}
