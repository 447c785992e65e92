// The clip of the moment: who speaks, the words, how far it is and how loud it is there. Nothing is told by sound alone.
import { word, count } from "./words.js";
import { clock } from "./player.js";

/** Heights of equally long stretches, 0...1, from the hub's bytes. */
function levels(peaks) {
  try {
    return Uint8Array.from(atob(peaks ?? ""), (letter) => letter.charCodeAt(0)).map((byte) => byte);
  } catch {
    return new Uint8Array();
  }
}

export class Stage {
  #place;
  #now;
  #play = null;
  #peaks = new Uint8Array();
  #isMoving = false;

  /** - now(): `{ seconds, isSounding }` of the loudspeaker, which may be another tab. */
  constructor(place, now) {
    this.#place = place;
    this.#now = now;
    document.addEventListener("visibilitychange", () => this.move());
  }

  #find(name) {
    return this.#place.querySelector(`[data-${name}]`);
  }

  /** Shows a clip, or that there is none. */
  show(play) {
    const isNew = play?.id !== this.#play?.id;
    this.#play = play;
    this.#peaks = levels(play?.peaks);
    this.#place.classList.toggle("empty-stage", !play);
    this.#find("name").textContent = play ? play.speaker.name || play.speaker.handle : "";
    this.#find("handle").textContent = play ? `@${play.speaker.handle}` : "";
    this.#find("quiet").hidden = Boolean(play);
    const words = this.#find("words");
    words.textContent = play ? play.spoiler || play.text : "";
    words.lang = play?.language || "";
    const said = this.#find("said");
    said.textContent = play?.transcript ?? "";
    said.lang = play?.language || "";
    this.#find("transcript").hidden = !play?.transcript;
    this.#find("length").textContent = play ? clock(play.seconds) : "";
    if (isNew) this.#find("bell").classList.remove("rings");
    this.move();
  }

  /** What a chime is for those who hear: there is a new clip. */
  ring() {
    const bell = this.#find("bell");
    bell.classList.remove("rings");
    // Reading the width makes the browser begin the movement anew.
    void bell.offsetWidth;
    bell.classList.add("rings");
  }

  waiting(number) {
    this.#find("waiting").textContent = count("live.waiting", number);
  }

  paused(is) {
    this.#find("pause").textContent = is ? word("live.resume") : word("live.pause");
    this.#place.classList.toggle("paused", is);
  }

  /** Follows the loudspeaker as long as something sounds. */
  move() {
    if (this.#isMoving) return;
    this.#isMoving = true;
    requestAnimationFrame(() => this.#step());
  }

  #step() {
    this.#isMoving = false;
    const { seconds, isSounding } = this.#now();
    const play = this.#play;
    const at = play?.seconds > 0 ? Math.min(1, seconds / play.seconds) : 0;
    const peak = this.#peaks[Math.min(this.#peaks.length - 1, Math.floor(at * this.#peaks.length))] ?? 0;
    const level = isSounding && play ? peak / 255 : 0;
    const bar = this.#find("level").firstElementChild;
    bar.style.transform = `scaleX(${Math.max(level, 0.01).toFixed(3)})`;
    this.#find("position").textContent = play ? clock(seconds) : "";
    if (isSounding && document.visibilityState === "visible") this.move();
  }
}
