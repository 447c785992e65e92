// One recording on its way to the hub: sent while it is made, published when that was asked for. It goes on by itself when the network is
// back, and asking twice publishes once, because the hub answers a repeated call with what it did the first time.
import { call, Refusal } from "./api.js";
import { Upload, UploadRefused } from "./tus.js";
import { facts } from "./words.js";

const pause = (milliseconds) => new Promise((resolve) => {
  const timer = setTimeout(done, milliseconds);
  function done() {
    clearTimeout(timer);
    window.removeEventListener("online", done);
    resolve();
  }
  window.addEventListener("online", done);
});

/** Somebody else's recording, or a visitor's, is not sent by itself. */
export const isSendable = (take) => facts.signedIn === "yes" && take.facts.person === (facts.person ?? "");

export class Sending {
  #take;
  #upload = null;
  #sent = null;
  #isEnded = false;
  #removal = null;
  #said = 0;
  /** Called with the percentage, a multiple of 25, each once and only while more is to come. */
  onQuarter = () => {};
  /** Called with `sending`, `sent`, `lost` (no connection) or `refused`, and why. */
  onState = () => {};
  state = "idle";
  why = null;

  constructor(take) {
    this.#take = take;
  }

  /** Where the hub keeps what was sent; null when nothing was. */
  get draft() {
    return this.#take.facts.upload?.split("/").pop() ?? null;
  }

  /** Begins to send, or goes on. */
  start() {
    if (this.#sent || facts.signedIn !== "yes") return;
    this.#set("sending");
    const upload = new Upload(this.#take, this.#take.facts.upload, { filetype: "audio/wav", draft: "1" });
    upload.onBegun = () => this.#take.save({ upload: upload.url });
    upload.onConnection = (isThere) => this.#set(isThere ? "sending" : "lost");
    upload.onProgress = (bytes) => this.#progress(bytes);
    this.#upload = upload;
    this.#sent = upload.run().then(
      () => {
        if (upload.isDone) this.#set("sent");
      },
      (error) => {
        this.#sent = null;
        this.#set("refused", error);
        throw error;
      });
    // Whoever publishes hears of it.
    this.#sent.catch(() => {});
  }

  more() {
    this.#upload?.more();
  }

  #set(state, why = null) {
    if (this.#isEnded || (state === this.state && why === this.why)) return;
    this.state = state;
    this.why = why;
    this.onState(state, why);
  }

  #progress(bytes) {
    if (!this.#take.isWhole) return;
    const quarter = Math.floor((bytes / this.#take.bytes) * 4) * 25;
    if (quarter <= this.#said || quarter >= 100) return;
    this.#said = quarter;
    this.onQuarter(quarter);
  }

  /** What was there before the end of the recording is not news. */
  quartersFromNow(bytes = this.#upload?.bytes ?? 0) {
    this.#said = Math.floor((bytes / this.#take.bytes) * 4) * 25;
  }

  /** Tells the hub where the recording is cut or what it is called, so that the clip is made before it is published. */
  async change(wish) {
    if (this.state !== "sent" || !this.draft) return;
    try {
      await call("PUT", `/api/hub/v1/drafts/${this.draft}`, wish);
    } catch {
      // It is said again with the publication.
    }
  }

  /** Publishes what the take's facts say, and gives the page. Throws `Refusal` or `UploadRefused` when that will never do. */
  async publish() {
    const take = this.#take;
    let waits = 0;
    let isAnew = false;
    while (!this.#isEnded) {
      try {
        this.start();
        await this.#sent;
        const { title, text, transcript, from, to, visibility, language, onward, recipient, answers } = take.facts;
        const wish = { title, text, transcript, from, to, visibility, language, onward, answers: answers ?? undefined };
        if (recipient) {
          // The publication has one word for the end of the sound and for whom it is.
          await call("PUT", `/api/hub/v1/drafts/${this.draft}`, { from, to });
          Object.assign(wish, { from: undefined, to: recipient, onward: [] });
        }
        const answer = await call("POST", `/api/hub/v1/drafts/${this.draft}/publication`, wish);
        // 202: the clip is still being made.
        if (answer?.page) return answer;
        waits = 0;
      } catch (error) {
        if (error instanceof UploadRefused) throw error;
        if (this.#removal) {
          // What is taken away is not published; what could not be taken away goes on.
          await this.#removal.catch(() => {});
          continue;
        }
        if (error instanceof Refusal) {
          const isPassing =
            error.status >= 500 || error.status === 429 || (error.status === 409 && error.type === "still-receiving");
          if (error.status === 404 && !isAnew) {
            // The hub keeps drafts for a while only; here it is still.
            isAnew = true;
            await take.save({ upload: null });
            this.#sent = null;
            continue;
          }
          if (!isPassing) throw error;
        } else {
          this.#set("lost");
        }
        await pause(Math.min(15_000, 300 * 2 ** Math.min(waits, 6)));
        waits += 1;
        if (this.state === "lost") this.#set("sent");
      }
    }
    return null;
  }

  /** Ends sending and takes away what the hub has. Throws when that fails: then all is as before, but nothing is sent. */
  remove() {
    this.#removal = this.#remove().finally(() => (this.#removal = null));
    return this.#removal;
  }

  async #remove() {
    this.#upload?.cancel();
    this.#sent = null;
    try {
      if (this.draft && facts.signedIn === "yes") await call("DELETE", `/api/hub/v1/drafts/${this.draft}`);
    } catch (error) {
      const isGone = error instanceof Refusal && (error.status === 404 || error.status === 410);
      if (!isGone) {
        this.start();
        throw error;
      }
    }
    this.#isEnded = true;
  }

  end() {
    this.#isEnded = true;
    this.#upload?.cancel();
  }
}
