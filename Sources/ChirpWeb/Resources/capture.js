// The microphone: opening it, the tone before, the samples, and why it does not work.

/** Why there is no sound. `kind` is one of: insecure, old, permission, none, busy, silent, failed. */
export class Cause extends Error {
  constructor(kind, reason) {
    super(reason?.message ?? kind);
    this.kind = kind;
  }
}

/** What is known before anything is tried; null when nothing speaks against it. */
export function causeBefore() {
  // Browsers hide the microphone from pages that came over an open line.
  if (!window.isSecureContext) return new Cause("insecure");
  if (!navigator.mediaDevices?.getUserMedia || !window.AudioWorkletNode) return new Cause("old");
  return null;
}

function causeOf(error) {
  switch (error?.name) {
    case "NotAllowedError":
    case "SecurityError":
    case "PermissionDeniedError":
      return new Cause("permission", error);
    case "NotFoundError":
    case "OverconstrainedError":
    case "DevicesNotFoundError":
      return new Cause("none", error);
    case "NotReadableError":
    case "TrackStartError":
    case "AbortError":
      return new Cause("busy", error);
    default:
      return new Cause("failed", error);
  }
}

/** Counts frames against the clock. What is missing was lost because the device was too slow. */
class FrameClock {
  #rate;
  #behind = [];
  #first = Infinity;
  #start = null;
  #last = 0;

  constructor(rate) {
    this.#rate = rate;
  }

  add(frames, at) {
    this.#start ??= { frames, at };
    const elapsed = (at - this.#start.at) / 1000;
    const behind = elapsed - (frames - this.#start.frames) / this.#rate;
    // Blocks come in bursts: the most punctual one of a second counts, at the beginning and at the end.
    if (elapsed <= 1) this.#first = Math.min(this.#first, behind);
    this.#behind.push({ elapsed, behind });
    while (this.#behind[0].elapsed < elapsed - 1) this.#behind.shift();
    this.#last = elapsed;
  }

  /** Seconds; 0 for what may be the difference of two clocks. */
  get missing() {
    if (this.#behind.length === 0) return 0;
    const lost = Math.min(...this.#behind.map((entry) => entry.behind)) - this.#first;
    return lost >= 0.1 + this.#last * 0.0005 ? lost : 0;
  }
}

/** Seconds of a flat signal after which it is said. */
const flatSeconds = 3;
const toneSeconds = 0.18;

export class Microphone {
  #stream;
  #context;
  #node = null;
  #source = null;
  #clock;
  #flat = 0;
  #isFlat = false;
  #ended = null;
  /** Called with each batch of samples (`Int16Array`). */
  onSamples = () => {};
  /** Called with true when the signal has been flat, with false when it is alive again. */
  onSilence = () => {};
  /** Called when the microphone is gone. */
  onGone = () => {};

  constructor(stream, context) {
    this.#stream = stream;
    this.#context = context;
    this.#clock = new FrameClock(context.sampleRate);
  }

  get rate() {
    return this.#context.sampleRate;
  }

  /** Seconds that are not in the recording. */
  get missing() {
    return this.#clock.missing;
  }

  /** Asks for the microphone, raw unless noise and echo are to be reduced. Throws a `Cause`. */
  static async open(isReduced) {
    const before = causeBefore();
    if (before) throw before;
    let stream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({
        audio: {
          echoCancellation: isReduced, noiseSuppression: isReduced, autoGainControl: isReduced, channelCount: { ideal: 1 },
        },
      });
    } catch (error) {
      throw causeOf(error);
    }
    let context = null;
    try {
      context = await Microphone.#contextFor(stream);
      await context.audioWorklet.addModule(new URL("./worklet.js", import.meta.url));
      if (context.state !== "running") await context.resume();
      return new Microphone(stream, context);
    } catch (error) {
      for (const track of stream.getTracks()) track.stop();
      // Browsers have few of these: after some failures there would be none left.
      context?.close().catch(() => {});
      throw new Cause("failed", error);
    }
  }

  /** A context at the microphone's own rate, so that nothing is converted; at the device's where that is not to be had. */
  static async #contextFor(stream) {
    const { sampleRate } = stream.getAudioTracks()[0].getSettings();
    if (sampleRate) {
      try {
        return new AudioContext({ sampleRate });
      } catch {
        // Not every rate is possible.
      }
    }
    return new AudioContext();
  }

  /** Plays the tone and records from its end on. */
  async start() {
    const context = this.#context;
    const begin = context.currentTime + 0.05;
    const end = begin + toneSeconds;
    this.#tone(begin, end);
    // The loudspeaker is later than the context's clock, and the room still sounds.
    const from = end + Math.min(context.outputLatency || context.baseLatency || 0, 0.5) + 0.12;
    this.#node = new AudioWorkletNode(context, "recorder", {
      numberOfInputs: 1, numberOfOutputs: 1, channelCount: 1, channelCountMode: "explicit",
      processorOptions: { from, batch: Math.round(context.sampleRate / 10) },
    });
    this.#node.port.onmessage = ({ data }) => this.#take(data);
    this.#source = context.createMediaStreamSource(this.#stream);
    // It gives silence; browsers run only what leads to the loudspeaker.
    this.#source.connect(this.#node).connect(context.destination);
    const track = this.#stream.getAudioTracks()[0];
    track.addEventListener("ended", () => this.onGone());
    track.addEventListener("mute", () => this.#silence(true));
    track.addEventListener("unmute", () => this.#silence(false));
    await new Promise((resolve) => setTimeout(resolve, (from - context.currentTime) * 1000));
  }

  #tone(begin, end) {
    const context = this.#context;
    const tone = new OscillatorNode(context, { frequency: 880 });
    const level = new GainNode(context, { gain: 0 });
    level.gain.setValueAtTime(0, begin);
    level.gain.linearRampToValueAtTime(0.25, begin + 0.02);
    level.gain.setValueAtTime(0.25, end - 0.04);
    level.gain.linearRampToValueAtTime(0, end);
    tone.connect(level).connect(context.destination);
    tone.start(begin);
    tone.stop(end);
  }

  #take({ samples, frames, at, isLast }) {
    if (samples.length > 0) {
      this.#clock.add(frames, at);
      this.#watch(samples);
      this.onSamples(samples);
    }
    if (isLast) this.#ended?.();
  }

  #watch(samples) {
    let [least, most] = [samples[0], samples[0]];
    for (const sample of samples) {
      if (sample < least) least = sample;
      else if (sample > most) most = sample;
    }
    // A muted microphone gives one value, or flickers by one step.
    if (most - least > 2) {
      this.#flat = 0;
      this.#silence(false);
    } else {
      this.#flat += samples.length / this.rate;
      if (this.#flat >= flatSeconds) this.#silence(true);
    }
  }

  #silence(isFlat) {
    if (isFlat === this.#isFlat) return;
    this.#isFlat = isFlat;
    this.onSilence(isFlat);
  }

  /** Hands out what is left, then lets the microphone go. */
  async stop() {
    if (this.#node) {
      const ended = new Promise((resolve) => (this.#ended = resolve));
      this.#node.port.postMessage("end");
      // An audio thread that has died does not answer.
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 1000))]);
    }
    this.close();
  }

  close() {
    for (const track of this.#stream.getTracks()) track.stop();
    this.#source?.disconnect();
    this.#node?.disconnect();
    this.#context.close().catch(() => {});
  }
}
