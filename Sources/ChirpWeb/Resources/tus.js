// Sends something while it grows (tus 1.0, the length deferred). After each failure the server is asked how much it has, and sending goes on
// from there: no byte goes twice but those of the last chunk, whatever happens to page, line or server.
import { measured } from "./line.js";
import { facts, prefix } from "./words.js";

const version = "1.0.0";
const leastChunk = 32 * 1024;
const mostChunk = 4 * 1024 * 1024;
/** Bytes that are worth a request while more are to come. */
const enough = 64 * 1024;
/** A chunk that takes longer has met a dead line. */
const patience = 30_000;
const mostWait = 15_000;

/** The server will never take it. `status` is what it answered. */
export class UploadRefused extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

class Failed extends Error {
  constructor(answer) {
    super(String(answer.status));
    this.status = answer.status;
    this.after = Number(answer.headers.get("Retry-After")) * 1000 || 0;
  }
}

/** `source` has `bytes`, `isWhole` and `read(from, to)`; with `isFixed` its length is announced at once. */
export class Upload {
  #source;
  #metadata;
  #offset = null;
  #chunk = 128 * 1024;
  #failures = 0;
  #isAway = false;
  /** Failures since something arrived, and how much was there then: a line that is cut again and again, but moves something, is not waited for longer. */
  #vain = 0;
  #reached = 0;
  #isEnded = false;
  #wake = () => {};
  #abort = new AbortController();
  url;
  /** How many bytes are known to be there. */
  get bytes() {
    return this.#offset ?? 0;
  }

  /** Everything is there, and the server knows that it is everything. */
  isDone = false;
  /** A `Line`, to be told how quickly it goes; what it measures goes first, in one piece. */
  line = null;
  /** Called once, when the line is measured, and awaited: false ends the upload, and nothing of it stays. */
  onMeasured = async () => true;
  #wasMeasured = false;
  /** Called when the address is known, so that it can be remembered. */
  onBegun = async () => {};
  /** Called with the bytes that are there. */
  onProgress = () => {};
  /** Called with false when the connection is lost, with true when it is back. */
  onConnection = () => {};

