// Honest ears: the sound goes over to a track that is like this one, at the same place of the bar and as loud. Without this file its page is a link.
import { patiently, Stopped } from "./beat-patience.js";
import { say, warn } from "./say.js";
import { prefix, word } from "./words.js";

const track = document.querySelector("[data-beat-track]");
const own = document.querySelector("[data-player] audio");
const items = [...document.querySelectorAll("[data-beat-like]")].filter((item) => item.querySelector("audio"));

/** Where the other sound is: straight pieces, each from, to and rate. */
export function counterpart(pieces, seconds) {
  let piece = pieces[0];
  for (const next of pieces) {
    if (next[0] > seconds) break;
    piece = next;
  }
  return Math.max(0, piece[1] + (seconds - piece[0]) * piece[2]);
}

/** A sound is where it should be, decoded and ready to be heard. */
const place = (sound, seconds, signal) =>
  new Promise((resolve, reject) => {
    const once = { once: true, signal };
    sound.addEventListener("error", () => reject(Object.assign(new Error(word("beat.script.silent")), { status: 404 })), once);
    signal.addEventListener("abort", () => reject(new Stopped(word("beat.script.stopped"))), { once: true });
    const go = () => {
      sound.addEventListener("seeked", resolve, once);
      sound.currentTime = Math.min(seconds, Math.max(0, sound.duration - 0.1));
    };
    sound.preload = "auto";
    if (sound.readyState >= HTMLMediaElement.HAVE_METADATA) return go();
    sound.addEventListener("loadedmetadata", go, once);
    sound.load();
  });

if (track && own && items.length) {
  /** What is heard, or was last; what B goes over to. */
  let [heard, chosen, isSwapping] = [own, items[0], false];
  const maps = new Map();
  const soundOf = (item) => item.querySelector("audio");
  const itemOf = (sound) => items.find((item) => soundOf(item) === sound);

  async function ears(item, signal) {
    const id = item.dataset.beatLike;
    if (!maps.has(id)) {
      const answer = await fetch(`${prefix}/api/hub/v1/beats/${track.dataset.beatTrack}/ears/${id}`, { signal });
      if (!answer.ok) throw Object.assign(new Error(word("beat.script.silent")), { status: answer.status });
      maps.set(id, await answer.json());
    }
    return maps.get(id);
  }

  function choose(item) {
    chosen = item;
    for (const other of items) other.querySelector("[data-beat-ears]").setAttribute("aria-pressed", String(other === item && heard === soundOf(item)));
  }

  /** From what is heard to the chosen track, or back from it to this one. The sound that is left stands still first, so nothing of the bar is lost. */
  async function swap() {
    if (isSwapping) return;
    isSwapping = true;
    const isBack = heard === soundOf(chosen);
    try {
      await patiently(async (signal) => {
        const item = itemOf(heard);
        const from = item ? await ears(item, signal) : null;
        const to = await ears(chosen, signal);
        const left = heard;
        left.pause();
        const here = from ? counterpart(from.back, left.currentTime) : left.currentTime;
        const next = isBack ? own : soundOf(chosen);
        // The volume that somebody has set, without what was done for equal loudness.
        const level = left.volume / (Number(left.dataset.gain) || 1);
        next.dataset.gain = String(isBack ? to.ownGain : to.otherGain);
        next.volume = Math.min(1, level * Number(next.dataset.gain));
        await place(next, isBack ? here : counterpart(to.there, here), signal);
        heard = next;
        await next.play();
      }, chosen);
      say(word("beat.script.ears", { title: (isBack ? track : chosen).dataset.title }));
    } catch (error) {
      if (error instanceof Stopped) say(error.message);
      else warn(error.message || word("beat.script.silent"));
    } finally {
      isSwapping = false;
      choose(chosen);
    }
  }

  for (const sound of [own, ...items.map(soundOf)]) {
    sound.addEventListener("play", () => {
      heard = sound;
      if (sound !== own) choose(itemOf(sound));
    });
  }
  for (const item of items) {
    const button = item.querySelector("[data-beat-ears]");
    button.hidden = false;
    button.addEventListener("click", () => {
      chosen = item;
      swap();
    });
  }
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.("input:not([type=range]), textarea, select, [contenteditable]");
    // A letter alone does something only where sound is, so that whoever speaks to a computer is not surprised.
    const isHere = event.target.closest?.("[data-player], [data-beat-like]") || !heard.paused;
    if (event.key.toLowerCase() !== "b" || !isHere || isTyping || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    swap();
  });
}
