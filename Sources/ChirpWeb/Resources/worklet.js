// On the audio thread: copies what the microphone gives, as 16-bit samples, and hands it on about ten times a second. Nothing else is
// done here, since what takes longer than its block is missing in the recording.

class Recorder extends AudioWorkletProcessor {
  #from;
  #samples;
  #filled = 0;
  #frames = 0;
  #isEnded = false;

  constructor({ processorOptions: { from, batch } }) {
    super();
    this.#from = from;
    this.#samples = new Int16Array(batch);
    this.port.onmessage = () => {
      this.#post(true);
      this.#isEnded = true;
    };
  }

  process([input]) {
    if (this.#isEnded) return false;
    // The tone is not part of the recording.
    if (currentTime < this.#from) return true;
    // A microphone that gives nothing has no channels; what it did not give is missed by the clock.
    const channel = input[0];
    if (!channel) return true;
    for (let index = 0; index < channel.length; index += 1) {
      // Microphones have 16 bits or 24: rounding alone changes nothing in the first case and nothing that is heard in the second.
      const value = Math.round(channel[index] * 32768);
      this.#samples[this.#filled] = value > 32767 ? 32767 : value < -32768 ? -32768 : value;
      this.#filled += 1;
      if (this.#filled === this.#samples.length) this.#post(false);
    }
    return true;
  }

  /** `frames` counts all that were seen, `at` is the clock's time with it. */
  #post(isLast) {
    const samples = this.#samples.slice(0, this.#filled);
    this.#frames += this.#filled;
    this.#filled = 0;
    this.port.postMessage({ samples, frames: this.#frames, at: Date.now(), isLast }, [samples.buffer]);
  }
}

registerProcessor("recorder", Recorder);