  /** `url` of what was begun before, or null. */
  constructor(source, url, metadata) {
    this.#source = source;
    this.url = url;
    this.#metadata = metadata;
    // The network is back: no reason to wait longer.
    window.addEventListener("online", () => this.#wake(), { signal: this.#abort.signal });
  }

  get id() {
    return this.url?.split("/").pop() ?? null;
  }

  /** Whether the last thing that was tried has failed. */
  get isAway() {
    return this.#isAway;
  }

  /** There is more, or all there will be. */
  more() {
    if (this.#failures === 0) this.#wake();
  }

  /** Nothing is sent any more. */
  cancel() {
    this.#isEnded = true;
    this.#abort.abort();
    this.#wake();
  }

  /** Sends until all is there. Throws `UploadRefused`. */
  async run() {
    while (!this.#isEnded && !this.isDone) {
      try {
        if (!this.url) await this.#begin();
        if (this.#offset === null) await this.#ask();
        if (!this.isDone) await this.#next();
        if (this.#failures > 0) this.onConnection(true);
        this.#isAway = false;
        this.#failures = 0;
        this.#vain = 0;
      } catch (error) {
        if (this.#isEnded) return;
        await this.#recover(error);
      }
    }
  }

  async #send(method, url, headers, body) {
    const signal = AbortSignal.any?.([this.#abort.signal, AbortSignal.timeout(patience)]) ?? this.#abort.signal;
    const answer = await fetch(url, {
      method, body, signal, credentials: "same-origin", cache: "no-store",
      headers: { "Tus-Resumable": version, "X-Chirp-Form": facts.token ?? "", ...headers },
    });
    if (!answer.ok) throw new Failed(answer);
    return answer;
  }

  async #begin() {
    const metadata = Object.entries(this.#metadata).map(([name, value]) => `${name} ${btoa(value)}`).join(",");
    const length = this.#source.isFixed ? { "Upload-Length": String(this.#source.bytes) } : { "Upload-Defer-Length": "1" };
    const began = performance.now();
    const answer = await this.#send("POST", `${prefix}/api/uploads`, { ...length, "Upload-Metadata": metadata });
    this.line?.answered(performance.now() - began);
    // The path alone: the server may know itself by another name.
    this.url = new URL(answer.headers.get("Location"), location.href).pathname;
    this.#offset = this.#reached = 0;
    await this.onBegun();
  }

  async #ask() {
    const answer = await this.#send("HEAD", this.url, {});
    const there = Number(answer.headers.get("Upload-Offset"));
    if (there > this.#source.bytes) {
      // The battery died before the disk had what was sent: what is here is sent anew.
      await this.#send("DELETE", this.url, {});
      this.url = null;
      return;
    }
    this.#offset = there;
    if (there > this.#reached) this.#vain = 0;
    this.#reached = Math.max(this.#reached, there);
    this.onProgress(there);
    const length = answer.headers.get("Upload-Length");
    if (length !== null && Number(length) === there) this.isDone = true;
  }

  async #next() {
    if (this.url === null) return;
    // While more is to come something is held back, so that the last chunk, which tells the length, is never empty.
    const ready = this.#source.bytes - this.#offset - (this.#source.isWhole ? 0 : 2);
    if (!this.#source.isWhole && ready < enough) return this.#rest();
    const most = this.line && !this.line.isMeasured ? measured : this.#chunk;
    const bytes = await this.#source.read(this.#offset, this.#offset + Math.min(ready, most));
    const end = this.#offset + bytes.byteLength;
    const isLast = this.#source.isWhole && end === this.#source.bytes;
    const headers = { "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(this.#offset) };
    if (isLast) headers["Upload-Length"] = String(end);
    const began = performance.now();
    const answer = await this.#send("PATCH", this.url, headers, bytes);
    this.#fit(performance.now() - began, bytes.byteLength);
    this.line?.moved(bytes.byteLength, performance.now() - began);
    this.#offset = Number(answer.headers.get("Upload-Offset") ?? end);
    this.isDone = isLast && this.#offset === end;
    this.onProgress(this.#offset);
    if (!this.line?.isMeasured || this.#wasMeasured || this.isDone) return;
    this.#wasMeasured = true;
    if (await this.onMeasured(this.line)) return;
    await this.#send("DELETE", this.url, {});
    this.cancel();
  }

  /** A chunk takes about a second: little is lost with it, and little is spent on asking. */
  #fit(milliseconds, count) {
    if (milliseconds > 3000) this.#chunk = Math.max(leastChunk, this.#chunk / 2);
    else if (milliseconds < 700 && count === this.#chunk) this.#chunk = Math.min(mostChunk, this.#chunk * 2);
  }

  async #recover(error) {
    this.#offset = null;
    const status = error.status ?? 0;
    if (status === 404 || status === 410) {
      // Unfinished ones go after a day: it begins anew.
      this.url = null;
      if (this.#failures > 0) await this.#pause(0);
      this.#failures += 1;
      this.#vain += 1;
      return;
    }
    if (status === 409 && this.#failures === 0) {
      this.#failures = 1;
      return;
    }
    const isPassing = status === 0 || status === 409 || status === 423 || status === 429 || status >= 500;
    if (!isPassing) {
      this.#isEnded = true;
      throw new UploadRefused(status, error.message);
    }
    if (error.name === "TimeoutError") this.#chunk = Math.max(leastChunk, this.#chunk / 4);
    // Cut in the middle: the next pieces are such as go over this line between two cuts.
    else if (status === 0) this.#chunk = Math.max(leastChunk, this.#chunk / 2);
    this.#isAway = true;
    if (this.#failures === 0) this.onConnection(false);
    await this.#pause(error.after ?? 0);
    this.#failures += 1;
    this.#vain += 1;
  }

  /** Doubles with each failure, and is never the same for two browsers. */
  #pause(least) {
    const wait = Math.min(mostWait, 500 * 2 ** Math.min(this.#vain, 6)) * (0.75 + Math.random() / 2);
    return this.#rest(Math.max(least, wait));
  }

  #rest(milliseconds) {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (milliseconds !== undefined) setTimeout(resolve, milliseconds);
      if (this.#isEnded) resolve();
    });
  }
}
