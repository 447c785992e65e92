// The page Record: press, speak, press; then play, trim, publish or delete. What was left behind is offered again.
import { counted, Refusal } from "./api.js";
import { causeBefore, Microphone } from "./capture.js";
import { clock, Editor, spoken, tenths } from "./editor.js";
import { say, warn } from "./say.js";
import { isSendable, Sending } from "./sending.js";
import { SentTake } from "./sent.js";
import { leftBehind, Take } from "./takes.js";
import { Peaks } from "./wav.js";
import { facts, language, prefix, word } from "./words.js";

const find = (name) => document.querySelector(`[data-${name}]`);
const [recordButton, clockPlace, causePlace, statePlace] = ["record", "clock", "cause", "state"].map(find);
const levelBar = find("level").firstElementChild;
const reduceBox = find("reduce");
const longest = Number(facts.longest) || 600;
/** The words before the tone need time to be heard, and must not be in the recording. */
const wordsBeforeTone = 1000;
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const editor = new Editor();
/** What is in the editor on its way. */
let current = null;
/** `idle`, `starting`, `recording` or `stopping`. */
let state = "idle";

// MARK: why there is no sound

const causes = {
  insecure: () => word("record.cause.insecure", { address: secureAddress() }),
  old: () => word("record.cause.old"),
  permission: () => word("record.cause.permission"),
  none: () => word("record.cause.none"),
  busy: () => word("record.cause.busy"),
  silent: () => word("record.cause.silent"),
  gone: () => word("record.cause.gone"),
  room: () => word("record.cause.room"),
  failed: (why) => word("record.cause.failed", { why }),
};

function secureAddress() {
  return facts.publicURL?.startsWith("https:") ? `${facts.publicURL}/record` : `https://${location.host}`;
}

function showCause(kind, why) {
  const text = kind ? (causes[kind] ?? causes.failed)(why) : "";
  if (!text && !causePlace.textContent) return;
  causePlace.textContent = text;
  warn(text);
  if (kind) counted(kind === "room" ? "error.record.file" : "error.record.microphone");
}

// MARK: recording

async function record() {
  state = "starting";
  leaveEditor();
  showCause(null);
  recordButton.setAttribute("aria-busy", "true");
  reduceBox.disabled = true;
  say(word("record.tone"));
  let said = performance.now();
  let microphone = null;
  try {
    // The words are in the page before the microphone is open.
    await wait(50);
    microphone = await Microphone.open(reduceBox.checked);
    // Who was asked by the browser first has forgotten the tone.
    if (performance.now() - said > 3000) {
      said = performance.now();
      say(word("record.tone"));
    }
    const take = await Take.begin(microphone.rate, facts.person ?? "");
    await wait(said + wordsBeforeTone - performance.now());
    await runRecording(microphone, take);
  } catch (error) {
    microphone?.close();
    state = "idle";
    reduceBox.disabled = false;
    say("");
    showCause(error.kind ?? "failed", error.message);
  } finally {
    recordButton.removeAttribute("aria-busy");
  }
}

async function runRecording(microphone, take) {
  const entry = enter(take);
  const peaks = new Peaks(microphone.rate);
  const most = Math.round(longest * microphone.rate);
  let frames = 0;
  let written = Promise.resolve();
  let lock = null;
  let isStopping = false;

  const stop = async (reason) => {
    if (isStopping) return;
    isStopping = true;
    state = "stopping";
    await microphone.stop();
    lock?.release().catch(() => {});
    await written.catch(() => {});
    await take.end();
    finish(entry, peaks.end(), microphone.missing, reason);
  };

  microphone.onSamples = (samples) => {
    const part = frames + samples.length > most ? samples.slice(0, most - frames) : samples;
    if (part.length === 0) return;
    frames += part.length;
    peaks.add(part);
    showLevel(part);
    showClock(frames / microphone.rate);
    written = take.append(part);
    written.then(
      () => entry.sending.more(),
      () => {
        showCause("room");
        stop();
      });
    if (frames >= most) stop("longest");
  };
  microphone.onSilence = (isSilent) => showCause(isSilent ? "silent" : null);
  microphone.onGone = () => {
    showCause("gone");
    stop();
  };

  showClock(0);
  try {
    await microphone.start();
  } catch (error) {
    // Nothing was said, so nothing is left behind.
    await forget(entry).catch(() => {});
    throw error;
  }
  state = "recording";
  recordButton.textContent = word("record.stop");
  recordButton.classList.add("recording");
  stopRecording = stop;
  if (isSendable(take)) entry.sending.start();
  statePlace.textContent = sendingText(entry);
  navigator.wakeLock?.request("screen").then((screen) => {
    // It may come when all is over.
    if (isStopping) return screen.release();
    lock = screen;
  }).catch(() => {});
}

