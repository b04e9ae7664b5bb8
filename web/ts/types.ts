/** The values that the engine returns. */

/** A game of the engine. */
export interface Game {
  /** The name: `kalah`, `chess`, ... */
  name: string;
  /** The name as people write it. */
  title: string;
  about: string;
  /** How to play, for beginners. */
  rules: string;
  /** The names of the two players. */
  sides: [string, string];
  /** Whether its pieces may be Chinese characters. */
  characters: boolean;
  /** Whether exact search may find the value: no position can come back. */
  solvable: boolean;
  options: GameOption[];
}

/** The levels of an opponent. */
export interface Levels {
  /** The number of the usual one, from 1. */
  default: number;
  /** The descriptions, from level 1 on. */
  levels: string[];
}

/** An option of a game. */
export interface GameOption {
  name: string;
  help: string;
  kind: "check" | "spin" | "combo" | "text";
  default: string;
  /** The least and the greatest value, of a spin. */
  range?: [number, number];
  /** The choices, of a combo. */
  choices?: string[];
}

/** A place on the drawing of a board, in the pixels of the drawing. */
export interface Spot {
  name: string;
  /** The place and what stands there: `e4, white pawn`. */
  label: string;
  /** The centre. */
  x: number;
  y: number;
  width: number;
  height: number;
  /** The radius of the corners. */
  round: number;
}

/** A legal move. */
export interface LegalMove {
  /** The move in the notation of the engine. */
  move: string;
  /** The move as people read it. */
  san: string;
  /** The numbers of the spots that show the move, in its order. */
  spots: number[];
}

/** The result of a game. */
export interface Outcome {
  /** The result of player 1. */
  result: "win" | "draw" | "loss";
  /** The lead of player 1, in games of margins. */
  margin: number | null;
  /** The result as PGN writes it. */
  pgn: string;
}

/** What a page needs to know of a position. */
export interface State {
  game: string;
  /** The options that are not at their defaults. */
  options: Record<string, string>;
  /** The position in the notation of its game, such as a FEN. */
  text: string;
  /** The position that was set up, before the moves. */
  start: string;
  /** The side to move. */
  turn: 1 | 2;
  sides: [string, string];
  /** The moves played. */
  history: string[];
  /** The same as people read them. */
  san: string[];
  /** The number before each move: `1.`, or null before the second move of a pair; a notebook has none. */
  numbers?: (string | null)[];
  /** The player of each move; a notebook has none. */
  players?: (1 | 2)[];
  /** The special effect of the last move: `captures 5 seeds`. */
  remark: string | null;
  moves: LegalMove[];
  outcome: Outcome | null;
  /** The side to move, or the result, in words. */
  status: string;
  board: { width: number; height: number; way: boolean; spots: Spot[]; last: number[] };
}

/** The settings of a drawing. */
export interface Drawing {
  theme?: "auto" | "light" | "dark";
  /** The player below, or 0 for the usual view. */
  below?: 0 | 1 | 2;
  /** Whether rows and columns have their names. */
  coordinates?: boolean;
  /** Whether the pieces of xiangqi are Chinese characters. */
  characters?: boolean;
  /** A legal move, marked by an arrow or a ring. */
  best?: string;
  /** Whether the last move is marked. */
  last?: boolean;
  /** The width in pixels. */
  size?: number;
  /** Arrows: the spots from the tail to the head, as in `e2e4`, and a colour of CSS. */
  arrows?: [string, string | null][];
  /** Spots to fill, with their colours. */
  fill?: [string, string][];
}

/** The limits of a search; the first one reached ends it. */
export interface Limit {
  /** Plies. */
  depth?: number;
  /** Positions entered. */
  nodes?: number;
  /** Milliseconds. */
  movetime?: number;
  /** Full moves within which a win is searched for. */
  mate?: number;
  /** The number of best moves that get a line of their own. */
  multipv?: number;
  /** The moves to search; all if empty. */
  searchmoves?: string[];
}

/** A line of a search. */
export interface Line {
  /** The number, from 1 for the best. */
  line: number;
  /** Centi-units for the side to move; a win or loss `n` plies away is ±(32000 - n). */
  score: number;
  bound: "exact" | "lower" | "upper";
  /** What is proven of the value of the game itself. */
  proven: "exact" | "lower" | "upper" | null;
  /** The score and what is proven of it, in words. */
  text: string;
  /** Full moves to the forced win, or to the loss if negative. */
  mate: number | null;
  /** The probabilities of a win, a draw and a loss, per mille. */
  wdl: [number, number, number] | null;
  /** The line of play. */
  pv: string[];
  /** The same as people read it. */
  san: string[];
}

/** The state or the result of a search. */
export interface Analysis {
  depth: number;
  seldepth: number;
  nodes: number;
  nps: number;
  /** Milliseconds. */
  time: number;
  /** Fill of the table, per mille. */
  hashfull: number;
  /** The best moves, the best first. */
  lines: Line[];
}

/** An annotated move. */
export interface Note {
  /** The number before the move, if it has one. */
  number: string;
  mv: string;
  /** `!`, `□`, `?!`, `?`, `??`, or nothing. */
  glyph: string;
  /** The glyph in words. */
  assessment: string;
  /** The score for player 1. */
  score: string;
  /** What was better, with the best line. */
  better: string;
  /** What the file says of the move. */
  comment: string;
}

/** The moves of a player in numbers. */
export interface Summary {
  name: string;
  /** The accuracy, percent. */
  accuracy: number | null;
  /** Centi-units. */
  average_loss: number | null;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
}

/** An annotated game. */
export interface Annotated {
  title: string;
  players: [Summary, Summary];
  moves: Note[];
  /** The winning chances of player 1 over the game, as SVG. */
  graph: string;
  pgn: string;
}

/** The exact value of a move. */
export interface MoveValue {
  move: string;
  san: string;
  /** The lower and the upper bound as players count them; null for a bound that excludes nothing. */
  bounds: [number | null, number | null];
  text: string;
  /** Whether the move keeps the value of the position. */
  best: boolean;
  /** The result for the side to move, if it is known. */
  outcome: "win" | "draw" | "loss" | null;
}

/** The exact value of a position, as far as it is known. */
export interface Solution {
  solved: boolean;
  complete: boolean;
  bounds: [number | null, number | null];
  text: string;
  /** Why the search gave the position up before any limit. */
  refused: string | null;
  moves: MoveValue[];
  pv: string[];
  san: string[];
  nodes: number;
  /** Milliseconds. */
  time: number;
}
