/** Positions, with the moves that led to them. A position does not change: a move returns another one. */

import { bindingsOf, type Bindings } from "./module.js";
import type { MoveOrder, Recorded, Study } from "./trace.js";
import type { Drawing, LegalMove, Outcome, State } from "./types.js";

/** How to set up a position. */
export interface Setup {
  game: string;
  options?: Record<string, string>;
  /** `startpos`, or a text in the notation of the game, such as a FEN. */
  start?: string;
  moves?: string[];
}

type RawPosition = InstanceType<Bindings["Position"]>;

/** Sets up a position of a game that is loaded, for who frees it. */
export function setUp({ game, options = {}, start = STARTPOS, moves = [] }: Setup): RawPosition {
  const raw = new (bindingsOf(game).Position)(game, JSON.stringify(options), start);
  for (const move of moves) {
    raw.play(move);
  }
  return raw;
}

/** The word for the starting position of a game. */
export const STARTPOS = "startpos";

export class Position {
  readonly #raw: RawPosition;
  #state: State | undefined;

  private constructor(raw: RawPosition) {
    this.#raw = raw;
  }

  /** Sets up a position of a game that is loaded. Throws an error that names what is wrong. */
  static create(setup: Setup): Position {
    return new Position(setUp(setup));
  }

  /**
   * Reads a game of a PGN text, the first (0) or another, of the game `game` if its tags name none, and returns its last
   * position. The game must be in the same module as `game`.
   */
  static fromPgn(text: string, game = "chess", number = 0): Position {
    return new Position(bindingsOf(game).Position.fromPgn(game, text, number));
  }

  /** Returns the titles of the games of a PGN text: the players, the result, the event. */
  static titles(text: string, game = "chess"): string[] {
    return bindingsOf(game).Position.pgnTitles(game, text);
  }

  get state(): State {
    return (this.#state ??= JSON.parse(this.#raw.state("{}")));
  }

  /** The state with the places of a drawing of these settings. */
  stateFor(drawing: Drawing): State {
    return JSON.parse(this.#raw.state(JSON.stringify(drawing)));
  }

  get game(): string {
    return this.state.game;
  }

  get text(): string {
    return this.state.text;
  }

  get turn(): 1 | 2 {
    return this.state.turn;
  }

  get legalMoves(): LegalMove[] {
    return this.state.moves;
  }

  get outcome(): Outcome | null {
    return this.state.outcome;
  }

  /** What sets up this position again. */
  get setup(): Required<Setup> {
    const { game, options, start, history } = this.state;
    return { game, options, start, moves: history };
  }

  /** Returns the position after a move, in the notation of the engine or as people write it. */
  play(move: string): Position {
    const raw = this.#raw.copy();
    try {
      raw.play(move);
    } catch (error) {
      raw.free();
      throw error;
    }
    return new Position(raw);
  }

  /** Returns the position after the first `plies` moves of this game. */
  at(plies: number): Position {
    return new Position(this.#raw.at(plies));
  }

  /** Draws the board as SVG. */
  svg(drawing: Drawing = {}): string {
    return this.#raw.svg(JSON.stringify(drawing));
  }

  /** Writes the game as PGN. */
  pgn(players: [string, string] = ["?", "?"], date?: string): string {
    return this.#raw.pgn(players[0], players[1], date);
  }

  /** Runs procedures of the literature, by their names, on the tree of this position to a depth in plies. */
  study(depth: number, order: MoveOrder, procedures: readonly string[]): Study {
    return JSON.parse(this.#raw.study(depth, JSON.stringify(order), procedures.join()));
  }

  /** Searches to a depth in plies by the engine, and records the last iteration. */
  record(depth: number): Recorded {
    return JSON.parse(this.#raw.record(depth));
  }

  /** Draws the board as text. */
  toString(): string {
    return this.#raw.toText();
  }
}