let stopRecording = () => {};

function showLevel(samples) {
  let most = 0;
  for (const sample of samples) most = Math.max(most, Math.abs(sample));
  // From -60 dB to full scale.
  const level = most > 0 ? Math.max(0, 1 + Math.log10(most / 32768) / 3) : 0;
  levelBar.style.transform = `scaleX(${level.toFixed(3)})`;
}

function showClock(seconds) {
  const text = clock(seconds);
  if (clockPlace.textContent !== text) clockPlace.textContent = text;
}

async function finish(entry, peaks, missing, reason) {
  const { take, sending } = entry;
  recordButton.textContent = word("record.record");
  recordButton.classList.remove("recording");
  reduceBox.disabled = false;
  levelBar.style.transform = "scaleX(0)";
  if (take.seconds < 0.1) {
    state = "idle";
    await forget(entry);
    showCause("silent");
    return;
  }
  await take.save({ missing }).catch(() => {});
  // How far the upload is comes after the news that there is a recording.
  state = "idle";
  sending.quartersFromNow();
  sending.more();
  const made = word("record.made", { length: spoken(take.seconds) });
  const text = reason === "longest" ? word("record.capped", { made }) : made;
  say(text);
  await openEntry(entry, peaks, text);
  if (missing) warn(word("record.missing", { seconds: tenths(missing) }));
}

recordButton.addEventListener("click", () => {
  if (state === "idle") {
    counted("press.record.record");
    record();
  } else if (state === "recording") {
    counted("press.record.stop");
    stopRecording();
  }
});

// MARK: recordings and their ways

/** Every recording that this page has: `{ take, sending, row }`. */
const entries = [];

function enter(take) {
  const entry = { take, sending: new Sending(take), row: null, isPublishing: false };
  entry.sending.onQuarter = (percent) => {
    if (state === "idle") say(word("record.uploaded", { percent }));
    show(entry);
  };
  let wasLost = false;
  entry.sending.onState = (now) => {
    // Nothing is said while somebody speaks.
    if (state === "idle" && now === "lost" && !wasLost) say(word("script.lost"));
    if (state === "idle" && now !== "lost" && wasLost) say(word("script.back"));
    wasLost = now === "lost";
    show(entry);
    const { title, from, to } = entry.take.facts;
    if (now === "sent" && (title || to !== null)) entry.sending.change({ title, from, to });
  };
  entries.unshift(entry);
  return entry;
}

function sendingText(entry) {
  const { take, sending, isPublishing } = entry;
  if (sending.state === "lost") return take.facts.wanted ? word("record.queued") : word("record.unsent");
  if (sending.state === "refused") return whyRefused(sending.why);
  if (isPublishing) return word("record.publishing");
  if (sending.state === "sending") return take.isWhole ? word("record.sending") : word("record.sent.while");
  if (sending.state === "sent") return word("record.sent");
  if (!take.isLasting) return word("record.memory");
  return facts.signedIn === "yes" ? "" : word("record.here");
}

function show(entry) {
  const text = sendingText(entry);
  if (entry.row) entry.row.querySelector(".soft").textContent = text;
  if (entry === current) editor.progress(text);
  if (!entry.take.isWhole) statePlace.textContent = text;
  else if (state === "idle") statePlace.textContent = "";
}

