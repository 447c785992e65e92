// What the sender's line moves in ten seconds: measured by the first 256 kB of what is sent anyway, and told while there is still something to
// choose: a part of it, or less of its quality.

/** So much is sent before anything is said. */
export const measured = 256 * 1024;
/** An upload may take so long, in seconds. */
export const bound = 10;
/** So much of that is promised: what was measured is the beginning, and no line is the same all the time. */
const promised = 0.85;

export class Line {
  #bytes = 0;
  #milliseconds = 0;
  #turn = 0;

  /** A request that carried nothing took so long: so much of every other one is the way there and back. */
  answered(milliseconds) {
    this.#turn = this.#turn === 0 ? milliseconds : Math.min(this.#turn, milliseconds);
  }

  /** So many bytes have arrived. Where the hub or the browser was slow to answer, the way there and back seems as long as all of it: at least half
   * of the time went by with the bytes, or a slow line would be taken for one that is a hundred times as fast. */
  moved(bytes, milliseconds) {
    this.#bytes += bytes;
    this.#milliseconds += Math.max(1, milliseconds - Math.min(this.#turn, milliseconds / 2));
  }

  /** Whether enough was sent to say something. */
  get isMeasured() {
    return this.#bytes >= measured;
  }

  /** Bytes a second; null before it is measured. */
  get rate() {
    return this.isMeasured ? (this.#bytes / this.#milliseconds) * 1000 : null;
  }

  /** The most bytes that arrive in time; null before it is measured. */
  get most() {
    return this.isMeasured ? Math.floor(this.rate * bound * promised) : null;
  }

  /** How long so many bytes take, in seconds. */
  seconds(bytes) {
    return bytes / this.rate;
  }

  /** What of a film fits: how many seconds of it at its rate, and by how much less its quality would have to be for all of it, 1 for not at all. */
  fit(bytes, length) {
    const share = Math.min(1, this.most / Math.max(1, bytes));
    return { isWhole: share === 1, seconds: Math.floor(length * share * 10) / 10, quality: share };
  }
}

/** A file that somebody has chosen, as `Upload` reads it. */
export class FileSource {
  #file;
  /** All of it is there before the first byte is sent. */
  isWhole = true;
  isFixed = true;

  constructor(file) {
    this.#file = file;
  }

  get bytes() {
    return this.#file.size;
  }

  read(from, to) {
    return this.#file.slice(from, to).arrayBuffer();
  }
}
