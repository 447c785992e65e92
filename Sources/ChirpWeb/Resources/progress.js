// How far the turn of the moment is, kept in the browser: a page that is loaded anew, or another tab, goes on there and repeats nothing.
import { prefix } from "./words.js";

const key = `chirp.live.progress ${prefix}`;

export class Progress {
  /** `isKnown`: it was begun. `end`: how it ended, when it did. */
  of(session, turn) {
    try {
      const kept = JSON.parse(localStorage.getItem(key));
      if (kept?.session === session && kept.turn === turn) return { isKnown: true, ...kept };
    } catch {
      // Nothing was kept, or something else.
    }
    return { isKnown: false, seconds: 0, end: null };
  }

  reached(session, turn, seconds) {
    this.#keep({ session, turn, seconds, end: null });
  }

  ended(session, turn, end) {
    this.#keep({ session, turn, seconds: 0, end });
  }

  forget() {
    localStorage.removeItem(key);
  }

  #keep(value) {
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // No room, or none allowed: then the hub's own count has to do.
    }
  }
}
