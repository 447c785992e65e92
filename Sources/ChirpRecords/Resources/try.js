// Trying a challenge: the tones are played while sound or film is recorded, what was recorded is heard again and trimmed until it fits in what the line
// moves in ten seconds, and handed in. Without this file the form takes a file, and the tones are played by hand.
import { Microphone } from "./capture.js";
import { alone, deliver, forget, keep, NotTaken, pageOf, uploadOf, whoIsHere } from "./attempt-store.js";
import { FilmTake, fileTake, filmType, SoundTake } from "./attempt-take.js";
import { bound, Line, measured } from "./line.js";
import { PAGES } from "./offline.js";
import { say, warn } from "./say.js";
import { settled } from "./settled.js";
import { Waveform } from "./waveform.js";
import { facts, language, word } from "./words.js";

/** Seconds; a recording ends by itself then. */
const mostFilm = 175;
const mostSound = 325;
/** Of the start signal, until the long tone. */
const countdown = 3;
/** So long the stop tone sounds, and the room after it. */
const tail = 1100;

const place = document.querySelector("[data-try]");
const form = document.querySelector("[data-hand-in]");
const find = (name) => place.querySelector(`[data-${name}]`);
const seconds = (value) => value.toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

let take = null;
let range = { from: 0, to: 0 };
let wave = null;
let running = null;
const line = new Line();
/** What is sent of the whole recording to measure the line; it goes on when nothing is cut off. */
let probe = null;

/** The tones, also where the hub is away: they are kept with the page. */
async function tones(name) {
  const address = `${place.dataset.tones}/${name}.wav`;
  const pages = await window.caches?.open(PAGES).catch(() => null);
  const known = await pages?.match(address);
  if (known) return known.arrayBuffer();
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(String(answer.status));
  pages?.put(address, answer.clone()).catch(() => {});
  return answer.arrayBuffer();
}

// Fetched without being asked for: whoever opens the page here tries where there is no network.
const fetched = { start: settled.then(() => tones("start")), stop: settled.then(() => tones("stop")) };
for (const one of Object.values(fetched)) one.catch(() => {});
/** The code, read aloud before the tones; null where no voice is to be had. */
const spoken = "spoken" in place.dataset ? settled.then(() => tones("code")).catch(() => null) : null;
/** Of silence between the voice and the tones. */
const breath = 0.3;

function trouble(error) {
  const kinds = { NotAllowedError: "permission", NotFoundError: "none", NotReadableError: "busy" };
  const kind = error?.kind ?? kinds[error?.name] ?? "failed";
  const texts = {
    insecure: word("attempt.script.insecure"), permission: word("attempt.script.permission"),
    none: word("attempt.script.none"), busy: word("attempt.script.busy"),
  };
  find("trouble").textContent = texts[kind] ?? word("attempt.script.failed");
  warn(find("trouble").textContent);
}

class Sound {
  #microphone;
  #pieces = [];
  most = mostSound;

  async open() {
    // Whatever cleans the sound takes the tones out of it.
    this.#microphone = await Microphone.open(false);
    this.#microphone.onSamples = (samples) => this.#pieces.push(samples.slice());
  }

  async start(onGone) {
    this.#microphone.onGone = onGone;
    await this.#microphone.start();
  }

  async end() {
    const { rate } = this.#microphone;
    await this.#microphone.stop();
    return new SoundTake(this.#pieces, rate);
  }

  close() {
    this.#microphone?.close();
  }
}

class Film {
  #stream;
  #recorder;
  #pieces = [];
  #began = 0;
  #timer = null;
  most = mostFilm;

  async open() {
    const raw = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
    const video = { width: { ideal: 1280 }, height: { ideal: 720 }, facingMode: { ideal: "environment" } };
    this.#stream = await navigator.mediaDevices.getUserMedia({ audio: raw, video });
    this.#recorder = new MediaRecorder(this.#stream, { mimeType: filmType(), videoBitsPerSecond: 1_500_000 });
    this.#recorder.ondataavailable = ({ data }) => {
      if (data.size > 0) this.#pieces.push({ blob: data, end: (performance.now() - this.#began) / 1000 });
    };
  }

  async start(onGone) {
    const view = find("view");
    view.hidden = false;
    view.srcObject = this.#stream;
    view.play().catch(() => {});
    this.#stream.getTracks()[0].addEventListener("ended", onGone);
    await new Promise((resolve) => {
      this.#recorder.onstart = resolve;
      this.#began = performance.now();
      this.#recorder.start(250);
    });
  }

