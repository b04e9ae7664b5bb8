/** The page: play against the engine, and analyse. */

import { AnalysisPanel } from "./analysis.js";
import { BoardView } from "./board.js";
import { create, element, errorText } from "./dom.js";
import { Engine, Stopped } from "./engine.js";
import { read, write, type Link, type Seats } from "./link.js";
import { readCatalogue, type Catalogue } from "./catalogue.js";
import { load } from "./module.js";
import { showMoves, showPassing } from "./parts.js";
import { Position, STARTPOS } from "./position.js";
import type { Drawing, Game, LegalMove } from "./types.js";

/** The time that the move of a person stays on the board before the engine answers, milliseconds. */
const PAUSE = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 250;

class App {
  readonly #games: Game[];
  readonly #opponent = new Engine({ hash: 32 });
  readonly #board = new BoardView(element("board", HTMLElement), {
    onMove: (move) => this.#played(move),
    announce: (text) => this.#say(text),
  });
  readonly #panel = new AnalysisPanel((drawing) => this.#board.draw(this.#shown, this.#drawing(drawing)));
  readonly #status = element("status", HTMLElement);
  readonly #said = element("said", HTMLElement);
  readonly #moves = element("moves", HTMLOListElement);
  readonly #message = element("message", HTMLElement);
  readonly #gameChoice = element("game", HTMLSelectElement);
  readonly #seatsChoice = element("seats", HTMLSelectElement);
  readonly #levelChoice = element("level", HTMLSelectElement);
  readonly #typed = element("typed", HTMLInputElement);

  /** The last position of the game. */
  #last: Position;
  /** The position shown: that after so many plies. */
  #shown: Position;
  #seats: Seats;
  #level: number;
  #below: 0 | 1 | 2 = 0;
  #options: Record<string, string> = {};
  /** The error that the next position is shown with. */
  #complaint = "";
  /** The number of the game: what was thought about an earlier one is dropped. */
  #turn = 0;

  constructor({ games, levels: { default: usual, levels: texts }, version }: Catalogue, link: Partial<Link>, first: Position, complaint: string) {
    this.#games = games;
    this.#gameChoice.replaceChildren(...this.#games.map(({ name, about }) => create("option", `${name}: ${about}`, { value: name })));
    this.#levelChoice.replaceChildren(
      ...texts.map((text, at) => create("option", `${at + 1}: ${text}`, { value: String(at + 1) })),
    );
    this.#level = Math.min(link.level ?? usual, texts.length);
    this.#seats = link.seats ?? "first";
    this.#last = this.#shown = first;
    this.#complaint = complaint;
    this.#listen();
    this.#begin(first);
    element("version", HTMLElement).textContent = version;
  }

  #listen(): void {
    const click = (id: string, act: () => void) => element(id, HTMLButtonElement).addEventListener("click", act);
    this.#gameChoice.addEventListener("change", () => {
      this.#options = {};
      void this.#new(this.#gameChoice.value);
    });
    this.#seatsChoice.addEventListener("change", () => {
      this.#seats = this.#seatsChoice.value as Seats;
      this.#show();
    });
    this.#levelChoice.addEventListener("change", () => {
      this.#level = Number(this.#levelChoice.value);
      this.#remember();
    });
    click("new", () => void this.#new(this.#last.game));
    click("back", () => this.#takeBack());
    click("hint", () => this.#hint());
    click("flip", () => {
      this.#below = this.#below === 2 ? 1 : 2;
      this.#draw();
    });
    click("stop", () => this.#opponent.finish());
    click("save", () => this.#save());
    click("share", () => void this.#share());
    click("load", () => element("file", HTMLInputElement).click());
    for (const [id, step] of [["first", -Infinity], ["previous", -1], ["next", 1], ["last", Infinity]] as const) {
      click(id, () => this.#go(this.#ply + step));
    }
    element("file", HTMLInputElement).addEventListener("change", (event) => {
      const [file] = (event.target as HTMLInputElement).files ?? [];
      void file?.text().then((text) => void this.#loaded(text));
    });
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      void Promise.resolve(file?.text() ?? event.dataTransfer?.getData("text")).then((text) => void (text && this.#loaded(text)));
    });
    document.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text");
      if (text && !(event.target instanceof HTMLInputElement)) {
        void this.#loaded(text);
      }
    });
    element("type", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      this.#entered(this.#typed.value.trim());
    });
    for (const id of ["analyse", "values", "multipv"]) {
      document.getElementById(id)?.addEventListener("change", (event) => {
        const [other] = ["analyse", "values"].filter((name) => name !== (event.target as HTMLElement).id);
        if (other && id !== "multipv" && (event.target as HTMLInputElement).checked) {
          element(other, HTMLInputElement).checked = false;
        }
        this.#analyse();
      });
    }
    window.addEventListener("hashchange", () => {
      if (location.hash !== this.#hash) {
        const link = read(location.hash);
        this.#level = link.level ?? this.#level;
        this.#seats = link.seats ?? this.#seats;
        void opened(link, this.#games).then(([position, complaint]) => {
          this.#complaint = complaint;
          this.#begin(position);
        });
      }
    });
  }

  get #ply(): number {
    return this.#shown.state.history.length;
  }

  get #hash(): string {
    const state = this.#last.state;
    const start = state.start === Position.create({ game: state.game, options: state.options }).text ? STARTPOS : state.start;
    return write({ ...this.#last.setup, start, seats: this.#seats, level: this.#level });
  }

  #remember(): void {
    history.replaceState(null, "", this.#hash);
    element("see", HTMLAnchorElement).href = `see.html${this.#hash}`;
  }

  async #new(game: string): Promise<void> {
    try {
      await load(game);
      this.#begin(Position.create({ game, options: this.#options }));
    } catch (error) {
      complain(error);
    }
  }

  /** Begins or goes on with a game. */
  #begin(position: Position): void {
    this.#last = this.#shown = position;
    this.#options = { ...position.state.options };
    this.#below = this.#seats === "second" ? 2 : 0;
    this.#opponent.newGame(position.game).catch(() => {});
    this.#showOptions();
    this.#show();
  }

  /** A move of a person, on the board. */
  #played({ move }: LegalMove): void {
    this.#say("");
    this.#append(this.#shown.play(move));
  }

  /** A move of a person, as text. */
  #entered(move: string): void {
    if (!this.#isOpen || move === "") {
      return;
    }
    try {
      this.#append(this.#shown.play(move));
      this.#typed.value = "";
    } catch (error) {
      complain(error);
    }
  }

  /** Goes on with a position after the one shown: a move in the middle of a game drops the rest. */
  #append(position: Position): void {
    this.#last = this.#shown = position;
    const { san, remark } = position.state;
    this.#say(`${san.at(-1)}${remark ? `, ${remark}` : ""}. ${position.state.status}`);
    this.#show();
  }

  /** Whether a person may move at the position shown. */
  get #isOpen(): boolean {
    const { turn, outcome } = this.#shown;
    const isAtEnd = this.#shown === this.#last;
    const isPersons = this.#seats === "both" || (this.#seats === "first" && turn === 1) || (this.#seats === "second" && turn === 2);
    return !outcome && (isPersons || !isAtEnd);
  }

  #show(): void {
    this.#turn++;
    this.#message.textContent = this.#complaint;
    this.#complaint = "";
    this.#opponent.isBusy && this.#opponent.stop();
    this.#gameChoice.value = this.#last.game;
    this.#seatsChoice.value = this.#seats;
    this.#levelChoice.value = String(this.#level);
    this.#listMoves();
    this.#status.textContent = this.#shown.state.status;
    showPassing(element("passing", HTMLElement), this.#isOpen ? this.#shown.legalMoves : [], (move) => this.#played(move));
    this.#remember();
    this.#draw();
    this.#analyse();
    void this.#answer();
  }

  /** Lets the engine move, if it is its turn. */
  async #answer(): Promise<void> {
    const turn = this.#turn;
    if (this.#isOpen || this.#shown !== this.#last || this.#last.outcome) {
      this.#thinking(false);
      return;
    }
    this.#thinking(true);
    if (this.#last.state.history.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    if (turn !== this.#turn) {
      return;
    }
    try {
      const thought = this.#opponent.think(this.#last, this.#level);
      element("stop", HTMLButtonElement).disabled = false;
      const { lines } = await thought;
      const move = lines[0]?.pv[0];
      if (turn === this.#turn && move !== undefined) {
        this.#append(this.#last.play(move));
      }
    } catch (error) {
      if (turn === this.#turn) {
        this.#thinking(false);
        complain(error);
      }
    }
  }

  #thinking(is: boolean): void {
    document.body.classList.toggle("thinking", is);
    element("stop", HTMLButtonElement).disabled = true;
  }

  #takeBack(): void {
    const { history } = this.#last.state;
    // Back to the last decision of a person.
    let position = this.#last;
    for (let plies = history.length - 1; plies >= 0; plies--) {
      position = this.#last.at(plies);
      const isPersons = this.#seats === "both" || this.#seats === (position.turn === 1 ? "first" : "second");
      if (isPersons || this.#seats === "none") {
        break;
      }
    }
    this.#last = this.#shown = position;
    this.#show();
  }

  async #hint(): Promise<void> {
    const shown = this.#shown;
    if (shown.outcome || this.#opponent.isBusy) {
      return;
    }
    try {
      const { lines } = await this.#opponent.hint(shown);
      const [line] = lines;
      if (line && shown === this.#shown) {
        this.#message.textContent = `Hint: ${line.san[0]} (${line.text})`;
        this.#board.draw(shown, this.#drawing(line.pv[0] === undefined ? {} : { best: line.pv[0] }));
      }
    } catch (error) {
      complain(error);
    }
  }

  #go(ply: number): void {
    const end = this.#last.state.history.length;
    const to = Math.max(0, Math.min(end, ply));
    this.#shown = to === end ? this.#last : this.#last.at(to);
    this.#show();
  }

  #listMoves(): void {
    const { san } = this.#last.state;
    showMoves(this.#moves, san, this.#ply, (ply) => this.#go(ply));
  }

  #showOptions(): void {
    const game = this.#games.find(({ name }) => name === this.#last.game);
    const list = element("options", HTMLElement);
    list.replaceChildren(...(game?.options ?? []).map((option) => this.#option(game!, option)));
    element("more", HTMLDetailsElement).hidden = !game?.options.length;
    element("values", HTMLInputElement).disabled = !game?.solvable;
    for (const [at, name] of ["first", "second"].entries()) {
      const option = this.#seatsChoice.querySelector(`option[value=${name}]`);
      if (option) {
        option.textContent = `you are ${game?.sides[at]}`;
      }
    }
  }

  #option(game: Game, option: Game["options"][number]): HTMLElement {
    const label = create("label", option.name, { title: option.help });
    const value = this.#options[option.name] ?? option.default;
    let input: HTMLInputElement | HTMLSelectElement;
    if (option.kind === "combo") {
      input = create("select");
      input.append(...(option.choices ?? []).map((choice) => create("option", choice, { value: choice })));
      input.value = value;
    } else if (option.kind === "check") {
      input = create("input", "", { type: "checkbox" });
      input.checked = value === "true";
    } else {
      input = create("input", "", option.kind === "spin" ? { type: "number" } : { type: "text" });
      if (option.range) {
        [input.min, input.max] = option.range.map(String) as [string, string];
      }
      input.value = value;
    }
    input.addEventListener("change", () => {
      const chosen = input instanceof HTMLInputElement && input.type === "checkbox" ? String(input.checked) : input.value;
      this.#options = { ...this.#options, [option.name]: chosen };
      void this.#new(game.name);
    });
    label.append(input);
    return label;
  }

  #analyse(): void {
    if (this.#shown.outcome) {
      this.#panel.clear();
    } else if (element("analyse", HTMLInputElement).checked) {
      this.#panel.analyse(this.#shown, Math.max(1, Math.min(20, Math.floor(Number(element("multipv", HTMLInputElement).value)) || 1)));
    } else if (element("values", HTMLInputElement).checked && !element("values", HTMLInputElement).disabled) {
      this.#panel.solve(this.#shown);
    } else {
      this.#panel.clear();
    }
  }

  #drawing(marks: Drawing = {}): Drawing {
    return { below: this.#below, ...marks };
  }

  #draw(): void {
    this.#board.show(this.#shown, this.#drawing(), this.#isOpen);
  }

  #save(): void {
    const names: Record<Seats, [string, string]> = {
      first: ["You", `Secateurs, level ${this.#level}`],
      second: [`Secateurs, level ${this.#level}`, "You"],
      both: ["Player 1", "Player 2"],
      none: ["Secateurs", "Secateurs"],
    };
    const date = new Date().toISOString().slice(0, 10).replaceAll("-", ".");
    const file = new Blob([this.#last.pgn(names[this.#seats], date)], { type: "application/x-chess-pgn" });
    const link = create("a", "", { download: `${this.#last.game}.pgn`, href: URL.createObjectURL(file) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  async #share(): Promise<void> {
    this.#remember();
    try {
      await navigator.clipboard.writeText(location.href);
      this.#message.textContent = "The link is copied: it has the game as it stands.";
    } catch {
      this.#message.textContent = location.href;
    }
  }

  /** Reads a game or a position, in any notation of the games. */
  async #loaded(text: string): Promise<void> {
    const word = text.trim();
    const attempts = [
      () => Position.create({ game: this.#last.game, options: this.#last.state.options, start: word }),
      () => Position.create({ game: "chess", start: word }),
      () => Position.fromPgn(word, this.#last.game),
      () => Position.fromPgn(word, "kalah"),
      () => Position.fromPgn(word, "chess"),
      ...this.#games.map(({ name }) => () => Position.create({ game: name, start: word })),
    ];
    let failure: unknown;
    await load();
    for (const attempt of word.startsWith("[") || /^\d+\./.test(word) ? attempts.slice(2, 5) : attempts) {
      try {
        this.#begin(attempt());
        return;
      } catch (error) {
        failure ??= error;
      }
    }
    complain(failure);
  }

  #say(text: string): void {
    this.#said.textContent = text;
  }
}

/** Shows an error. */
function complain(error: unknown): void {
  if (!(error instanceof Stopped)) {
    element("message", HTMLElement).textContent = errorText(error);
  }
}

/**
 * Opens a link, with the error of what cannot be read: the game begins, up to its first illegal move; an unknown game is
 * Kalah.
 */
async function opened(link: Partial<Link>, games: Game[]): Promise<[Position, string]> {
  const { game = "kalah", moves = [], ...rest } = link;
  if (!games.some(({ name }) => name === game)) {
    await load("kalah");
    const names = games.map(({ name }) => name).join(", ");
    return [Position.create({ game: "kalah" }), `unknown game "${game}"; the games are ${names}`];
  }
  await load(game);
  let position = Position.create({ game });
  try {
    return [Position.create({ ...link, game }), ""];
  } catch (error) {
    try {
      position = Position.create({ ...rest, game });
      for (const move of moves) {
        position = position.play(move);
      }
    } catch {
      // What can be read has been played.
    }
    return [position, errorText(error)];
  }
}

try {
  const link = read(location.hash);
  const catalogue = await readCatalogue();
  new App(catalogue, link, ...(await opened(link, catalogue.games)));
  document.body.classList.remove("loading");
  void navigator.serviceWorker?.register("offline.js", { type: "module" });
} catch (error) {
  element("message", HTMLElement).textContent = `The engine could not be loaded: ${errorText(error)}`;
}
