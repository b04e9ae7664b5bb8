/** A game in the address of the page: what is played, by whom, and the moves. */

import { parseControl, writeControl, type Control } from "./clocks.js";
import { STARTPOS, type Setup } from "./position.js";

/** The people at the board: player 1, player 2, both, or none of them. */
export type Seats = "first" | "second" | "both" | "none";

export interface Link extends Required<Setup> {
  seats: Seats;
  level: number;
  clock: Control | undefined;
}

const SEATS: readonly Seats[] = ["first", "second", "both", "none"];

/** Reads the part of an address after `#`; what is missing is left to the page. */
export function read(hash: string): Partial<Link> {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const link: Partial<Link> = {};
  const game = words.get("game");
  if (game) {
    link.game = game;
  }
  const options = words.get("options");
  if (options) {
    link.options = Object.fromEntries(
      options.split(";").map((option) => {
        const [name = "", ...value] = option.split("=");
        return [name, value.join("=")];
      }),
    );
  }
  const start = words.get("start");
  if (start) {
    link.start = start;
  }
  const moves = words.get("moves");
  if (moves) {
    link.moves = moves.split(",").filter((move) => move !== "");
  }
  const seats = SEATS.find((seats) => seats === words.get("play"));
  if (seats) {
    link.seats = seats;
  }
  const level = Number(words.get("level"));
  if (Number.isInteger(level) && level > 0) {
    link.level = level;
  }
  const clock = parseControl(words.get("clock") ?? "");
  if (clock) {
    link.clock = clock;
  }
  return link;
}

/** Writes a game for an address. */
export function write({ game, options, start, moves, seats, level, clock }: Link): string {
  const words = new URLSearchParams({ game });
  const changed = Object.entries(options).map(([name, value]) => `${name}=${value}`);
  if (changed.length > 0) {
    words.set("options", changed.join(";"));
  }
  if (start !== STARTPOS) {
    words.set("start", start);
  }
  if (moves.length > 0) {
    words.set("moves", moves.join(","));
  }
  words.set("play", seats);
  words.set("level", String(level));
  if (clock) {
    words.set("clock", writeControl(clock));
  }
  return `#${words}`;
}