  async end() {
    const ended = new Promise((resolve) => (this.#recorder.onstop = resolve));
    this.#recorder.stop();
    await ended;
    this.close();
    const film = new FilmTake(this.#pieces, this.#recorder.mimeType, "attempt");
    film.timer = this.#timer;
    return film;
  }

  /** So many seconds from now the time begins that the shown copy has burnt in. */
  begins(wait) {
    this.#timer = (performance.now() - this.#began) / 1000 + wait;
  }

  close() {
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    find("view").srcObject = null;
    find("view").hidden = true;
  }
}

async function begin(device) {
  find("trouble").textContent = "";
  let context = null;
  try {
    if (!window.isSecureContext || !navigator.mediaDevices) throw Object.assign(new Error(), { kind: "insecure" });
    context = new AudioContext();
    await context.resume();
    const start = await context.decodeAudioData((await fetched.start).slice(0));
    const stop = await context.decodeAudioData((await fetched.stop).slice(0));
    const code = await voice(context);
    await device.open();
    find("begin").hidden = true;
    find("review").hidden = true;
    find("running").hidden = false;
    find("count").textContent = String(countdown);
    find("stop").focus();
    running = { device, context, stop, at: null, timer: 0, lead: 0, isEnding: false };
    await device.start(() => end());
    const now = context.currentTime + 0.3;
    const at = now + (code ? code.duration + breath : 0);
    running.at = at + countdown;
    running.lead = at - now;
    if (code) playing(context, code, now);
    device.begins?.(running.at - context.currentTime);
    playing(context, start, at);
    running.timer = setInterval(tick, 100);
    navigator.wakeLock?.request("screen").then((lock) => (running ? (running.lock = lock) : lock.release()), () => {});
  } catch (error) {
    device.close();
    context?.close().catch(() => {});
    running = null;
    shown();
    trouble(error);
  }
}

/** What the voice says, if it is there by now: nobody waits for it. */
async function voice(context) {
  try {
    const sound = await Promise.race([spoken, new Promise((resolve) => setTimeout(resolve, 1000, null))]);
    return sound && (await context.decodeAudioData(sound.slice(0)));
  } catch {
    return null;
  }
}

function playing(context, buffer, at) {
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(context.destination);
  source.start(at);
}

function tick() {
  if (!running) return;
  const passed = running.context.currentTime - running.at;
  find("count").textContent = passed < 0 ? String(Math.min(countdown, Math.ceil(-passed))) : seconds(passed);
  if (passed >= running.device.most - running.lead - countdown - 3) end();
}

/** Back to what there is: the buttons, or what was recorded. */
function shown() {
  find("running").hidden = true;
  find("begin").hidden = take !== null;
  find("review").hidden = take === null;
}

async function end() {
  if (!running || running.isEnding) return;
  running.isEnding = true;
  const { device, context, stop, at, timer, lock } = running;
  clearInterval(timer);
  // Whoever stops before the long tone has not tried.
  const isTried = at !== null && context.currentTime > at;
  try {
    if (isTried) {
      playing(context, stop, context.currentTime + 0.02);
      await new Promise((resolve) => setTimeout(resolve, tail));
    }
    const recorded = await device.end();
    running = null;
    if (isTried) {
      await review(recorded);
      form.elements.done.value = local(new Date());
    }
  } catch (error) {
    running = null;
    trouble(error);
  } finally {
    device.close();
    context.close().catch(() => {});
    lock?.release().catch(() => {});
    shown();
    if (take) (find("playback").firstElementChild ?? find("again")).focus();
    else find("begin").querySelector("button")?.focus();
  }
}

function local(date) {
  const two = (number) => String(number).padStart(2, "0");
  form.elements.offset.value = String(-date.getTimezoneOffset());
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

const [from, to] = [document.getElementById("trim-from"), document.getElementById("trim-to")];

/** Shows what was recorded, or chosen: to hear or see it again, and to cut it. */
async function review(recorded) {
  probe?.cancel();
  probe = null;
  take = recorded;
  range = { from: 0, to: take.seconds };
  const blob = await take.cut(0, take.seconds);
  const media = document.createElement(take.kind === "film" ? "video" : "audio");
  Object.assign(media, { controls: true, src: URL.createObjectURL(blob), playsInline: true });
  media.setAttribute("aria-label", word("attempt.script.yours"));
  URL.revokeObjectURL(find("playback").firstElementChild?.src ?? "");
  find("playback").replaceChildren(media);
  const peaks = take.peaks;
  find("wave").hidden = peaks === null;
  if (peaks) {
    wave ??= new Waveform(find("wave"));
    wave.onChange = (first, last) => trim(first, last, media);
    wave.show(peaks, take.seconds, 0, take.seconds);
    media.ontimeupdate = () => wave.play(media.paused ? null : media.currentTime);
  }
  for (const handle of [from, to]) {
    handle.max = String(Math.ceil(take.seconds * 10) / 10);
    handle.closest("p").hidden = take.seconds === 0;
    handle.oninput = () => trim(Number(from.value), Number(to.value), media, handle);
  }
  from.closest("p").hidden = take.seconds === 0 || take.canBeginLater === false;
  to.value = to.max;
  from.value = "0";
  trim(0, take.seconds, media);
  shown();
  measure(blob);
}

function trim(first, last, media, handle = null) {
  const most = take.seconds;
  let [start, finish] = [Math.max(0, Math.min(first, most)), Math.max(0, Math.min(last, most))];
  // A second is left at least, and the handle that is held gives way.
  if (finish - start < 1 && most >= 1) {
    if (handle === to) finish = Math.min(most, start + 1);
    else start = Math.max(0, finish - 1);
    if (finish - start < 1) [start, finish] = finish >= most ? [most - 1, most] : [start, start + 1];
  }
  range = { from: start, to: finish };
  [from.value, to.value] = [String(start), String(finish)];
  from.setAttribute("aria-valuetext", word("attempt.script.seconds", { count: seconds(start) }));
  to.setAttribute("aria-valuetext", word("attempt.script.seconds", { count: seconds(finish) }));
  wave?.move(start, finish);
  if (handle && media.paused && media.readyState > 0) media.currentTime = handle === to ? Math.max(start, finish - 2) : start;
  fit();
}

/** The best quality of the part that is chosen that arrives in time; null when none does. Before the line is known, the best. */
function quality() {
  if (!line.isMeasured) return take.qualities[0];
  return take.qualities.find((one) => take.bytes(range.from, range.to, one) <= line.most) ?? null;
}

/** Says whether what is chosen arrives in ten seconds, and what would. */
function fit() {
  const length = range.to - range.from;
  const best = quality();
  const values = { seconds: seconds(length) };
  let text = "";
  if (take.seconds === 0) text = "";
  else if (!line.isMeasured) text = word("attempt.script.length", values);
  else if (best === null) {
    const least = take.qualities.at(-1);
    const most = Math.floor(((length * line.most) / Math.max(1, take.bytes(range.from, range.to, least))) * 10) / 10;
    text = word("attempt.script.too-long", { ...values, less: seconds(Math.max(0.1, length - most)), most: seconds(most) });
  } else {
    const time = seconds(Math.max(0.1, line.seconds(take.bytes(range.from, range.to, best))));
    text = best === take.qualities[0]
      ? word("attempt.script.fits", { ...values, time }) : word("attempt.script.fits-less", { ...values, time });
  }
  find("fit").textContent = text;
  find("fit").classList.toggle("problem", best === null);
}

/** Where in what is sent the time begins, in whole ms, when it begins so many seconds later; null where nobody knows it. */
function timerFrom(start) {
  if (typeof take.timer !== "number") return null;
  const timer = Math.round((take.timer - start) * 1000);
  return timer >= 0 && timer <= mostFilm * 1000 ? timer : null;
}

/** Sound alone is kept as it was recorded where the hub can do so; elsewhere it is made a clip. */
function sentAs() {
  return place.dataset.untouched === undefined ? take.kind : "film";
}

/** Sends the beginning of it, to know the line; the rest when it is handed in as it is. */
function measure(blob) {
  if (blob.size <= measured || line.isMeasured) return;
  const entry = { kind: sentAs(), timer: timerFrom(0) };
  const upload = uploadOf(blob, entry);
  probe = { upload, blob, isDecided: false, decide: () => {}, cancel: () => {} };
  const mine = probe;
  const decision = new Promise((resolve) => (mine.decide = resolve));
  mine.cancel = () => {
    mine.decide(false);
    if (!line.isMeasured) upload.cancel();
  };
  upload.line = line;
  upload.onMeasured = async () => {
    if (probe === mine) fit();
    return decision;
  };
  mine.run = upload.run();
  mine.run.catch(() => {});
}

function told(text) {
  form.querySelector("[data-sending]").textContent = text;
}

/** Puts what was wrong beside the fields, and goes to the first. */
function wrong(error) {
  told("");
  const alert = document.getElementById("problem");
  alert.textContent = error.fields && Object.keys(error.fields).length > 0
    ? Object.entries(error.fields).map(([, text]) => `${text}.`).join(" ") : `${error.message}.`;
  alert.tabIndex = -1;
  const name = Object.keys(error.fields ?? {})[0];
  const field = name && form.elements[name];
  if (field?.focus) {
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", "problem");
    field.focus();
  } else alert.focus();
  warn(alert.textContent);
}

let isSending = false;

async function handIn(event) {
  // Without a recording the form goes as it is.
  if (!take) return;
  event.preventDefault();
  if (isSending || !form.reportValidity()) return;
  const best = quality();
  if (best === null) {
    fit();
    to.focus();
    return warn(find("fit").textContent);
  }
  isSending = true;
  const fields = Object.fromEntries(["score", "text", "place", "version", "code", "offset"].map((name) => [name, form.elements[name]?.value ?? ""]));
  const done = form.elements.done.value;
  if (done) fields.done = new Date(done).toISOString();
  const entry = {
    key: form.elements.key.value, person: facts.person, address: form.dataset.handIn.replace(document.documentElement.dataset.prefix ?? "", ""),
    title: form.dataset.title, fields, kind: sentAs(), blob: null, upload: null, media: null, made: Date.now(),
  };
  const isAll = range.from <= 0.05 && range.to >= take.seconds - 0.05 && best === take.qualities[0];
  try {
    told(word("attempt.script.preparing"));
    const whole = probe;
    entry.blob = isAll && whole ? whole.blob : await take.cut(range.from, range.to, best, (share) =>
      told(word("attempt.script.making", { percent: String(Math.round(share * 100)) })));
    entry.timer = timerFrom(isAll && whole ? 0 : range.from);
    await keep(entry);
    const hooks = {
      onProgress: (share) => told(word("attempt.script.sending", { percent: String(Math.round(share * 100)) })),
      onConnection: (isThere) => {
        told(word(isThere ? "attempt.script.back" : "attempt.script.away"));
        say(word(isThere ? "attempt.script.back" : "attempt.script.away"));
      },
    };
    if (isAll && whole) {
      hooks.upload = { get url() { return whole.upload.url; }, get id() { return whole.upload.id; }, run: () => whole.run };
      whole.upload.onProgress = (bytes) => hooks.onProgress(bytes / entry.blob.size);
      whole.upload.onConnection = hooks.onConnection;
      // It may have been gone before anybody asked.
      if (whole.upload.isAway) hooks.onConnection(false);
      whole.upload.onBegun = () => keep(Object.assign(entry, { upload: whole.upload.url }));
      whole.decide(true);
    } else {
      probe?.cancel();
    }
    const answer = await alone(entry.key, () => deliver(entry, hooks));
    if (!answer) return told(word("attempt.script.elsewhere"));
    await forget(entry.key);
    told(word("attempt.script.handed-in"));
    location.assign(pageOf(answer));
  } catch (error) {
    if (error instanceof NotTaken) {
      await forget(entry.key);
      probe?.cancel();
      probe = null;
      wrong(error);
    } else {
      told(word("attempt.script.kept"));
      warn(word("attempt.script.kept"));
    }
  } finally {
    isSending = false;
  }
}

// Known by every page of the board in this window from now on.
whoIsHere();
place.hidden = false;
for (const plain of document.querySelectorAll("[data-plain]")) plain.hidden = true;
find("sound")?.addEventListener("click", () => begin(new Sound()));
find("film")?.addEventListener("click", () => begin(new Film()));
find("stop").addEventListener("click", end);
find("again").addEventListener("click", () => {
  probe?.cancel();
  probe = null;
  take = null;
  shown();
  find("begin").querySelector("button")?.focus();
});
const film = find("film");
if (film && !filmType()) film.hidden = true;
const media = document.getElementById("media");
async function choose() {
  if (!media.files[0]) return;
  await review(await fileTake(media.files[0]));
  find("begin").hidden = true;
}
media.addEventListener("change", choose);
// On a slow line a file is chosen before this script is here.
choose();
form.addEventListener("submit", handIn);
document.getElementById("done-hint").textContent = word("attempt.script.done");
form.elements.offset.value = String(-new Date().getTimezoneOffset());
// The server's instants are UTC; here the field is in the visitor's zone.
form.elements.done.max = local(new Date(Date.now() + 60_000));
