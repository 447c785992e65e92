// The recordings of this browser. The sound lies in its private file system, written while it is made; the list, with what was typed and
// how far each was sent, in IndexedDB. Neither loses anything when the browser is killed.
import { head, headBytes } from "./wav.js";

const table = "takes";

function opened() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("chirp", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(table, { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

let base = null;

/** One transaction; resolves with the request's result when all is written. */
async function withTable(mode, act) {
  base ??= opened();
  const store = (await base).transaction(table, mode, { durability: "strict" });
  const request = act(store.objectStore(table));
  return new Promise((resolve, reject) => {
    store.oncomplete = () => resolve(request.result);
    store.onabort = store.onerror = () => reject(store.error ?? request.error);
  });
}

let worker = null;
let asked = 0;
const waiting = new Map();

function ask(act, fields, transfer = []) {
  if (!worker) {
    worker = new Worker(new URL("./keeper.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data: { id, result, error } }) => {
      const { resolve, reject } = waiting.get(id);
      waiting.delete(id);
      if (error) reject(new DOMException(error.message, error.name));
      else resolve(result);
    };
    worker.onerror = () => {
      // The next one who asks begins another: this one answers nobody any more.
      worker.terminate();
      worker = null;
      for (const { reject } of waiting.values()) reject(new Error("the worker that keeps recordings has ended"));
      waiting.clear();
    };
  }
  asked += 1;
  const id = asked;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, act, ...fields }, transfer);
  });
}

/** Keeps bytes in memory where the browser has no private file system, as in some private windows. */
class Memory {
  #pieces = [];
  isLasting = false;

  async append(bytes) {
    this.#pieces.push(new Uint8Array(bytes));
  }

  async read(from, to) {
    return new Blob(this.#pieces).slice(from, to).arrayBuffer();
  }

  async blob() {
    return new Blob(this.#pieces);
  }

  async close() {}
  async remove() {
    this.#pieces = [];
  }
}

class Kept {
  #name;
  isLasting = true;

  constructor(id) {
    this.#name = `${id}.wav`;
  }

  open() {
    return ask("open", { name: this.#name });
  }

  append(bytes) {
    return ask("append", { name: this.#name, bytes }, [bytes]);
  }

  read(from, to) {
    return ask("read", { name: this.#name, from, to });
  }

  async blob() {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("takes");
    return (await folder.getFileHandle(this.#name)).getFile();
  }

  close() {
    return ask("close", { name: this.#name });
  }

  remove() {
    return ask("remove", { name: this.#name });
  }
}

/** One recording. `facts` is what the list says of it. */
export class Take {
  #sound;
  #release = null;
  /** Bytes that can be read, the head among them. */
  bytes = 0;
  /** No more will come. */
  isWhole = false;
  facts;

  constructor(facts, sound) {
    this.facts = facts;
    this.#sound = sound;
  }

  get id() {
    return this.facts.id;
  }

  /** It is there after a reload. */
  get isLasting() {
    return this.#sound.isLasting;
  }

  get seconds() {
    const { rate, channels } = this.facts;
    return Math.max(0, this.bytes - headBytes) / (2 * channels * rate);
  }

  /** Begins a recording. It stands in the list before its first sample. */
  static async begin(rate, person) {
    const facts = {
      id: crypto.randomUUID(), created: Date.now(), rate, channels: 1, person, upload: null, missing: 0, wanted: false,
      title: "", text: "", transcript: "", from: null, to: null, visibility: "public", language: null, onward: [],
    };
    const sound = new Kept(facts.id);
    let take = new Take(facts, sound);
    // Before it is in the list: a page that opens now would take it for left behind, and it is empty.
    await take.hold();
    try {
      await withTable("readwrite", (store) => store.put(facts));
      await sound.open();
    } catch {
      const release = take.#release;
      take = new Take(facts, new Memory());
      take.#release = release;
    }
    await take.#add(head(rate, 1).buffer);
    return take;
  }

  /** Adds samples. They can be read when it returns. */
  append(samples) {
    return this.#add(samples.buffer);
  }

  async #add(bytes) {
    const count = bytes.byteLength;
    await this.#sound.append(bytes);
    this.bytes += count;
  }

  async end() {
    // A full disk may refuse the end. What was written before is there, and is whole now.
    await this.#sound.close().catch(() => {});
    this.isWhole = true;
  }

  read(from, to) {
    return this.#sound.read(from, to);
  }

  /** A part of it as a WAV of its own; seconds. */
  async part(from, to) {
    const { rate, channels } = this.facts;
    const frame = 2 * channels;
    const place = (seconds) => Math.min(this.bytes, headBytes + Math.round(seconds * rate) * frame);
    const [start, end] = [place(from), place(to)];
    const sound = (await this.#sound.blob()).slice(start, end);
    return new Blob([head(rate, channels, end - start), sound], { type: "audio/wav" });
  }

  /** Remembers what has changed. */
  async save(changes) {
    Object.assign(this.facts, changes);
    if (this.isLasting) await withTable("readwrite", (store) => store.put(this.facts));
  }

  async remove() {
    await this.#sound.remove();
    if (this.isLasting) await withTable("readwrite", (store) => store.delete(this.id));
    this.#release?.();
  }

  /** Makes it this page's until the page goes, so that no two pages send it. False when another page has it. */
  async hold() {
    if (this.#release || !navigator.locks) return true;
    return new Promise((answer) => {
      navigator.locks.request(`take-${this.id}`, { ifAvailable: true }, (lock) => {
        answer(lock !== null);
        return lock && new Promise((release) => (this.#release = release));
      });
    });
  }
}

/** What was left behind by pages that are gone, newest first. */
export async function leftBehind() {
  if (!navigator.storage?.getDirectory || !window.indexedDB) return [];
  const takes = [];
  for (const facts of await withTable("readonly", (store) => store.getAll())) {
    const sound = new Kept(facts.id);
    const take = new Take(facts, sound);
    if (!(await take.hold())) continue;
    try {
      // Half a sample may stand at the end of what was cut off.
      take.bytes = (await sound.blob()).size & ~1;
    } catch {
      take.bytes = 0;
    }
    if (take.bytes <= headBytes) {
      // One that cannot be removed keeps none of the others away.
      await take.remove().catch(() => {});
      continue;
    }
    take.isWhole = true;
    takes.push(take);
  }
  return takes.sort((one, other) => other.facts.created - one.facts.created);
}
