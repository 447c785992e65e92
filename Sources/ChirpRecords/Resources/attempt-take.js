// What was recorded of an attempt, or chosen as a file: how long it is, what a part of it weighs, and that part. What is not cut is sent byte for
// byte as it was recorded.
import { head, headBytes } from "./wav.js";

/** The tones of the start signal are in every recording of so many samples a second. */
const leastRate = 8000;

/** Sound that was recorded here: samples of 16 bits, one channel. */
export class SoundTake {
  kind = "clip";
  type = "audio/wav";
  name = "attempt.wav";
  #samples;
  #rate;

  constructor(pieces, rate) {
    this.#rate = rate;
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    this.#samples = new Int16Array(length);
    let at = 0;
    for (const piece of pieces) {
      this.#samples.set(piece, at);
      at += piece.length;
    }
  }

  /** The sound of a file, as the browser decodes it; null when it does not. */
  static async of(file) {
    const context = new AudioContext();
    try {
      const sound = await context.decodeAudioData(await file.arrayBuffer());
      const samples = Int16Array.from(sound.getChannelData(0), (value) => Math.max(-1, Math.min(1, value)) * 32767);
      return new SoundTake([samples], sound.sampleRate);
    } catch {
      return null;
    } finally {
      context.close().catch(() => {});
    }
  }

  get seconds() {
    return this.#samples.length / this.#rate;
  }

