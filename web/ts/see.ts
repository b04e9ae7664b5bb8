/** The page that shows searches step by step. */

import { readCatalogue, type Catalogue } from "./catalogue.js";
import { create, element, errorText, notify } from "./dom.js";
import { missing } from "./errors.js";
import { explain } from "./explain.js";
import { read, write } from "./link.js";
import { bindingsIn } from "./module.js";
import { ready } from "./opening.js";
import { button, stepButtons, stepOf } from "./parts.js";
import { Position, STARTPOS } from "./position.js";
import type { Game } from "./types.js";
import { Trace, type MoveOrder, type Run, type Study } from "./trace.js";
import { TreeView } from "./treeview.js";

/** The figure of a textbook: Russell and Norvig, Artificial Intelligence, figure 5.2. */
const FIGURE = "((3 12 8) (2 4 6) (14 5 2))";

/** The procedures that are compared, and the engine's own search, which needs a game. */
const PROCEDURES = ["minimax", "alpha-beta", "negascout", "aspiration", "table", "killers", "mtdf"] as const;
const ENGINE = "engine";

/** The steps per second of a film, and the most seconds that it lasts. */
const SPEED = 2;
const LONGEST = 60;

/** The name of a procedure as people read it. */
function label(procedure: string): string {
  return procedure === ENGINE ? "the engine itself" : procedure;
}

/** The description of a procedure with its source. */
function how(about: string, source: string): string {
  return source ? `${about} (${source})` : about;
}

/** What the fewest leaves say, and why alpha-beta may visit more although the best move comes first. */
function fewest(minimum: number, isBestFirst: boolean, runs: readonly Run[]): string {
  const count = (number: number) => `${number.toLocaleString("en")} ${number === 1 ? "leaf" : "leaves"}`;
  const bound = `Every procedure must visit at least ${count(minimum)} of this tree, however it orders the moves (Knuth and Moore 1975); a table can save leaves that are alike.`;
  const visited = runs.find(({ procedure }) => procedure === "alpha-beta")?.counts.terminal ?? 0;
  return isBestFirst && visited > minimum
    ? `${bound} Best first, alpha-beta visits ${visited.toLocaleString("en")}: the branches of this tree differ in size, and a worse move that is still good enough for the cut-off may take fewer leaves to search.`
    : bound;
}

class See {
  readonly #view = new TreeView(element("tree", HTMLElement));
  readonly #source = element("source", HTMLSelectElement);
  readonly #toy = element("toy", HTMLInputElement);
  readonly #game = element("game", HTMLSelectElement);
  readonly #depth = element("depth", HTMLInputElement);
  readonly #order = element("order", HTMLSelectElement);
  readonly #procedure = element("procedure", HTMLSelectElement);
  readonly #step = element("step", HTMLInputElement);
  readonly #play = element("play", HTMLButtonElement);
  readonly #share = element("share", HTMLInputElement);
  readonly #seed = element("seed", HTMLInputElement);
  readonly #games: Game[];
  /** The position that the address names, and the root of the tree. */
  #root: Position | undefined;
  #runs: Run[] = [];
  #minimum: number | null = null;
  #trace = new Trace({ steps: [] });
  #film: number | undefined;
  /** The address of the game that was studied last. */
  #studied = "";
  #count = 0;

