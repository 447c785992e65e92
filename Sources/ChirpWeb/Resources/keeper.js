// A worker that keeps recordings in the browser's private file system. What it has written survives the end of the page, of the browser
// and of the program that kills it: each batch goes to the system's file at once, and to the disk every second.

const open = new Map();
const flushEvery = 1000;

const folder = async () => (await navigator.storage.getDirectory()).getDirectoryHandle("takes", { create: true });
const handle = async (name, create) => (await folder()).getFileHandle(name, { create });

const acts = {
  /** Begins a file, or goes on with one. Fails when another page writes it. */
  async open({ name }) {
    const file = await (await handle(name, true)).createSyncAccessHandle();
    open.set(name, { file, size: file.getSize(), flushed: 0 });
    return open.get(name).size;
  },
  async append({ name, bytes }) {
    const entry = open.get(name);
    const count = entry.file.write(new Uint8Array(bytes), { at: entry.size });
    if (count < bytes.byteLength) {
      entry.file.truncate(entry.size);
      throw new DOMException("no room", "QuotaExceededError");
    }
    entry.size += count;
    if (Date.now() - entry.flushed >= flushEvery) {
      entry.flushed = Date.now();
      entry.file.flush();
    }
    return entry.size;
  },
  async read({ name, from, to }) {
    const entry = open.get(name);
    if (!entry) return (await (await handle(name)).getFile()).slice(from, to).arrayBuffer();
    const bytes = new Uint8Array(Math.max(0, Math.min(to, entry.size) - from));
    entry.file.read(bytes, { at: from });
    return bytes.buffer;
  },
  async close({ name }) {
    const entry = open.get(name);
    if (!entry) return;
    open.delete(name);
    try {
      entry.file.flush();
    } finally {
      // A full disk refuses the flush. Whoever reads or removes the file needs it closed.
      entry.file.close();
    }
  },
  async remove({ name }) {
    await acts.close({ name });
    try {
      await (await folder()).removeEntry(name);
    } catch (error) {
      if (error.name !== "NotFoundError") throw error;
    }
  },
};

// One act after the other, in the order they were asked for.
let turn = Promise.resolve();
self.onmessage = ({ data }) => {
  turn = turn.then(async () => {
    try {
      const result = await acts[data.act](data);
      self.postMessage({ id: data.id, result }, result instanceof ArrayBuffer ? [result] : []);
    } catch (error) {
      self.postMessage({ id: data.id, error: { name: error.name, message: error.message } });
    }
  });
};
