// A recording as bytes: a WAV whose sizes say "until the end", since nobody knows the end while it is made, and 16-bit samples.

/** How many bytes stand before the samples. */
export const headBytes = 44;

/** The head of a WAV with 16-bit PCM. `bytes` of samples; without, as a stream has it: 0xFFFFFFFF. */
export function head(rate, channels, bytes) {
  const view = new DataView(new ArrayBuffer(headBytes));
  const name = (at, text) => [...text].forEach((letter, index) => view.setUint8(at + index, letter.charCodeAt(0)));
  const isStream = bytes === undefined;
  name(0, "RIFF");
  view.setUint32(4, isStream ? 0xffffffff : bytes + 36, true);
  name(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * channels * 2, true);
  view.setUint16(32, channels * 2, true);
  view.setUint16(34, 16, true);
  name(36, "data");
  view.setUint32(40, isStream ? 0xffffffff : bytes, true);
  return new Uint8Array(view.buffer);
}

/** The loudest sample of each 20 ms, 0 to 1, fed piece by piece. */
export class Peaks {
  #window;
  #loudest = 0;
  #count = 0;
  values = [];

  constructor(rate) {
    this.#window = Math.max(1, Math.round(rate / 50));
  }

  add(samples) {
    for (let index = 0; index < samples.length; index += 1) {
      const size = Math.abs(samples[index]);
      if (size > this.#loudest) this.#loudest = size;
      this.#count += 1;
      if (this.#count === this.#window) this.#close();
    }
  }

  #close() {
    this.values.push(this.#loudest / 32768);
    this.#loudest = 0;
    this.#count = 0;
  }

  /** Takes in what is left over at the end. */
  end() {
    if (this.#count > 0) this.#close();
    return this.values;
  }
}
