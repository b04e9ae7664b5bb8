/** The page: play against the engine, and analyse. */

import { AnalysisPanel } from "./analysis.js";
import { AnnotationPanel } from "./annotation.js";
import { BoardView } from "./board.js";
import { readCatalogue, type Catalogue } from "./catalogue.js";
import { ClockChoice, Clocks, keepTimes, restoreTimes } from "./clocks.js";
import { element, notify } from "./dom.js";
import { Engine } from "./engine.js";
import { complain, missing } from "./errors.js";
import { copyLink, FileGames, listenForTexts, save } from "./files.js";
import { keep } from "./keep.js";
import { read, write, type Link } from "./link.js";
import { opened, readText, ready } from "./opening.js";
import { hasCharacters, showGame } from "./options.js";
import { colourMoves } from "./notes.js";
import { showMoves, showPassing, stepButtons } from "./parts.js";
import { Position, STARTPOS } from "./position.js";
import { Settings } from "./settings.js";
import type { Drawing, Game, LegalMove } from "./types.js";

/** The time that the move of a person stays on the board before the engine answers, milliseconds. */
const PAUSE = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 250;

class App {
  readonly #games: Game[];
  readonly #settings: Settings;
  readonly #opponent = new Engine({ hash: 32 });
  readonly #board = new BoardView(element("board", HTMLElement), {
    onMove: (move) => this.#played(move),
    announce: (text) => this.#say(text),
  });
  readonly #panel = new AnalysisPanel((drawing) => this.#board.draw(this.#shown, this.#drawing(drawing)));
  readonly #annotation = new AnnotationPanel(() => this.#listMoves(), (ply) => this.#go(ply));
  readonly #clocks = new Clocks(element("clocks", HTMLElement), {
    onFlag: (side) => this.#fallen(side),
    announce: (text) => this.#say(text),
  });
  readonly #clockChoice = new ClockChoice(element("clock", HTMLSelectElement), element("own-clock", HTMLElement), (control) => {
    this.#clocks.set(control, this.#last.state.sides);
    this.#restart();
  });
  readonly #pause = element("pause", HTMLButtonElement);
  readonly #status = element("status", HTMLElement);
  readonly #said = element("said", HTMLElement);
  readonly #moves = element("moves", HTMLOListElement);
  readonly #typed = element("typed", HTMLInputElement);
  readonly #fileGames = new FileGames((position) => {
    this.#complaint = "";
    this.#begin(position);
  });

  /** The last position of the game. */
  #last: Position;
  /** The position shown: that after so many plies. */
  #shown: Position;
  #below: 0 | 1 | 2 = 0;
  #options: Record<string, string> = {};
  #isPaused = false;
  /** The side whose time is over. */
  #flagged: 1 | 2 | undefined;
  /** The error that the next position is shown with. */
  #complaint = "";
  /** The number of the game: what was thought about an earlier one is dropped. */
  #turn = 0;

  constructor(catalogue: Catalogue, link: Partial<Link>, first: Position, complaint: string) {
    this.#games = catalogue.games;
    this.#settings = new Settings(catalogue, link, {
      onGame: (game) => {
        this.#options = {};
        void this.#new(game);
      },
      onSeats: () => this.#show(),
      onLevel: () => this.#remember(),
    });
    this.#last = this.#shown = first;
    this.#complaint = complaint;
    this.#clocks.set(link.clock, first.state.sides);
    this.#listen();
    this.#begin(first);
    restoreTimes(this.#hash, this.#clocks);
    element("version", HTMLElement).textContent = catalogue.version;
  }

  #listen(): void {
    const click = (id: string, act: () => void) => element(id, HTMLButtonElement).addEventListener("click", act);
    click("new", () => void this.#new(this.#last.game));
    click("pause", () => this.#setPaused(!this.#isPaused));
    click("annotate", () => void this.#annotation.toggle(this.#last, this.#players));
    click("back", () => this.#takeBack());
    click("hint", () => this.#hint());
    click("flip", () => {
      this.#below = this.#below === 2 ? 1 : 2;
      this.#draw();
    });
    click("stop", () => this.#opponent.finish());
    click("save", () => this.#save());
    click("share", () => {
      this.#remember();
      void copyLink();
    });
    element("steps", HTMLElement).prepend(...stepButtons((by) => this.#go(this.#ply + by)));
    listenForTexts((text) => void this.#loaded(text));
    element("type", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      this.#entered(this.#typed.value.trim());
    });
    document.addEventListener("visibilitychange", () => {
      if (document.hidden && this.#clocks.control && this.#last.state.history.length > 0 && !this.#isOver) {
        this.#setPaused(true);
      }
    });
    window.addEventListener("online", () => notify(""));
    window.addEventListener("pagehide", () => keepTimes(this.#hash, this.#clocks));
    window.addEventListener("hashchange", () => {
      if (location.hash !== this.#hash) {
        const link = read(location.hash);
        this.#settings.take(link);
        this.#clocks.set(link.clock, this.#last.state.sides);
        opened(link, this.#games).then(([position, complaint]) => {
          this.#complaint = complaint;
          this.#begin(position);
        }, complain);
      }
    });
  }

  get #ply(): number {
    return this.#shown.state.history.length;
  }

  get #hash(): string {
    const state = this.#last.state;
    const start = state.start === Position.create({ game: state.game, options: state.options }).text ? STARTPOS : state.start;
    const { seats, level } = this.#settings;
    return write({ ...this.#last.setup, start, seats, level, clock: this.#clocks.control });
  }

  #remember(): void {
    history.replaceState(null, "", this.#hash);
    element("see", HTMLAnchorElement).href = `see.html${this.#hash}`;
  }

  async #new(game: string): Promise<void> {
    this.#complaint = "";
    try {
      await ready(game, this.#games);
      this.#begin(Position.create({ game, options: this.#options }));
    } catch (error) {
      complain(error);
      // The game on the board is still that before.
      this.#settings.show(this.#last.game, this.#last.state.sides);
    }
  }

  /** Begins or goes on with a game. */
  #begin(position: Position): void {
    this.#last = this.#shown = position;
    this.#fileGames.hide();
    this.#options = { ...position.state.options };
    this.#below = this.#settings.seats === "second" ? 2 : 0;
    this.#opponent.newGame(position.game).catch(() => {});
    this.#clocks.set(this.#clocks.control, position.state.sides);
    this.#typed.value = "";
    this.#say("");
    this.#showOptions();
    this.#restart();
  }

  /** Goes on after a change of the clocks, or with another game. */
  #restart(): void {
    this.#flagged = undefined;
    this.#isPaused = false;
    this.#show();
  }

  #setPaused(is: boolean): void {
    this.#isPaused = is;
    this.#say(is ? "Paused" : "");
    this.#show();
  }

  /** The time of a side is over. */
  #fallen(side: 1 | 2): void {
    this.#flagged = side;
    this.#show();
    this.#say(this.#statusText);
  }

  /** Whether the game on the board has ended. */
  get #isOver(): boolean {
    return this.#last.outcome !== null || this.#flagged !== undefined;
  }

  get #statusText(): string {
    const { status, sides } = this.#shown.state;
    if (this.#flagged && this.#shown === this.#last) {
      return `The time of ${sides[this.#flagged - 1]} is over: ${sides[2 - this.#flagged]} wins`;
    }
    return this.#isPaused ? `${status}, paused` : status;
  }

  /** A move of a person, on the board. */
  #played({ move }: LegalMove): void {
    this.#say("");
    this.#branch(this.#shown.play(move));
  }

  /** Plays a move of a person. The browser's way back leads to the game that a move in the middle of it drops. */
  #branch(position: Position): void {
    this.#complaint = "";
    if (this.#shown !== this.#last) {
      history.pushState(null, "", this.#hash);
    }
    this.#append(position);
  }

  /** A move of a person, as text. */
  #entered(move: string): void {
    if (move === "") {
      return;
    }
    if (!this.#isOpen) {
      notify(this.#isOver ? "The game is over." : this.#isPaused ? "The game is paused." : "The engine is to move.", true);
      return;
    }
    try {
      this.#branch(this.#shown.play(move));
      this.#typed.value = "";
    } catch (error) {
      complain(error);
    }
  }

  /** Goes on with a position after the one shown: a move in the middle of a game drops the rest. */
  #append(position: Position): void {
    this.#clocks.press(this.#shown.turn);
    this.#last = this.#shown = position;
    const { san, remark } = position.state;
    this.#say(`${san.at(-1)}${remark ? `, ${remark}` : ""}. ${position.state.status}`);
    this.#show();
  }

  /** Whether a person may move at the position shown. */
  get #isOpen(): boolean {
    const { turn, outcome } = this.#shown;
    if (this.#isPaused || this.#flagged) {
      return false;
    }
    return !outcome && (this.#settings.isPersons(turn) || this.#shown !== this.#last);
  }

  #show(): void {
    this.#turn++;
    notify(this.#complaint, true);
    this.#opponent.isBusy && this.#opponent.stop();
    this.#settings.show(this.#last.game, this.#last.state.sides);
    this.#clockChoice.show(this.#clocks.control);
    this.#listMoves();
    this.#status.textContent = this.#statusText;
    this.#pause.hidden = this.#isOver || !(this.#isPaused || this.#clocks.control || this.#settings.seats === "none");
    this.#pause.textContent = this.#isPaused ? "Resume" : "Pause";
    // The clocks run from the first move on. The engine waits while a person looks at an earlier position.
    const isWaiting = this.#shown !== this.#last && !this.#settings.isPersons(this.#last.turn);
    if (this.#isOver || this.#isPaused || isWaiting || this.#last.state.history.length === 0) {
      this.#clocks.stop();
    } else {
      this.#clocks.run(this.#last.turn);
    }
    showPassing(element("passing", HTMLElement), this.#isOpen ? this.#shown.legalMoves : [], (move) => this.#played(move));
    this.#remember();
    this.#draw();
    this.#panel.show(this.#shown);
    void this.#answer();
  }

  /** Lets the engine move, if it is its turn. */
  async #answer(): Promise<void> {
    const turn = this.#turn;
    if (this.#isOpen || this.#shown !== this.#last || this.#isOver || this.#isPaused) {
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
      const thought = this.#opponent.think(this.#last, this.#settings.level, undefined, this.#clocks.limit(this.#last.turn));
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
    // Back to the last decision of a person, or by one move of two engines, which then wait.
    this.#isPaused = this.#settings.seats === "none";
    if (this.#flagged) {
      this.#clocks.set(this.#clocks.control, this.#last.state.sides);
      this.#flagged = undefined;
    }
    let position = this.#last;
    for (let plies = history.length - 1; plies >= 0; plies--) {
      position = this.#last.at(plies);
      if (this.#settings.isPersons(position.turn) || this.#isPaused) {
        break;
      }
    }
    this.#last = this.#shown = position;
    this.#complaint = "";
    this.#say(`Taken back. ${position.state.status}`);
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
        notify(`Hint: ${line.san[0]} (${line.text})`);
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
    this.#complaint = "";
    this.#say("");
    this.#show();
  }

  #listMoves(): void {
    const { state } = this.#last;
    const notes = this.#annotation.notes(this.#last);
    const texts = state.san.map((move, at) => move + (notes[at]?.glyph ?? ""));
    showMoves(this.#moves, texts, this.#ply, (ply) => this.#go(ply), state);
    colourMoves(this.#moves, notes);
    this.#annotation.show(this.#last, this.#ply);
  }

  #showOptions(): void {
    const game = this.#games.find(({ name }) => name === this.#last.game)!;
    const change = (name: string, value: string) => {
      this.#options = { ...this.#options, [name]: value };
      void this.#new(game.name);
    };
    showGame(game, this.#options, change, () => this.#draw());
    this.#panel.offer(game);
    element("bar", HTMLElement).setAttribute("aria-label", `Chance of ${game.sides[0]}`);
  }

  #drawing(marks: Drawing = {}): Drawing {
    return { below: this.#below, characters: hasCharacters(), ...marks };
  }

  #draw(): void {
    this.#board.show(this.#shown, this.#drawing(), this.#isOpen);
  }

  get #players(): [string, string] {
    return this.#settings.players(this.#last.state.sides);
  }

  #save(): void {
    const date = new Date().toISOString().slice(0, 10).replaceAll("-", ".");
    save(this.#last.game, this.#annotation.pgn(this.#last) ?? this.#last.pgn(this.#players, date));
  }

  /** Reads a game or a position, in any notation of the games. */
  async #loaded(text: string): Promise<void> {
    try {
      const position = await readText(text, this.#last, this.#games);
      this.#complaint = "";
      this.#begin(position);
      const count = this.#fileGames.offer(text, position.game);
      if (count > 1) {
        this.#say(`The first of ${count} games of the file`);
      }
    } catch (error) {
      complain(error);
    }
  }

  #say(text: string): void {
    this.#said.textContent = text;
  }
}

try {
  const link = read(location.hash);
  const catalogue = await readCatalogue();
  new App(catalogue, link, ...(await opened(link, catalogue.games)));
  document.body.classList.remove("loading");
  void keep().catch(() => {});
} catch (error) {
  notify(`The page could not be loaded: ${missing("The engine", error)}`, true);
}