function whyRefused(error) {
  if (error instanceof Refusal && error.type === "too-long-text") return word("record.refused.text");
  switch (error?.status) {
    case 401: return word("record.refused.signin");
    case 413: return word("record.refused.quota");
    case 403: return error.type === "not-allowed" ? word("record.refused.limit") : word("record.refused.page");
    default: return word("record.refused", { why: error?.message ?? "" });
  }
}

async function openEntry(entry, peaks, headline) {
  leaveEditor();
  current = entry;
  listFound();
  const opened = editor.open(entry.take, peaks);
  editor.headline(headline ?? word("record.made", { length: spoken(entry.take.seconds) }));
  show(entry);
  setPublishing(entry);
  await opened;
}

function leaveEditor() {
  if (!current) return;
  editor.close();
  current = null;
  listFound();
}

async function forget(entry) {
  entry.sending.end();
  entries.splice(entries.indexOf(entry), 1);
  if (current === entry) leaveEditor();
  await entry.take.remove();
  listFound();
}

let trimTimer = null;
editor.onTrim = (from, to) => {
  const { sending } = current;
  clearTimeout(trimTimer);
  trimTimer = setTimeout(() => sending.change({ from, to }), 400);
};
editor.onTitle = (title) => current.sending.change({ title });

// MARK: publishing

const publishButton = find("publish");

function setPublishing(entry) {
  if (entry === current) publishButton.setAttribute("aria-disabled", String(entry.isPublishing));
}

publishButton.addEventListener("click", async () => {
  const entry = current;
  if (!entry || entry.isPublishing) return;
  counted("press.record.publish");
  editor.stop();
  editor.fail("");
  if (facts.signedIn !== "yes") {
    editor.fail(word("record.signin.first"));
    find("signin")?.querySelector("a").focus();
    return;
  }
  const objection = editor.objection;
  if (objection) {
    editor.fail(objection);
    document.querySelector("textarea[name=text]").focus();
    return;
  }
  clearTimeout(trimTimer);
  // From here on it is published when the network is back, whatever becomes of the page.
  await entry.take.save({ ...editor.fields, wanted: true, person: facts.person ?? "" });
  if (!navigator.onLine) say(word("record.queued"));
  await publish(entry);
});

async function publish(entry) {
  entry.isPublishing = true;
  setPublishing(entry);
  show(entry);
  try {
    const done = await entry.sending.publish();
    if (!done) return;
    await published(entry, done);
  } catch (error) {
    entry.isPublishing = false;
    // Who was signed out meanwhile still wants it.
    if (error.status !== 401) await entry.take.save({ wanted: false }).catch(() => {});
    setPublishing(entry);
    show(entry);
    if (entry === current) editor.fail(whyRefused(error));
    else if (entry.row) entry.row.querySelector(".problem").textContent = whyRefused(error);
  }
}

async function published(entry, { page, onward = [] }) {
  const address = prefix && !page.startsWith(`${prefix}/`) ? prefix + page : page;
  const failed = onward.filter((one) => one.state === "failed").map((one) => `${one.network}: ${one.why ?? ""}`);
  const isHere = entry === current && state === "idle";
  say(word("record.published"));
  await forget(entry);
  if (failed.length > 0) causePlace.textContent = word("record.onward.failed", { why: failed.join("; ") });
  if (failed.length > 0) warn(causePlace.textContent);
  if (isHere && failed.length === 0) location.assign(address);
  else showLink(address);
}

/** Where it went, for those who do something else by now. */
function showLink(address) {
  const link = document.createElement("a");
  link.href = address;
  link.textContent = word("record.published.link");
  statePlace.replaceChildren(`${word("record.published")}: `, link);
}

find("later").addEventListener("click", () => {
  leaveEditor();
  say(word("record.kept"));
  recordButton.focus();
});

// MARK: deleting

const dialog = find("confirm");
let asked = null;

