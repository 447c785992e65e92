// What the server has put into the page for its scripts: the words of the visitor's language, and facts.
const element = document.getElementById("facts");
const page = element ? JSON.parse(element.textContent) : { facts: {}, words: {} };

export const { facts } = page;
/** What stands before every path of the hub; empty or beginning with a slash. */
export const prefix = document.documentElement.dataset.prefix ?? "";
export const language = document.documentElement.lang;

/** A text by its key; what stands in braces is filled in. */
export function word(key, values = {}) {
  return (page.words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** The same about a number of things: `key.one` or `key.other`. */
export function count(key, number, values = {}) {
  return word(`${key}.${number === 1 ? "one" : "other"}`, { count: number, ...values });
}
