/** What the browser remembers; nothing where a person has forbidden it. */

/** A storage, by its name: `sessionStorage` for a reload of the page, `localStorage` for later visits. */
type Name = "sessionStorage" | "localStorage";

/** Returns a remembered text. */
export function recall(storage: Name, key: string): string | null {
  try {
    return window[storage].getItem(key);
  } catch {
    return null;
  }
}

/** Remembers a text. */
export function remember(storage: Name, key: string, text: string): void {
  try {
    window[storage].setItem(key, text);
  } catch {
    // The page works without it.
  }
}