  constructor({ games }: Catalogue) {
    this.#games = games;
    this.#game.append(...games.map(({ name, title }) => create("option", title, { value: name })));
    const [link, words] = [read(location.hash), new URLSearchParams(location.hash.slice(1))];
    const isKnown = games.some(({ name }) => name === link.game);
    this.#source.value = isKnown ? "game" : "toy";
    this.#game.value = isKnown && link.game ? link.game : "kalah";
    this.#toy.value = words.get("tree") ?? FIGURE;
    for (const [input, name] of [[this.#depth, "depth"], [this.#share, "share"], [this.#seed, "seed"]] as const) {
      input.value = words.get(name) ?? input.value;
    }
    this.#listen();
    this.#offer();
    const unknown: string[] = [];
    if (link.game !== undefined && !isKnown) {
      unknown.push(`game "${link.game}"`);
    }
    for (const [choice, name] of [[this.#order, "order"], [this.#procedure, "procedure"]] as const) {
      const value = words.get(name);
      if (value !== null && choice.querySelector(`option[value="${CSS.escape(value)}"]`)) {
        choice.value = value;
      } else if (value !== null) {
        unknown.push(`${name} "${value}"`);
      }
    }
    void this.#study(false).then(() => {
      this.#at(Number(words.get("step")) || 0);
      if (unknown.length > 0) {
        notify(`The link has an unknown ${unknown.join(" and ")}.`, true);
      }
    });
  }

  /** Puts what is shown into the address, for a lecture or a question. */
  #remember(): void {
    const words = new URLSearchParams(this.#isToy ? { tree: this.#toy.value } : location.hash.slice(1));
    if (!this.#isToy) {
      words.set("game", this.#game.value);
      words.set("depth", this.#depth.value);
    }
    words.set("order", this.#order.value);
    for (const [input, name] of [[this.#share, "share"], [this.#seed, "seed"]] as const) {
      if (this.#order.value === "mixed") {
        words.set(name, input.value);
      } else {
        words.delete(name);
      }
    }
    words.set("procedure", this.#procedure.value);
    words.set("step", String(this.#count));
    history.replaceState(null, "", `#${words}`);
  }

  #listen(): void {
    for (const choice of [this.#source, this.#game]) {
      choice.addEventListener("change", () => {
        // After a typed tree the game is that before it.
        const link = choice === this.#source && !this.#isToy ? this.#studied : "";
        history.replaceState(null, "", `${location.pathname}${link}`);
        void this.#study(true);
      });
    }
    for (const input of [this.#toy, this.#depth, this.#order, this.#share, this.#seed]) {
      input.addEventListener("change", () => void this.#study(false));
    }
    for (const input of [this.#depth, this.#share]) {
      input.addEventListener("input", () => this.#showSliders());
    }
    window.addEventListener("online", () => notify(""));
    this.#procedure.addEventListener("change", () => this.#choose());
    this.#step.addEventListener("input", () => {
      this.#pause();
      this.#at(Number(this.#step.value));
    });
    const step = (by: number) => {
      this.#pause();
      this.#at(this.#count + by);
    };
    const [first, previous, ...others] = stepButtons(step, "step");
    this.#play.before(first!, previous!);
    this.#play.after(...others);
    this.#play.addEventListener("click", () => (this.#film === undefined ? this.#run() : this.#pause()));
    document.addEventListener("keydown", (event) => {
      if (!(event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement)) {
        const by = stepOf(event);
        if (by !== undefined) {
          step(by);
          event.preventDefault();
        }
      }
    });
  }

  #showSliders(): void {
    element("depth-shown", HTMLOutputElement).value = this.#depth.value;
    element("share-shown", HTMLOutputElement).value = `${this.#share.value} %`;
  }

  /** The order of the moves. */
  get #moveOrder(): MoveOrder {
    const mixed = (best: number): MoveOrder => ({ mixed: { best, seed: Math.min(Math.max(0, Math.floor(Number(this.#seed.value))) || 0, 2 ** 32 - 1) } });
    switch (this.#order.value) {
      case "best":
        return mixed(100);
      case "worst":
        return mixed(0);
      case "mixed":
        return mixed(Number(this.#share.value));
      case "scored":
        return "scored";
      default:
        return "given";
    }
  }

  get #isToy(): boolean {
    return this.#source.value === "toy";
  }

  /** Searches the tree by all procedures; `isNew` if another kind of tree is shown. */
  async #study(isNew: boolean): Promise<void> {
    this.#pause();
    this.#showSliders();
    document.querySelectorAll<HTMLElement>(".mixed-field").forEach((field) => (field.hidden = this.#order.value !== "mixed"));
    document.querySelectorAll<HTMLElement>(".game-field").forEach((field) => (field.hidden = this.#isToy));
    element("toy-field", HTMLElement).hidden = !this.#isToy;
    if (isNew) {
      this.#offer();
    }
    notify("Searching");
    // The page shows that before it searches.
    await new Promise((resolve) => setTimeout(resolve, 30));
    let study: Study | undefined;
    try {
      study = await (this.#isToy ? this.#studyToy() : this.#studyGame());
      notify("");
    } catch (error) {
      notify(errorText(error), true);
    }
    // Without a tree, nothing of the last one stays.
    document.querySelectorAll<HTMLElement>(".result").forEach((part) => (part.hidden = !study));
    if (study) {
      this.#runs = study.runs;
      this.#minimum = study.minimum;
      this.#compare();
      this.#choose();
    }
  }

  /** Lists the orders and the procedures of the kind of tree. */
  #offer(): void {
    const own = this.#isToy ? [["typed", "as typed"]] : [["generated", "as generated"], ["scored", "by the game's own scores"]];
    const orders = [...own, ["best", "best first"], ["worst", "worst first"], ["mixed", "best first at some"]];
    this.#order.replaceChildren(...orders.map(([value, text]) => create("option", text, { value: value ?? "" })));
    const names = this.#isToy ? PROCEDURES : [...PROCEDURES, ENGINE];
    this.#procedure.replaceChildren(...names.map((name) => create("option", label(name), { value: name })));
    this.#procedure.value = "alpha-beta";
  }

  async #studyToy(): Promise<Study> {
    await ready("kalah", this.#games);
    this.#root = undefined;
    return JSON.parse(bindingsIn("kalah").studyToy(this.#toy.value, JSON.stringify(this.#moveOrder), PROCEDURES.join()));
  }

  async #studyGame(): Promise<Study> {
    const game = this.#game.value;
    await ready(game, this.#games);
    const link = read(location.hash);
    this.#root = Position.create(link.game === game ? { ...link, game } : { game });
    const home = write({ ...this.#root.setup, start: link.start ?? STARTPOS, seats: link.seats ?? "first", level: link.level ?? 5, clock: link.clock });
    element("home", HTMLAnchorElement).href = `index.html${home}`;
    this.#studied = home;
    const depth = Number(this.#depth.value);
    const study = this.#root.study(depth, this.#moveOrder, PROCEDURES);
    const { nodes, ...found } = this.#root.record(depth);
    const counts = { nodes, terminal: NaN, hits: NaN };
    const about = "the same with everything: a table, null windows, pruning, reductions, and captures beyond the horizon";
    study.runs.push({ ...found, procedure: ENGINE, about, source: "", spent: null, searches: 1, counts, prunings: NaN });
    return study;
  }

  /** Writes a value: whole numbers for typed trees, units of the game otherwise. */
  readonly #format = (value: number): string => {
    if (this.#isToy) {
      return String(value).replace("-", "−");
    }
    const plies = 32_000 - Math.abs(value);
    if (plies < 600) {
      return `${value > 0 ? "win" : "loss"} ${plies}`;
    }
    const units = value / 100;
    return (Number.isInteger(units) ? String(units) : units.toFixed(2)).replace("-", "−");
  };

  #compare(): void {
    const head = create("tr");
    head.append(...["procedure", "value", "best move", "positions", "leaves", "cut-offs"].map((text) => create("th", text, { scope: "col" })));
    head.append(create("th", "how", { scope: "col", class: "how" }));
    const count = (number: number) => (Number.isNaN(number) ? "" : number.toLocaleString("en"));
    const rows = this.#runs.map(({ procedure, value, best, counts, prunings, spent, about, source }) => {
      const row = create("tr", "", { "data-procedure": procedure });
      const shown = value === null ? (spent ? "given up" : "") : this.#format(value);
      const cells = [shown, best ?? "", count(counts.nodes), count(counts.terminal), count(prunings)];
      const name = create("th", "", { scope: "row" });
      const choose = () => {
        this.#procedure.value = procedure;
        this.#choose();
      };
      name.append(button(label(procedure), choose));
      row.append(name, ...cells.map((text) => create("td", text)), create("td", how(about, source), { class: "how" }));
      return row;
    });
    element("comparison", HTMLTableElement).replaceChildren(head, ...rows);
    element("minimum", HTMLElement).textContent = this.#minimum === null ? "" : fewest(this.#minimum, this.#order.value === "best", this.#runs);
  }

  #choose(): void {
    const name = this.#procedure.value;
    const run = this.#runs.find(({ procedure }) => procedure === name);
    element("about", HTMLElement).textContent = run ? `${label(name)}: ${how(run.about, run.source)}` : "";
    document.querySelectorAll("#comparison tr").forEach((row) => {
      row.toggleAttribute("aria-current", (row as HTMLElement).dataset["procedure"] === name);
    });
    this.#pause();
    this.#trace = new Trace({ steps: run?.steps ?? [] }, this.#isToy);
    this.#view.show(this.#trace, this.#format);
    this.#step.max = String(this.#trace.frames.length);
    this.#at(0);
  }

  /** Shows the tree after so many steps. */
  #at(count: number): void {
    const { frames } = this.#trace;
    this.#count = Math.max(0, Math.min(frames.length, count));
    this.#step.value = String(this.#count);
    element("step-shown", HTMLOutputElement).value = `${this.#count} of ${frames.length}`;
    this.#view.at(this.#count);
    const frame = frames[this.#count - 1];
    const spent = this.#runs.find(({ procedure }) => procedure === this.#procedure.value)?.spent;
    element("explanation", HTMLElement).textContent = spent
      ? `This procedure has no value: ${spent}. Choose a smaller depth.`
      : frame
      ? explain(this.#trace, frame, this.#format)
      : "Step forward, or run the search.";
    this.#showBoard(frame?.visit);
    if (this.#film === undefined) {
      this.#remember();
    }
  }

  #showBoard(visit: number | undefined): void {
    const board = element("board", HTMLElement);
    board.parentElement?.classList.toggle("two", this.#root !== undefined);
    if (!this.#root) {
      board.replaceChildren();
      return;
    }
    let position = this.#root;
    try {
      for (const move of visit === undefined ? [] : this.#trace.line(visit)) {
        position = position.play(move);
      }
    } catch {
      // A null move belongs to no game: the board stays where it was before.
    }
    board.innerHTML = position.svg();
  }

  #run(): void {
    if (this.#count === this.#trace.frames.length) {
      this.#at(0);
    }
    const left = this.#trace.frames.length - this.#count;
    const interval = Math.min(1000 / SPEED, (1000 * LONGEST) / Math.max(1, left));
    this.#play.textContent = "Pause";
    this.#film = window.setInterval(() => {
      this.#at(this.#count + 1);
      if (this.#count === this.#trace.frames.length) {
        this.#pause();
      }
    }, interval);
  }

  #pause(): void {
    window.clearInterval(this.#film);
    this.#film = undefined;
    this.#play.textContent = "Run";
  }
}

try {
  new See(await readCatalogue());
  document.body.classList.remove("loading");
} catch (error) {
  notify(`The page could not be loaded: ${missing("The engine", error)}`, true);
}
