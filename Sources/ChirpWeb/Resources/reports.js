// What the loudspeaker tells the hub. Reports go one after the other and are kept until they are there; of positions only the newest counts.
import { call, Refusal } from "./api.js";
import { facts, prefix } from "./words.js";

export class Reports {
  #path;
  #waiting = [];
  #isSending = false;

  constructor(path) {
    this.#path = path;
  }

  add(report) {
    this.#waiting = this.#waiting.filter((other) => other.state !== "position");
    this.#waiting.push(report);
    if (!this.#isSending) this.#send();
  }

  /** The last words of a page that is left. */
  leave(report) {
    const headers = { "Content-Type": "application/json", "X-Chirp-Form": facts.token ?? "" };
    fetch(prefix + this.#path, { method: "POST", keepalive: true, headers, body: JSON.stringify(report) }).catch(() => {});
  }

  async #send() {
    this.#isSending = true;
    while (this.#waiting.length) {
      const report = this.#waiting[0];
      try {
        await call("POST", this.#path, report);
      } catch (error) {
        const isFinal = error instanceof Refusal && error.status < 500 && ![408, 425, 429].includes(error.status);
        if (!isFinal) {
          await new Promise((done) => setTimeout(done, 1000));
          continue;
        }
      }
      this.#waiting = this.#waiting.filter((other) => other !== report);
    }
    this.#isSending = false;
  }
}