function askDelete(entry) {
  editor.stop();
  asked = entry;
  dialog.querySelector("[data-which]").textContent = describe(entry.take);
  dialog.showModal();
  dialog.querySelector("[data-no]").focus();
}

dialog.querySelector("[data-no]").addEventListener("click", () => dialog.close());
dialog.querySelector("[data-yes]").addEventListener("click", async () => {
  const entry = asked;
  dialog.close();
  counted("press.record.delete");
  try {
    await entry.sending.remove();
    await forget(entry);
    say(word("record.deleted"));
    recordButton.focus();
  } catch (error) {
    const text = word("record.undeleted", { why: error instanceof Refusal ? error.message : word("record.offline") });
    if (entry === current) return editor.fail(text);
    const place = entry.row?.querySelector(".problem");
    if (place) place.textContent = text;
    warn(text);
  }
});

find("delete").addEventListener("click", () => current && askDelete(current));

// MARK: what was left behind

const foundSection = find("found");
const foundList = foundSection.querySelector("ul");
const dates = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

function describe(take) {
  const parts = [take.facts.title, spoken(take.seconds), dates.format(take.facts.created)];
  return parts.filter(Boolean).join(", ");
}

function listFound() {
  const shown = entries.filter((entry) => entry !== current && entry.take.isWhole);
  for (const entry of entries) if (!shown.includes(entry)) entry.row = null;
  const rows = shown.map((entry) => (entry.row ??= rowOf(entry)));
  foundList.replaceChildren(...rows);
  foundSection.hidden = rows.length === 0;
  for (const entry of shown) show(entry);
}

function rowOf(entry) {
  const row = document.createElement("li");
  const name = document.createElement("p");
  name.id = `take-${entry.take.id}`;
  name.dir = "auto";
  name.textContent = describe(entry.take);
  const soft = Object.assign(document.createElement("p"), { className: "soft" });
  const problem = Object.assign(document.createElement("p"), { className: "problem" });
  const actions = Object.assign(document.createElement("p"), { className: "actions" });
  const button = (text, kind, act) => {
    const made = Object.assign(document.createElement("button"), { type: "button", className: kind, textContent: text });
    made.setAttribute("aria-describedby", name.id);
    made.addEventListener("click", act);
    return made;
  };
  actions.append(
    button(word("record.open"), "second", () => state === "idle" && openEntry(entry)), " ",
    button(word("record.delete"), "danger", () => askDelete(entry)));
  row.append(name, soft, problem, actions);
  return row;
}

async function offerFound() {
  let takes = [];
  try {
    takes = await leftBehind();
  } catch {
    // A browser that keeps nothing has kept nothing.
  }
  // Who is signed in sees the recordings of others that use this browser no more than theirs on the hub.
  const isOwn = (take) => facts.signedIn !== "yes" || [facts.person ?? "", ""].includes(take.facts.person);
  for (const take of takes.filter(isOwn).reverse()) {
    const entry = enter(take);
    if (!isSendable(take)) continue;
    if (take.facts.wanted) publish(entry);
    else if (take.facts.upload) entry.sending.start();
  }
  listFound();
}

/** A file that was sent by the form of this page is opened like a recording. */
async function openSent() {
  const id = new URLSearchParams(location.search).get("draft");
  if (!id || facts.signedIn !== "yes") return;
  try {
    const take = await SentTake.find(id);
    const entry = enter(take);
    entry.sending.start();
    if (state === "idle") await openEntry(entry, take.peaks);
  } catch (error) {
    causePlace.textContent = whyRefused(error);
    warn(causePlace.textContent);
  }
}

// MARK: the beginning

// A page that comes back from the browser's memory has let its recordings go.
window.addEventListener("pageshow", (event) => event.persisted && location.reload());
window.addEventListener("beforeunload", (event) => {
  // Only where the browser keeps nothing is there something to lose.
  if (entries.some((entry) => !entry.take.isLasting)) event.preventDefault();
});

find("old").hidden = true;
recordButton.disabled = false;
counted("screen.record");
const before = causeBefore();
if (before) showCause(before.kind);
offerFound().then(openSent);
