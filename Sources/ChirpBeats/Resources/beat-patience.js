// What takes longer is said in words, with why, is tried on, and can be stopped (AR-14).
import { say } from "./say.js";
import { word } from "./words.js";

/** After so long without data it is said, in ms. */
export const patience = 3000;
const mostWait = 8000;

/** Somebody has stopped it. */
export class Stopped extends Error {}

const pause = (milliseconds, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener("abort", end, { once: true });
    window.addEventListener("online", end, { once: true, signal });
  });

/** Why nothing has come: the connection, or the server and what it said. */
function reason(error) {
  if (navigator.onLine === false) return word("beat.script.offline");
  if (error?.status >= 500) return word("beat.script.server");
  if (error instanceof TypeError) return word("beat.script.away");
  return word("beat.script.busy");
}

/** A sentence with a button beside what is waited for. It is there while it is needed, and said once. */
export class Notice {
  #node = null;

  constructor(place, stop) {
    this.place = place;
    this.stop = stop;
  }

  show(text) {
    if (!this.#node) {
      this.#node = document.createElement("div");
      this.#node.className = "beat-patience";
      const line = document.createElement("p");
      const button = Object.assign(document.createElement("button"), { type: "button", className: "act", textContent: word("beat.script.stop") });
      button.addEventListener("click", () => this.stop());
      this.#node.append(line, button);
      this.place.append(this.#node);
      say(text);
    }
    this.#node.firstChild.textContent = text;
  }

  end() {
    this.#node?.remove();
    this.#node = null;
  }
}

/**
 * Does something until it succeeds. `work` gets a signal, and throws what has a `status` when the server has answered; a refusal (below 500, but
 * 429) is thrown on. `place` is where it is said. Throws `Stopped`.
 */
export async function patiently(work, place) {
  const ending = new AbortController();
  let last = null;
  const notice = new Notice(place, () => ending.abort());
  const timer = setInterval(() => notice.show(reason(last)), patience);
  try {
    for (let failures = 0; !ending.signal.aborted; failures += 1) {
      try {
        return await work(ending.signal);
      } catch (error) {
        if (ending.signal.aborted) break;
        const isPassing = error instanceof TypeError || error.status >= 500 || error.status === 429;
        if (!isPassing) throw error;
        last = error;
        await pause(Math.min(mostWait, 500 * 2 ** failures), ending.signal);
      }
    }
    throw new Stopped(word("beat.script.stopped"));
  } finally {
    clearInterval(timer);
    notice.end();
  }
}

/** A page of the board, as it is now. */
export async function page(address, signal) {
  const answer = await fetch(address, { headers: { accept: "text/html" }, signal });
  if (!answer.ok) throw Object.assign(new Error(String(answer.status)), { status: answer.status });
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}
