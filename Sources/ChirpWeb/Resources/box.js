// The box at the foot of the frame: updates one after another, oldest first (UF-5, UF-15).
import { word, prefix } from "./words.js";
import { say } from "./say.js";

const MOST_KEPT = 50;
/** How fast people read, for those who want time: milliseconds a character, and the least. */
const READING = 70;
/** How long the sign that asks for a press holds the next update back. */
const LONGEST_PRESS = 60_000;
/** How long before its time a fade is made ready, in milliseconds: two or three pictures. */
const EARLY = 50;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Box {
  constructor(style) {
    this.style = style;
    this.waiting = [];
    this.history = [];
    this.onshown = () => {};
    this.onstuck = () => {};
    this.onsilent = () => {};
    this.audio = new Audio();
    this.element = document.createElement("div");
    this.element.className = "box";
    this.element.hidden = true;
    this.text = document.createElement("p");
    this.text.dir = "auto";
    this.element.append(this.text);
  }

  /** Takes an update; what was shown before is only kept to be looked at. */
  add(update) {
    this.history.push(update);
    if (this.history.length > MOST_KEPT) this.history.shift();
    if (update.shown) return;
    this.waiting.push({ update });
    this.run();
  }

  replay(update) {
    this.waiting.unshift({ update, isReplay: true });
    this.run();
  }

  async run() {
    if (this.isRunning) return;
    this.isRunning = true;
    // When the next one begins, on the page's timeline.
    let from;
    while (this.waiting.length && !this.isEnded) {
      const { update, isReplay } = this.waiting.shift();
      try {
        from = await this.showOne(update, from) + this.style.gap;
      } catch {
        // Never a dead screen: the next one comes.
        from = performance.now() + this.style.gap;
      }
      if (!isReplay && !this.isEnded) this.onshown(update);
      await pause(from - EARLY - performance.now());
    }
    this.isRunning = false;
  }

  /** Gives when it was gone. */
  async showOne(update, from) {
    this.text.textContent = update.text || word("watch.voice");
    this.element.classList.toggle("message", update.kind === "message");
    this.element.classList.toggle("voice", Boolean(update.clip));
    this.element.style.opacity = "0";
    this.element.hidden = false;
    const isSpoken = this.style.spoken && !isQuiet(this.style);
    const sound = update.clip ? `${prefix}${update.clip.url}` : isSpoken ? `${prefix}/api/hub/v1/frame/speech/${update.id}` : "";
    if (!isSpoken) say(this.text.textContent);
    const playing = sound && !(update.clip && isQuiet(this.style)) ? this.play(sound, update.clip) : null;
    // Where the hub has no voice, a screen reader may have one.
    if (isSpoken && !update.clip) playing.then((isHeard) => isHeard || say(update.text));
    const shown = await this.fade([0, 1], this.style.fadeIn, from);
    this.element.style.opacity = "1";
    const reading = this.style.takeYourTime ? this.text.textContent.length * READING : 0;
    const leaves = shown + Math.max(this.style.stay, reading);
    await Promise.all([pause(leaves - EARLY - performance.now()), playing]);
    this.element.style.borderWidth = "";
    const gone = await this.fade([1, 0], this.style.fadeOut, leaves);
    this.element.style.opacity = "0";
    this.element.hidden = true;
    return gone;
  }

  /**
   * Fades from a moment of the page's timeline on, or from now on when that is over, and gives when it has ended. What begins when its turn
   * comes begins a picture or two late, and each wait would add its own.
   */
  async fade(opacity, duration, from) {
    const now = performance.now();
    if (still.matches) {
      await pause((from ?? now) - now);
      return Math.max(from ?? now, now);
    }
    const animation = this.element.animate({ opacity }, { duration, fill: "both" });
    if (from > now) animation.startTime = from;
    await animation.finished;
    const begun = animation.startTime;
    animation.cancel();
    return begun + duration;
  }

  /**
   * Plays to the end, and tells whether anything was heard. The border moves with the voice, as the clip's picture has it; nothing is
   * measured here.
   */
  async play(address, clip) {
    const audio = this.audio;
    audio.src = address;
    audio.playbackRate = clip ? 1 : this.style.rate ?? 1;
    const ended = new Promise((done) => {
      audio.onended = done;
      audio.onerror = done;
      // A sound that stands still for a minute is over.
      let [place, since] = [0, performance.now()];
      this.watch = setInterval(() => {
        if (audio.currentTime !== place) [place, since] = [audio.currentTime, performance.now()];
        else if (performance.now() - since > 60_000 || this.isEnded) done();
      }, 1000);
    });
    const peaks = Array.isArray(clip?.peaks) ? clip.peaks : null;
    let [isOver, isHeard] = [false, false];
    const follow = () => {
      if (isOver) return;
      const share = audio.duration > 0 ? audio.currentTime / audio.duration : 0;
      const level = peaks?.length ? peaks[Math.min(peaks.length - 1, Math.floor(share * peaks.length))] / 255 : 0.3;
      this.element.style.borderWidth = `${(0.3 + 0.5 * level).toFixed(2)}rem`;
      requestAnimationFrame(follow);
    };
    try {
      await audio.play();
      isHeard = true;
      this.onstuck("");
      if (!still.matches) follow();
      await ended;
    } catch (error) {
      if (error.name === "NotAllowedError") {
        this.onstuck(word("watch.silent"));
        // A voice is waited for; words can be read, and nobody may be there for days.
        const waiting = new AbortController();
        const press = new Promise((done) => addEventListener("pointerdown", () => done(true), { once: true, signal: waiting.signal }));
        isHeard = await Promise.race([press, pause(clip ? LONGEST_PRESS : this.style.stay)]) === true
          && await audio.play().then(() => true, () => false);
        // Nobody pressed: for days each update would leave one who listens.
        waiting.abort();
        if (isHeard) {
          this.onstuck("");
          await ended;
        }
      }
    } finally {
      isOver = true;
      clearInterval(this.watch);
      audio.removeAttribute("src");
      audio.load();
    }
    if (clip && !isHeard) this.onsilent();
    return isHeard;
  }

  end() {
    this.isEnded = true;
    this.waiting = [];
    this.audio.pause();
    clearInterval(this.watch);
  }
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Whether it is a time of day between two, also over midnight. */
export function isBetween(from, to, now = new Date()) {
  if (!from || !to || from === to) return false;
  const time = `${String(now.getHours()).padStart(2, "0")}:${String(now.getMinutes()).padStart(2, "0")}`;
  return from < to ? time >= from && time < to : time >= from || time < to;
}

const isQuiet = (style) => isBetween(style.quietFrom, style.quietTo);
