// What is done with a recording: looked at, played, trimmed, named. Its buttons "Publish" and "Delete" are the page's.
import { remaining } from "./counting.js";
import { warn } from "./say.js";
import { headBytes, Peaks } from "./wav.js";
import { Waveform } from "./waveform.js";
import { count, facts, language, word } from "./words.js";

const section = document.querySelector("[data-editor]");
const find = (name) => section.querySelector(name);
const form = find("[data-fields]");
// What the page was opened for: to answer a post, or to speak to somebody alone.
const asked = new URLSearchParams(location.search);
const limits = JSON.parse(facts.limits || "[]");

/** "1 minute 12 seconds". */
export function spoken(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  const parts = minutes > 0 ? [count("script.minutes", minutes)] : [];
  if (rest > 0 || minutes === 0) parts.push(count("script.seconds", rest));
  return parts.join(" ");
}

/** "0:12", and "0:12.3" when tenths matter. */
export function clock(seconds, hasTenths = false) {
  const tenths = Math.max(0, Math.floor(seconds * 10 + 1e-6));
  const [whole, tenth] = [Math.floor(tenths / 10), tenths % 10];
  const text = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  return hasTenths ? `${text}.${tenth}` : text;
}

const decimals = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
/** "0.3", or "0,3". */
export const tenths = (seconds) => decimals.format(seconds);

const step = 0.1;
const page = 1;
/** A clip has at least this much. */
const least = 0.1;

export class Editor {
  #take = null;
  #length = 0;
  #wave = new Waveform(find("[data-wave]"));
  #sliders = [find("[data-from]"), find("[data-to]")];
  #numbers = [find("input[name=from]"), find("input[name=to]")];
  #play = find("[data-play]");
  #audio = new Audio();
  #address = null;
  #isTooLong = false;
  #timer = null;
  /** Called when both ends stand somewhere new. */
  onTrim = () => {};
  /** Called with a title that was typed: it stands in the clip too. */
  onTitle = () => {};

  constructor() {
    this.#wave.onChange = (from, to, held) => this.#set(from, to, held);
    this.#sliders.forEach((slider, end) => {
      slider.addEventListener("input", () => this.#put(end, Number(slider.value)));
      slider.addEventListener("keydown", (event) => this.#key(event, end));
    });
    this.#numbers.forEach((number, end) => {
      number.addEventListener("change", () => this.#put(end, Number(number.value) || 0));
    });
    this.#play.addEventListener("click", () => this.#toggle());
    for (const name of ["play", "pause", "ended"]) this.#audio.addEventListener(name, () => this.#showPlaying());
    this.#audio.addEventListener("error", () => this.#address && this.fail(word("record.unplayable")));
    form.addEventListener("input", () => this.#typed());
    form.addEventListener("submit", (event) => event.preventDefault());
    this.#offerLanguages();
  }

  get take() {
    return this.#take;
  }

  /** Both ends in seconds; null for those that were left to the hub. */
  get ends() {
    const { from, to } = this.#take.facts;
    return [from, to];
  }

  /** Shows a recording. `peaks` where they are known. */
  async open(take, peaks) {
    this.close();
    this.#take = take;
    this.#length = Math.floor(take.seconds * 10) / 10 || take.seconds;
    section.hidden = false;
    for (const name of ["title", "text", "transcript", "visibility"]) form.elements[name].value = take.facts[name] ?? "";
    this.#showWhom();
    form.elements.language.value = take.facts.language ?? form.elements.language.options[1]?.value ?? "";
    for (const box of form.querySelectorAll("[name=onward]")) box.checked = take.facts.onward.includes(box.value);
    const gaps = find("[data-gaps]");
    gaps.hidden = !take.facts.missing;
    gaps.textContent = take.facts.missing ? word("record.missing", { seconds: tenths(take.facts.missing) }) : "";
    this.fail("");
    this.progress("");
    this.#showEnds();
    this.#typed();
    const known = peaks ?? (await peaksOf(take));
    if (this.#take === take) this.#wave.show(known, this.#length, ...this.#places());
  }

  /** Says for whom alone it is, in place of the choice who may hear it. */
  #showWhom() {
    const name = this.#recipient;
    const choice = form.elements.visibility;
    choice.querySelector("[value=direct]")?.remove();
    if (name) choice.append(new Option(word("record.alone", { name }), "direct", true, true));
    choice.disabled = name !== null;
  }

