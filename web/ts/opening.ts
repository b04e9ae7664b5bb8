/** Games and positions from links and texts. */

import { errorText } from "./dom.js";
import { missing } from "./errors.js";
import type { Link } from "./link.js";
import { load } from "./module.js";
import { Position } from "./position.js";
import type { Game } from "./types.js";

/**
 * Makes a game ready.
 *
 * @throws an error that says what is missing, where there is no network.
 */
export async function ready(name: string, games: Game[]): Promise<void> {
  try {
    await load(name);
  } catch (error) {
    const title = games.find((game) => game.name === name)?.title ?? name;
    throw new Error(missing(title, error), { cause: error });
  }
}

/**
 * Opens a link, with the error of what cannot be read: the game begins, up to its first illegal move; an unknown game is
 * Kalah.
 */
export async function opened(link: Partial<Link>, games: Game[]): Promise<[Position, string]> {
  const { game = "kalah", moves = [], ...rest } = link;
  if (!games.some(({ name }) => name === game)) {
    await ready("kalah", games);
    const names = games.map(({ name }) => name).join(", ");
    return [Position.create({ game: "kalah" }), `unknown game "${game}"; the games are ${names}`];
  }
  await ready(game, games);
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

/** Reads a game or a position, in any notation of the games; `last` is the position on the board. */
export async function readText(text: string, last: Position, games: Game[]): Promise<Position> {
  const word = text.trim();
  if (word === "") {
    throw new Error("There is nothing to read: the text is empty.");
  }
  if (/[\0\ufffd]/.test(word.slice(0, 1_000))) {
    throw new Error("This is not a text. A game is a PGN or PDN file, a position a FEN or what its game writes.");
  }
  const attempts = [
    () => Position.create({ game: last.game, options: last.state.options, start: word }),
    () => Position.create({ game: "chess", start: word }),
    () => Position.fromPgn(word, last.game),
    () => Position.fromPgn(word, "kalah"),
    () => Position.fromPgn(word, "chess"),
    ...games.map(({ name }) => () => Position.create({ game: name, start: word })),
  ];
  let failure: unknown;
  for (const { name } of games) {
    await ready(name, games);
  }
  for (const attempt of word.startsWith("[") || /^\d+\./.test(word) ? attempts.slice(2, 5) : attempts) {
    try {
      return attempt();
    } catch (error) {
      failure ??= error;
    }
  }
  const title = games.find(({ name }) => name === last.game)?.title ?? last.game;
  throw new Error(`No game reads this text. For ${title}: ${errorText(failure)}`, { cause: failure });
}
