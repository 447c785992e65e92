// What is new for the frame: events in order, each once, over cut connections and restarts of the server.
import { call } from "./api.js";
import { prefix } from "./words.js";

/** A connection that says nothing for so long is taken for cut; the server speaks every 15 s. */
const SILENCE = 40_000;
const LONGEST_WAIT = 8_000;

export class Feed {
  constructor(api, handlers) {
    this.api = api;
    this.handlers = handlers;
    this.newest = 0;
    this.seen = 0;
    this.contact = Date.now();
    this.wait = 500;
    this.timers = [setInterval(() => this.look(), 5_000)];
    this.open();
  }

  /** First what is waiting, then what comes: the list is asked for again at each connection, so nothing depends on one. */
  async open() {
    if (this.isEnded) return;
    try {
      const { updates } = await call("GET", `${this.api}/updates?limit=50`);
      for (const update of updates) this.take(update);
    } catch (error) {
      // A proxy may answer 404 for a hub that is away; only the hub itself says that there is no frame.
      if (error.type === "no-frame") return this.handlers.ended(error.message);
      return this.again();
    }
    if (this.isEnded) return;
    const source = new EventSource(`${prefix}${this.api}/events?after=${this.newest}`);
    this.source = source;
    this.heard = Date.now();
    const on = (name, act) => source.addEventListener(name, (event) => {
      this.heard = Date.now();
      act(JSON.parse(event.data));
    });
    source.addEventListener("open", () => {
      this.heard = Date.now();
      this.wait = 500;
    });
    on("update", (update) => this.take(update));
    on("frame", (frame) => this.handlers.frame(frame));
    on("contact", ({ at }) => (this.contact = Date.parse(at) || Date.now()));
    on("ended", ({ why }) => this.handlers.ended(why));
    on("alive", () => {});
    source.addEventListener("error", () => this.again());
  }

  take(update) {
    this.contact = Date.now();
    if (update.id <= this.newest) return;
    this.newest = update.id;
    if (update.shown) this.seen = Math.max(this.seen, update.id);
    this.handlers.update(update);
  }

  /** The last event was said to have been shown; said again when that did not arrive. */
  shown(update) {
    if (update.id <= this.seen) return;
    this.seen = update.id;
    this.tell();
  }

  async tell() {
    const id = this.seen;
    try {
      await call("POST", `${this.api}/seen`, { id });
      this.told = id;
    } catch {
      // The next look says it.
    }
  }

  again() {
    this.source?.close();
    this.source = null;
    if (this.isEnded || this.isWaiting) return;
    this.isWaiting = true;
    setTimeout(() => {
      this.isWaiting = false;
      this.open();
    }, this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  look() {
    if (this.source && Date.now() - this.heard > SILENCE) this.again();
    if (this.seen > (this.told ?? 0)) this.tell();
    this.handlers.age(Math.floor((Date.now() - this.contact) / 60_000));
  }

  end() {
    this.isEnded = true;
    this.source?.close();
    this.timers.forEach(clearInterval);
  }
}
