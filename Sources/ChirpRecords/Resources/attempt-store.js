// Attempts that were made and are not handed in yet: kept in this browser, sent when the hub is there, taken by it once whatever happens in
// between. What somebody has made here is sent as nobody else's.
import { call, Refusal } from "./api.js";
import { FileSource } from "./line.js";
import { Upload, UploadRefused } from "./tus.js";
import { facts, prefix } from "./words.js";

const store = "attempts";

function database() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("chirp-attempts", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(store, { keyPath: "key" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function act(mode, work) {
  const data = await database();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = data.transaction(store, mode);
      const request = work(transaction.objectStore(store));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    data.close();
  }
}

/** Keeps one; a browser without room or in private keeps none, and it is sent all the same. */
export const keep = (entry) => act("readwrite", (all) => all.put(entry)).catch(() => {});
export const forget = (key) => act("readwrite", (all) => all.delete(key)).catch(() => {});
export const waiting = () => act("readonly", (all) => all.getAll()).catch(() => []);

/** The hub will never take it. `fields` are sentences by the names of fields. */
export class NotTaken extends Error {
  constructor(title, fields = {}) {
    super(Object.values(fields)[0] ?? title);
    this.fields = fields;
  }
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The upload of an attempt's recording. */
export function uploadOf(blob, entry) {
  const type = blob.type.split(";")[0] || "application/octet-stream";
  const said = { use: entry.kind, filetype: type, filename: entry.kind === "film" ? "attempt-film" : "attempt-sound" };
  // What others are shown has the time burnt in; what is judged is as it was sent.
  if (entry.kind === "film" && typeof entry.timer === "number") said.timer = String(entry.timer);
  return new Upload(new FileSource(blob), entry.upload ?? null, said);
}

/**
 * Hands one in, and goes on by itself after each failure that passes; gives the answer.
 *
 * `hooks`: `upload`, one that has begun; `onProgress` with the share that is there; `onConnection` with false when the hub is away.
 */
export async function deliver(entry, hooks = {}) {
  const { onProgress = () => {}, onConnection = () => {} } = hooks;
  if (entry.blob && !entry.media) {
    const upload = hooks.upload ?? uploadOf(entry.blob, entry);
    upload.onBegun = () => keep(Object.assign(entry, { upload: upload.url }));
    upload.onProgress = (bytes) => onProgress(bytes / entry.blob.size);
    upload.onConnection = onConnection;
    if (upload.url) await upload.onBegun();
    try {
      await upload.run();
    } catch (error) {
      if (error instanceof UploadRefused && error.status !== 401 && error.status !== 403) throw new NotTaken(error.message);
      throw error;
    }
    if (!upload.id) throw new TypeError("the upload was given up");
    entry.media = await made(upload.id, entry.kind, onConnection);
    await keep(entry);
  }
  const sent = { ...entry.fields, key: entry.key };
  if (entry.media) sent[entry.kind] = entry.media;
  return insist(() => call("POST", entry.address, sent), onConnection);
}

/** What was made of an upload: a film is the upload itself, a clip has an id of its own. */
async function made(id, kind, onConnection) {
  if (kind === "film") return id;
  for (;;) {
    const found = await insist(() => call("GET", `/api/hub/v1/uploads/${id}`), onConnection);
    if (found.clip && found.state === "ready") return found.clip;
    if (found.state === "refused") throw new NotTaken(found.why ?? "");
    await pause(400);
  }
}

/** Does it until the hub has answered one way or the other. */
async function insist(work, onConnection) {
  for (let failures = 0; ; failures += 1) {
    try {
      const answer = await work();
      if (failures > 0) onConnection(true);
      return answer;
    } catch (error) {
      if (error instanceof Refusal) {
        const isPassing = error.status >= 500 || error.status === 429;
        if (!isPassing) {
          // Whoever has signed out meanwhile keeps it until she is back.
          if (error.status === 401) throw error;
          throw new NotTaken(error.detail || error.message, error.fields);
        }
      } else if (!(error instanceof TypeError)) {
        throw error;
      }
      if (failures === 0) onConnection(false);
    }
    await Promise.race([
      pause(Math.min(15_000, 500 * 2 ** Math.min(failures, 6))),
      new Promise((resolve) => window.addEventListener("online", resolve, { once: true })),
    ]);
  }
}

/** One page at a time sends an attempt; the other ones learn that it is being sent. */
export async function alone(key, work) {
  if (!navigator.locks) return work();
  return navigator.locks.request(`chirp-attempt-${key}`, { ifAvailable: true }, (lock) => (lock ? work() : null));
}

/** Who was known to be signed in in this window, for when the hub is away. */
const known = "chirp-attempts-person";

/** Who is signed in here: null for nobody, undefined where the hub is away and nobody was known before. */
export async function whoIsHere() {
  let person = facts.person ?? null;
  try {
    person ??= (await call("GET", "/api/v1/accounts/verify_credentials"))?.id ?? null;
    if (person) sessionStorage.setItem(known, person);
    return person;
  } catch (error) {
    if (error instanceof Refusal && error.status < 500 && error.status !== 429) return null;
    // A page that was kept of somebody who is signed in; another one who signs in meets the hub first.
    return (facts.token && sessionStorage.getItem(known)) || undefined;
  }
}

/** The page of what was handed in, by its answer. */
export const pageOf = (answer) => `${prefix}/challenges/attempts/${answer.id}`;
