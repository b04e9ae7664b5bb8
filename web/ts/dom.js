/** Elements of a page, and what they show. */

/**
 * Returns the text of an error.
 *
 * @param {unknown} error
 */
export function errorText(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Shows a message of the page, or an error.
 *
 * @param {string} text
 * @param {boolean} isError
 */
export function notify(text, isError = false) {
  const message = element("message", HTMLElement);
  message.textContent = text;
  message.classList.toggle("error", isError);
}

/**
 * Returns the element with an id, of a class.
 *
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function element(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) {
    throw new Error(`the page has no ${kind.name} #${id}`);
  }
  return found;
}

/**
 * Creates an element with its text.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string>} attributes
 */
export function create(tag, text = "", attributes = {}) {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, value);
  }
  return made;
}