  get #recipient() {
    const name = asked.get("to") ?? this.#take?.facts.recipient ?? "";
    return /^@?[A-Za-z0-9_]{1,60}$/.test(name) ? `@${name.replace("@", "")}` : null;
  }

  close() {
    this.stop();
    if (this.#take && this.#timer !== null) this.#remember();
    this.#take = null;
    section.hidden = true;
  }

  /** Says in the heading what it is, and goes there. */
  headline(text) {
    const heading = find("[data-made]");
    heading.textContent = text;
    heading.focus();
  }

  fail(text) {
    find("[data-trouble]").textContent = text;
    if (text) warn(text);
  }

  progress(text) {
    find("[data-progress]").textContent = text;
  }

  /** What was typed and chosen. */
  get fields() {
    const value = (name) => form.elements[name].value;
    return {
      title: value("title").trim(), text: value("text").trim(), transcript: value("transcript").trim(),
      visibility: value("visibility"), recipient: this.#recipient,
      answers: asked.get("answers") ?? this.#take?.facts.answers ?? null, language: value("language") || null,
      onward: Array.from(form.querySelectorAll("[name=onward]:checked"), (box) => box.value),
    };
  }

  /** Why it cannot be published as it is; null when it can. */
  get objection() {
    const wanted = ["hub", ...this.fields.onward];
    const limit = limits.find((one) => wanted.includes(one.network) && this.#left(one) < 0);
    if (!limit) return null;
    return count("record.toolong", -this.#left(limit), { network: networkName(limit.network) });
  }

  #left(limit) {
    return remaining(form.elements.text.value, limit, facts.tag);
  }

  /** What is left is shown with each key and not said; that there is too much is said once. */
  #typed() {
    for (const limit of limits) {
      const place = find(`[data-remaining="${limit.network}"]`);
      if (place) place.textContent = count("record.left", this.#left(limit), { network: networkName(limit.network) });
      place?.classList.toggle("problem", this.#left(limit) < 0);
    }
    const objection = this.objection;
    form.elements.text.setAttribute("aria-invalid", String(objection !== null));
    if (objection && !this.#isTooLong) warn(objection);
    this.#isTooLong = objection !== null;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#remember(), 300);
  }

  #remember() {
    clearTimeout(this.#timer);
    this.#timer = null;
    const take = this.#take;
    if (!take) return;
    const { title } = this.fields;
    if (title !== (take.facts.title ?? "")) this.onTitle(title);
    take.save(this.fields).catch(() => {});
  }

  #offerLanguages() {
    const names = new Intl.DisplayNames(language, { type: "language" });
    for (const tag of new Set([...navigator.languages, "en", "de"].map((tag) => tag.split("-")[0]))) {
      form.elements.language.append(new Option(names.of(tag), tag));
    }
  }

  #places() {
    const { from, to } = this.#take.facts;
    return [from ?? 0, Math.min(to ?? this.#length, this.#length)];
  }

  #put(end, seconds) {
    const places = this.#places();
    places[end] = seconds;
    this.#set(places[0], places[1], end);
  }

  #set(from, to, moved) {
    const round = (seconds) => Math.round(Math.min(Math.max(0, seconds), this.#length) * 10) / 10;
    [from, to] = [round(from), round(to)];
    // The end that is moved stops at the other.
    if (to - from < least) [from, to] = moved === 0 ? [round(to - least), to] : [from, round(from + least)];
    this.stop();
    // The picture has tenths; the end is the end.
    const last = to >= this.#length ? this.#take.seconds : to;
    this.#take.save({ from, to: last }).catch(() => {});
    this.#showEnds();
    this.#wave.move(...this.#places());
    this.onTrim(from, last);
  }

  #showEnds() {
    this.#places().forEach((place, end) => {
      const [slider, number] = [this.#sliders[end], this.#numbers[end]];
      slider.max = number.max = String(this.#length);
      slider.value = String(place);
      number.value = place.toFixed(1);
      slider.setAttribute("aria-valuetext", word("record.seconds", { seconds: tenths(place) }));
    });
    const [from, to] = this.#places();
    find("[data-played]").textContent = clock(to - from, true);
  }

  #key(event, end) {
    const moves = { ArrowLeft: -step, ArrowDown: -step, ArrowRight: step, ArrowUp: step, PageDown: -page, PageUp: page };
    const place = this.#places()[end];
    if (event.key in moves) this.#put(end, place + moves[event.key]);
    else if (event.key === "Home") this.#put(end, 0);
    else if (event.key === "End") this.#put(end, this.#length);
    else return;
    event.preventDefault();
  }

  async #toggle() {
    if (!this.#audio.paused) return this.stop();
    const [from, to] = this.#places();
    try {
      const part = await this.#take.part(from, to);
      this.#forget();
      this.#address = URL.createObjectURL(part);
      this.#audio.src = this.#address;
      await this.#audio.play();
    } catch (error) {
      if (error.name !== "AbortError") this.fail(word("record.unplayable"));
    }
  }

  stop() {
    this.#audio.pause();
    this.#forget();
  }

  #forget() {
    if (!this.#address) return;
    URL.revokeObjectURL(this.#address);
    this.#address = null;
    this.#audio.removeAttribute("src");
  }

  #showPlaying() {
    const isPlaying = !this.#audio.paused && !this.#audio.ended;
    this.#play.textContent = isPlaying ? word("record.pause") : word("record.play");
    if (isPlaying) this.#follow();
    else this.#wave.play(null);
  }

  #follow() {
    if (this.#audio.paused || this.#audio.ended || !this.#take) return this.#wave.play(null);
    this.#wave.play(this.#places()[0] + this.#audio.currentTime);
    requestAnimationFrame(() => this.#follow());
  }
}

function networkName(network) {
  if (network === "mastodon") return "Mastodon";
  return network === "x" ? "X" : word("record.hub");
}

/** Reads a recording through, a piece at a time. */
async function peaksOf(take) {
  const peaks = new Peaks(take.facts.rate);
  const piece = 1 << 20;
  for (let place = headBytes; place < take.bytes; place += piece) {
    peaks.add(new Int16Array(await take.read(place, Math.min(take.bytes, place + piece))));
  }
  return peaks.end();
}
