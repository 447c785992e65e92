// The browser as a loudspeaker: one audio element whose source changes, so that one press is enough for all clips.
import { ClipStore } from "./clipstore.js";
import { silence, chime } from "./tones.js";

// So long a clip that is being loaded already is waited for; then it is played while it comes.
const patience = 150;
// So long sound may stand still before the clip is loaded anew.
const stall = 6;

export class Loudspeaker {
  #audio = new Audio();
  #store;
  #on;
  // What the element plays: a clip has an address, a tone has none. Another object means that others have no say any more.
  #current = null;
  #isPaused = false;
  #address = "";

  /**
   * - on.started(), on.ended(), on.failed(reason): of the clip that `play` was called for; the reason is "gone", "network" or "decode".
   * - on.refused(): the browser wants a press first.
   * - on.halted(): something outside the page has paused the sound.
   * - on.isConnected(): whether it makes sense to load now.
   */
  constructor(on) {
    this.#on = on;
    this.#store = new ClipStore(() => on.isConnected());
    this.#audio.preload = "auto";
    this.#audio.addEventListener("ended", () => this.#finished());
    this.#audio.addEventListener("error", () => this.#broken());
    this.#audio.addEventListener("pause", () => {
      const clip = this.#current;
      // At the end the element pauses too, and before it says so.
      if (clip?.address && !this.#isPaused && !this.#audio.ended && !clip.isChanging) this.#on.halted();
    });
    setInterval(() => this.#watch(), 1000);
  }

  /** Seconds of the clip that were heard. */
  get position() {
    const clip = this.#current;
    if (!clip?.address) return 0;
    return clip.hasSource ? this.#audio.currentTime : clip.from;
  }

  get isSounding() {
    return Boolean(this.#current?.hasSource) && !this.#audio.paused && !this.#audio.ended;
  }

  /** Has to be called by a press: browsers let an element sound later that has sounded then. */
  async unlock() {
    this.#current = {};
    try {
      await this.#sound(silence());
    } catch (error) {
      if (error.name === "NotAllowedError") this.#on.refused();
    }
  }

  /** Loads what comes next, and forgets what does not. */
  prepare(addresses) {
    this.#store.keep(this.#current?.address ? [this.#current.address, ...addresses] : addresses);
  }

  /** Plays a clip from a second on, with a chime in front if wished. */
  async play(address, from = 0, hasChime = false) {
    const clip = { address, from, hasSource: false, isChanging: true };
    this.#current = clip;
    this.#audio.pause();
    try {
      const source = this.#source(clip);
      if (hasChime && !this.#isPaused) await this.#tone(clip);
      const address = await source;
      if (this.#current === clip) await this.#begin(clip, address);
    } catch (error) {
      if (this.#current === clip) this.#failed(clip, error);
    }
  }

  pause() {
    this.#isPaused = true;
    this.#audio.pause();
  }

  async resume() {
    this.#isPaused = false;
    const clip = this.#current;
    if (!clip?.hasSource) return;
    try {
      await this.#audio.play();
      this.#started(clip);
    } catch (error) {
      this.#failed(clip, error);
    }
  }

  stop() {
    this.#current = null;
    this.#audio.pause();
  }

  async #source(clip) {
    const entry = this.#store.load(clip.address);
    const late = new Promise((done) => setTimeout(done, patience, null));
    const blob = await Promise.race([entry, late]);
    if (blob) return this.#own(blob);
    if (!this.#on.isConnected()) return this.#own(await entry);
    clip.isStreaming = true;
    // It would come twice otherwise. Whoever waits for it is told that it is not needed.
    entry.catch(() => {});
    this.#store.forget(clip.address);
    return clip.address;
  }

  async #begin(clip, source) {
    this.#audio.src = source;
    if (clip.from > 0) this.#audio.currentTime = clip.from;
    clip.hasSource = true;
    if (this.#isPaused) {
      clip.isChanging = false;
      return;
    }
    await this.#audio.play();
    clip.isChanging = false;
    this.#started(clip);
  }

  #started(clip) {
    if (clip.hasStarted || this.#current !== clip) return;
    clip.hasStarted = true;
    this.#on.started();
  }

  async #tone(clip) {
    await this.#sound(chime());
    await new Promise((done) => {
      clip.rung = done;
      setTimeout(done, 1500);
    });
  }

  async #sound(blob) {
    this.#audio.src = this.#own(blob);
    await this.#audio.play();
  }

  #finished() {
    const clip = this.#current;
    if (!clip?.address) return;
    if (!clip.hasSource) return clip.rung?.();
    this.#current = null;
    this.#on.ended();
  }

  #broken() {
    const clip = this.#current;
    if (!clip?.hasSource) return;
    if (clip.isStreaming) return this.#reload(clip);
    this.#failed(clip, new Error("decode"));
  }

  /** The connection went while the clip was played: the whole of it is loaded, and goes on where it was. */
  async #reload(clip) {
    // The element and the promise of its `play` both say that it failed.
    if (!clip.isStreaming) return;
    clip.from = Math.max(clip.from, this.#audio.currentTime);
    Object.assign(clip, { hasSource: false, isStreaming: false, isChanging: true, isReloading: true });
    try {
      const blob = await this.#store.load(clip.address);
      clip.isReloading = false;
      if (this.#current === clip) await this.#begin(clip, this.#own(blob));
    } catch (error) {
      if (this.#current === clip) this.#failed(clip, error);
    }
  }

  #failed(clip, error) {
    // The source was changed while it began to play.
    if (error.name === "AbortError") return;
    if (error.name === "NotSupportedError" && clip.isReloading) return;
    if (error.name === "NotSupportedError" && clip.isStreaming) return this.#reload(clip);
    if (error.name === "NotAllowedError") {
      clip.isChanging = false;
      return this.#on.refused();
    }
    this.#current = null;
    this.#on.failed(["gone", "network"].includes(error.message) ? error.message : "decode");
  }

  #watch() {
    const clip = this.#current;
    if (!clip?.hasSource || !clip.isStreaming || this.#audio.paused) return;
    const now = this.#audio.currentTime;
    clip.still = now === clip.last ? (clip.still ?? 0) + 1 : 0;
    clip.last = now;
    if (clip.still >= stall) this.#reload(clip);
  }

  /** The address of a blob. The one before is given back. */
  #own(blob) {
    if (this.#address) URL.revokeObjectURL(this.#address);
    this.#address = URL.createObjectURL(blob);
    return this.#address;
  }
}
