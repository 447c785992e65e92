// Clips that were loaded before their turn, whole, so that they begin at once and a lost connection does not stop them.

// Seconds before a clip is asked for again. A hub that is away altogether does not count.
const tries = [0.3, 0.7, 1.5, 3];

const wait = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

export class ClipStore {
  #clips = new Map();
  #isConnected;

  constructor(isConnected) {
    this.#isConnected = isConnected;
  }

  /** The bytes of a clip. Rejects with "gone" when the hub does not have it, with "network" when it does not come. */
  load(address) {
    const known = this.#clips.get(address);
    if (known) return known.bytes;
    const stopping = new AbortController();
    const bytes = this.#fetch(address, stopping.signal);
    this.#clips.set(address, { bytes, stopping });
    bytes.catch(() => {
      // The next one who asks tries anew.
      if (this.#clips.get(address)?.bytes === bytes) this.#clips.delete(address);
    });
    return bytes;
  }

  forget(address) {
    this.#clips.get(address)?.stopping.abort();
    this.#clips.delete(address);
  }

  /** Has these, and no others. */
  keep(addresses) {
    for (const address of [...this.#clips.keys()]) if (!addresses.includes(address)) this.forget(address);
    for (const address of addresses) this.load(address).catch(() => {});
  }

  async #fetch(address, signal) {
    for (let failures = 0; ; ) {
      let answer = null;
      try {
        answer = await fetch(address, { signal, credentials: "same-origin" });
        if (answer.ok) return await answer.blob();
      } catch (error) {
        if (signal.aborted) throw error;
        answer = null;
      }
      if (answer && answer.status < 500 && ![408, 425, 429].includes(answer.status)) throw new Error("gone");
      if (!this.#isConnected()) {
        await wait(0.5);
        if (signal.aborted) throw new Error("network");
        continue;
      }
      if (failures === tries.length) throw new Error("network");
      await wait(tries[failures++]);
      if (signal.aborted) throw new Error("network");
    }
  }
}
