/** What the browser remembers; nothing where a person has forbidden it. */

/** A storage, by its name: `sessionStorage` for a reload of the page, `localStorage` for later visits. */
type Name = "sessionStorage" | "localStorage";

/** Returns what is remembered under a name. */
export function recall<T>(storage: Name, key: string): T | undefined {
  try {
    return JSON.parse(window[storage].getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/** Remembers what JSON can write. */
export function remember(storage: Name, key: string, value: unknown): void {
  try {
    window[storage].setItem(key, JSON.stringify(value ?? null));
  } catch {
    // The page works without it.
  }
}
