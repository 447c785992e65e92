// A voice in a form: recorded here as the recorder's page does it, sent at once, and kept in the form by its name.
import { Microphone } from "./capture.js";
import { head } from "./wav.js";
import { word } from "./words.js";
import { say, warn } from "./say.js";

/** Seconds; a description ends by itself then. */
const MOST = 120;

/**
 * Makes a recorder of a field with `[data-speak]`, `[data-spoken]` and `[data-voice-kept]`. What was recorded becomes a hidden field.
 *
 * `name` of that field, `address` that takes the sound and gives `{ id }`.
 */
export function record(place, { prefix, token, name = "clip", address = "/api/hub/v1/lost-and-found/clips" }) {
  const button = place.querySelector("[data-speak]");
  const state = place.querySelector("[data-spoken]");
  const kept = place.querySelector("[data-voice-kept]");
  const file = place.querySelector("input[type=file]");
  let microphone = null;
  let pieces = [];
  let timer = 0;

  button.addEventListener("click", () => (microphone ? stop() : start()));

  async function start() {
    button.disabled = true;
    try {
      microphone = await Microphone.open(true);
      pieces = [];
      microphone.onSamples = (samples) => pieces.push(samples.slice());
      microphone.onGone = stop;
      await microphone.start();
      button.textContent = word("listing.script.stop");
      button.classList.add("speaking");
      state.textContent = word("listing.script.speaking");
      timer = setTimeout(stop, MOST * 1000);
    } catch {
      microphone?.close();
      microphone = null;
      state.textContent = word("listing.script.nomicrophone");
      warn(`${word("listing.script.nomicrophone")}.`);
    } finally {
      button.disabled = false;
    }
  }

  async function stop() {
    if (!microphone) return;
    clearTimeout(timer);
    const { rate } = microphone;
    const ended = microphone;
    microphone = null;
    button.disabled = true;
    button.classList.remove("speaking");
    await ended.stop();
    const bytes = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
    await send(new Blob([head(rate, 1, bytes), ...pieces], { type: "audio/wav" }));
    button.disabled = false;
    button.textContent = word("listing.script.again");
  }

  async function send(sound) {
    state.textContent = word("listing.script.keeping");
    try {
      const answer = await fetch(`${prefix}${address}`, {
        method: "POST", body: sound, headers: { "Content-Type": sound.type, "X-Chirp-Form": token ?? "" },
      });
      const json = await answer.json().catch(() => ({}));
      if (!answer.ok) throw new Error(Object.values(json.errors ?? {})[0] ?? json.title ?? "");
      const field = Object.assign(document.createElement("input"), { type: "hidden", name, value: json.id });
      const audio = Object.assign(document.createElement("audio"), { controls: true, src: URL.createObjectURL(sound) });
      kept.replaceChildren(field, audio);
      file.value = "";
      state.textContent = word("listing.script.spoken");
      say(word("listing.script.spoken"));
    } catch (error) {
      const reason = error.message && !(error instanceof TypeError) ? `: ${error.message}` : "";
      state.textContent = word("listing.script.unspoken") + reason;
      warn(`${word("listing.script.unspoken")}${reason}.`);
    }
  }
}
