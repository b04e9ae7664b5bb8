/** Errors as the page shows them. */

import { errorText, notify } from "./dom.js";
import { Stopped } from "./engine.js";

/** Shows an error. */
export function complain(error: unknown): void {
  if (!(error instanceof Stopped)) {
    notify(errorText(error), true);
  }
}

/** Says that a part of the page could not be fetched, if that is the error. */
export function missing(what: string, error: unknown): string {
  const isFetch = error instanceof TypeError && /fetch|import|network/i.test(error.message);
  return isFetch ? `${what} is not on this device yet, and there is no network. It is kept once it has been loaded.` : errorText(error);
}