  /** From the best to the least: samples a second. */
  get qualities() {
    return [this.#rate, 24_000, 16_000, leastRate].filter((rate, index) => index === 0 || rate < this.#rate);
  }

  bytes(from, to, quality = this.#rate) {
    return headBytes + Math.round((to - from) * quality) * 2;
  }

  /** The loudest of each 20 ms, 0 to 1. */
  get peaks() {
    const window = Math.max(1, Math.round(this.#rate / 50));
    const peaks = [];
    for (let at = 0; at < this.#samples.length; at += window) {
      let loudest = 0;
      for (const sample of this.#samples.subarray(at, at + window)) loudest = Math.max(loudest, Math.abs(sample));
      peaks.push(loudest / 32768);
    }
    return peaks;
  }

  async cut(from, to, quality = this.#rate) {
    let samples = this.#samples.subarray(Math.round(from * this.#rate), Math.round(to * this.#rate));
    if (quality < this.#rate && samples.length > 0) {
      const context = new OfflineAudioContext(1, Math.max(1, Math.round((samples.length / this.#rate) * quality)), quality);
      const buffer = new AudioBuffer({ length: samples.length, numberOfChannels: 1, sampleRate: this.#rate });
      buffer.copyToChannel(Float32Array.from(samples, (sample) => sample / 32768), 0);
      const source = new AudioBufferSourceNode(context, { buffer });
      source.connect(context.destination);
      source.start();
      const thinner = (await context.startRendering()).getChannelData(0);
      samples = Int16Array.from(thinner, (value) => Math.max(-1, Math.min(1, value)) * 32767);
    }
    return new Blob([head(quality, 1, samples.byteLength), samples], { type: this.type });
  }
}

/** A film: recorded here in pieces, or a file. */
export class FilmTake {
  kind = "film";
  #pieces;
  #seconds;

  /** `pieces` are `{ blob, end }`, `end` in seconds from the beginning. */
  constructor(pieces, type, name) {
    this.#pieces = pieces;
    this.#seconds = pieces.at(-1)?.end ?? 0;
    this.type = type;
    this.name = name;
  }

  get seconds() {
    return this.#seconds;
  }

  get #size() {
    return this.#pieces.reduce((sum, piece) => sum + piece.blob.size, 0);
  }

  /** Shares of what was recorded. Less, and a later beginning, need a browser that records what it plays. */
  get qualities() {
    return FilmTake.#canRecordAnew ? [1, 0.5, 0.25] : [1];
  }

  static get #canRecordAnew() {
    const video = HTMLVideoElement.prototype;
    return Boolean(window.MediaRecorder && (video.captureStream || video.mozCaptureStream));
  }

  /** Whether it can begin later. */
  get canBeginLater() {
    return FilmTake.#canRecordAnew;
  }

  get peaks() {
    return null;
  }

  /** The pieces until an instant: the end of a film that was recorded here can be left off without making it anew. */
  #until(to) {
    const count = this.#pieces.findIndex((piece) => piece.end >= to - 0.05) + 1;
    return count === 0 ? this.#pieces : this.#pieces.slice(0, count);
  }

  #isWhole(from, to, quality) {
    return from <= 0.05 && quality === 1 && (to >= this.#seconds - 0.05 || this.#pieces.length > 1);
  }

  bytes(from, to, quality = 1) {
    if (this.#isWhole(from, to, quality)) return this.#until(to).reduce((sum, piece) => sum + piece.blob.size, 0);
    return Math.round((this.#size * quality * (to - from)) / Math.max(0.1, this.#seconds));
  }

  async cut(from, to, quality = 1, onProgress = () => {}) {
    const blobs = this.#until(to).map((piece) => piece.blob);
    if (this.#isWhole(from, to, quality)) return blobs.length === 1 ? blobs[0] : new Blob(blobs, { type: this.type });
    return this.#again(from, to, quality, onProgress);
  }

  /** Plays it and records that: as long as it takes, and the same picture and sound. */
  async #again(from, to, quality, onProgress) {
    const video = document.createElement("video");
    const url = URL.createObjectURL(new Blob(this.#pieces.map((piece) => piece.blob), { type: this.type }));
    // Nobody hears it; what is captured is as loud as it was.
    Object.assign(video, { src: url, playsInline: true });
    const context = new AudioContext();
    try {
      await new Promise((resolve, reject) => Object.assign(video, { onloadeddata: resolve, onerror: reject }));
      if (from > 0) {
        await new Promise((resolve) => {
          video.onseeked = resolve;
          video.currentTime = from;
        });
      }
      const sound = context.createMediaStreamDestination();
      context.createMediaElementSource(video).connect(sound);
      const pictures = (video.captureStream ?? video.mozCaptureStream).call(video).getVideoTracks();
      const bits = Math.max(150_000, ((this.#size * 8) / Math.max(0.1, this.#seconds)) * quality);
      const recorder = new MediaRecorder(new MediaStream([...pictures, ...sound.stream.getAudioTracks()]), {
        mimeType: filmType(), videoBitsPerSecond: Math.round(bits * 0.9), audioBitsPerSecond: 48_000,
      });
      const blobs = [];
      recorder.ondataavailable = ({ data }) => blobs.push(data);
      const ended = new Promise((resolve) => (recorder.onstop = resolve));
      recorder.start(250);
      await video.play();
      await new Promise((resolve) => {
        video.onended = resolve;
        video.ontimeupdate = () => {
          onProgress(Math.min(1, (video.currentTime - from) / (to - from)));
          if (video.currentTime >= to) resolve();
        };
      });
      video.pause();
      recorder.stop();
      await ended;
      return new Blob(blobs, { type: recorder.mimeType });
    } finally {
      URL.revokeObjectURL(url);
      context.close().catch(() => {});
    }
  }
}

/** What this browser records films as; null: none. */
export function filmType() {
  const types = ["video/webm;codecs=vp8,opus", "video/webm", "video/mp4"];
  return types.find((type) => window.MediaRecorder?.isTypeSupported(type)) ?? null;
}

/** A file that somebody has chosen, as a take. */
export async function fileTake(file) {
  if (file.type.startsWith("audio/")) {
    const sound = await SoundTake.of(file);
    if (sound) {
      // What is not cut goes as it is.
      const cut = sound.cut.bind(sound);
      const bytes = sound.bytes.bind(sound);
      const best = sound.qualities[0];
      const isAll = (from, to, quality) => from <= 0.05 && to >= sound.seconds - 0.05 && (quality ?? best) === best;
      sound.cut = async (from, to, quality) => (isAll(from, to, quality) ? file : cut(from, to, quality));
      sound.bytes = (from, to, quality) => (isAll(from, to, quality) ? file.size : bytes(from, to, quality));
      return sound;
    }
  }
  const kind = file.type.startsWith("audio/") ? "clip" : "film";
  const seconds = await new Promise((resolve) => {
    const video = document.createElement("video");
    const url = URL.createObjectURL(file);
    const done = (length) => {
      URL.revokeObjectURL(url);
      resolve(Number.isFinite(length) ? length : 0);
    };
    Object.assign(video, { preload: "metadata", onloadedmetadata: () => done(video.duration), onerror: () => done(0), src: url });
  });
  const take = new FilmTake([{ blob: file, end: seconds }], file.type, file.name || "attempt");
  take.kind = kind;
  return take;
}
