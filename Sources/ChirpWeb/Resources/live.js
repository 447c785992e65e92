// The page to go live on. The hub says what is to be heard; this is its loudspeaker, or shows what another tab plays.
import { call, counted, Refusal } from "./api.js";
import { follow } from "./events.js";
import { joinTabs } from "./tabs.js";
import { Loudspeaker } from "./loudspeaker.js";
import { mediaKeys } from "./mediakeys.js";
import { Choice } from "./choice.js";
import { Progress } from "./progress.js";
import { Reports } from "./reports.js";
import { Rows, address, instant } from "./rows.js";
import { Stage } from "./stage.js";
import { keepAwake } from "./awake.js";
import { keepClip } from "./offline.js";
import { speak, canSpeak } from "./speak.js";
import { spoken } from "./player.js";
import { tell } from "./news.js";
import { warn } from "./say.js";
import { word, count } from "./words.js";

const path = "/api/hub/v1/live";
const root = document.querySelector(".live");
const find = (name) => root.querySelector(`[data-${name}]`);
const form = find("choose");
const choice = form && new Choice(form);

let session = null;
let plays = new Map();
let turn = null;
// The turn whose clip this tab has begun to play.
let begun = 0;
// This tab is the loudspeaker.
let isLoud = false;
let isElsewhere = false;
let isLost = false;
let events = null;
// Pause or not, as long as the hub does not know.
let wanted = null;
// A clip that is played without the hub: after the end of the session.
let alone = null;
let elsewhere = { turn: 0, seconds: 0, isSounding: false, at: 0 };

const reports = new Reports(`${path}/turns`);
const progress = new Progress();
const rows = new Rows(find("clips"), find("row"), again);
const stage = new Stage(find("now"), position);
const wish = (name) => find(name).checked;

// --- What the loudspeaker says

const speaker = new Loudspeaker({
  started() {
    if (turn && !alone) report("started", speaker.position);
    keys.playing(true);
    stage.move();
  },
  ended() {
    if (alone) return quiet();
    if (!turn) return;
    const play = plays.get(turn.play);
    if (play) keepClip(address(play.url), play.keptUntil);
    finish("ended");
  },
  failed(reason) {
    counted(reason === "network" ? "error.live.network" : "error.live.sound");
    const play = alone ?? plays.get(turn?.play);
    const why = { gone: word("live.fail.gone"), network: word("live.fail.network") }[reason] ?? word("live.fail.decode");
    if (play) {
      rows.blame(play.id, why);
      warn(word("live.fail", { name: named(play), why }));
    }
    if (alone) return quiet();
    if (turn) finish("failed", why);
  },
  refused: () => silence(),
  // The lock screen, a telephone call, headphones that were pulled out.
  halted: () => pause(true),
  isConnected: () => !isLost && navigator.onLine,
});

const tabs = joinTabs({
  elsewhere(is) {
    isElsewhere = is;
    showStarter();
  },
  lost() {
    leave();
    silence();
  },
  message(data) {
    if (data.kind === "at") {
      elsewhere = { ...data, at: performance.now() };
      if (data.isSounding) stage.move();
    } else if (data.kind === "begun" && !session) look();
  },
});

const awake = keepAwake((isRefused) => {
  find("awake").hidden = !isRefused;
  find("awake").textContent = isRefused ? word("live.awake.refused") : "";
});

const keys = mediaKeys({
  play: () => (isLoud ? pause(false) : listen()),
  pause: () => pause(true),
  next: () => ask("skip"),
  previous: () => ask("replay"),
});

function position() {
  if (isLoud || alone) return { seconds: speaker.position, isSounding: speaker.isSounding };
  const { seconds, isSounding, at } = elsewhere;
  if (elsewhere.turn !== turn?.turn) return { seconds: turn?.position ?? 0, isSounding: false };
  return { seconds: seconds + (isSounding ? (performance.now() - at) / 1000 : 0), isSounding };
}

function report(state, seconds, why) {
  reports.add({ turn: turn.turn, state, seconds, ...(why && { why }) });
}

function finish(state, why) {
  const seconds = plays.get(turn.play)?.seconds ?? speaker.position;
  // First of all: whatever happens to this page now, the clip is not played twice.
  progress.ended(session.id, turn.turn, state);
  report(state, seconds, why);
  keys.playing(false);
  stage.move();
}

/** Tells the hub and the other tabs how far it is. */
function leave() {
  if (!isLoud || !turn || begun !== turn.turn || progress.of(session.id, turn.turn).end) return;
  const seconds = speaker.position;
  progress.reached(session.id, turn.turn, seconds);
  tabs.send({ kind: "at", turn: turn.turn, seconds, isSounding: false });
  reports.leave({ turn: turn.turn, state: "position", seconds });
}

/** This tab does not sound any more; nothing else changes. */
function silence() {
  isLoud = false;
  begun = 0;
  speaker.stop();
  tabs.release();
  awake.release();
  keys.forget();
  showStarter();
  stage.move();
}

function quiet() {
  alone = null;
  speaker.stop();
  keys.forget();
  stage.show(plays.get(turn?.play) ?? null);
}

// --- What the hub says

function hear(name, data) {
  if (name === "session") {
    if (!data) return;
    adopt(data);
  } else if (name === "play") {
    plays.set(data.id, data);
    rows.show(data);
    showQueue();
    // Its turn may have come before it.
    if (turn?.play === data.id) begin();
  } else if (name === "turn") {
    obey(data);
  }
}

function connected(state) {
  if (state === "lost" && !isLost) {
    isLost = true;
    find("lost").hidden = false;
    find("lost").textContent = word("script.lost");
    if (!isElsewhere) tell(word("script.lost"));
  } else if (state === "open" && isLost) {
    isLost = false;
    find("lost").hidden = true;
    if (!isElsewhere) tell(word("script.back"));
    if (wanted !== null) pause(wanted);
  } else if (state === "refused" && session?.state !== "ended") {
    find("lost").hidden = false;
    find("lost").textContent = word("live.signed-out");
    warn(word("live.signed-out"));
    silence();
  }
}

/** Whether there is nothing to come back to. A hub that cannot be reached is none. */
async function isRefused() {
  try {
    await call("GET", path);
    return false;
  } catch (error) {
    if (!(error instanceof Refusal)) return false;
    if (error.status === 404) over();
    return error.status === 404 || error.status === 401 || error.status === 403;
  }
}

/** The whole state of a session. */
function adopt(state) {
  const isOther = session?.id !== state.id;
  session = wanted === null || isOther ? state : { ...state, paused: wanted };
  if (isOther) turn = null;
  plays = new Map(state.plays.map((play) => [play.id, play]));
  rows.reset(state.plays);
  showSession();
  if (state.state === "ended") return over();
  events ??= follow(`${path}/events`, ["session", "play", "turn"], { event: hear, state: connected }, isRefused);
  if (isOther && choice) choice.chosen = state.accounts.map((account) => account.id);
  obey(state.turn);
}

function obey(next) {
  // The same one again, after a connection was lost: it is being played already.
  if (next && next.turn === turn?.turn) {
    turn = next;
    return begin();
  }
  turn = next;
  if (isLoud && !alone) speaker.stop();
  begin();
}

/** Plays what is to be played, if this tab is the loudspeaker, and once. */
async function begin() {
  const play = plays.get(turn?.play) ?? null;
  if (!alone) stage.show(play);
  showQueue();
  if (!play || !isLoud || session.paused) return;
  const now = turn.turn;
  if (begun === now) return;
  begun = now;
  alone = null;
  const known = progress.of(session.id, now);
  // It was played to its end, and the hub has not been told.
  if (known.end) return report(known.end, play.seconds);
  const from = Math.max(turn.position ?? 0, known.seconds);
  const isNew = from === 0 && !turn.replay && !known.isKnown;
  progress.reached(session.id, now, from);
  keys.describe(title(play), named(play));
  if (isNew) {
    stage.ring();
    if (wish("announce")) tell(announcement(play));
    if (wish("speak") && canSpeak) await speak(`${named(play)}. ${title(play)}`);
    // Skipped, paused or taken over while the name was spoken.
    if (!isLoud || turn?.turn !== now) return;
    if (session.paused) return void (begun = 0);
  }
  speaker.play(address(play.url), from, isNew && wish("chime"));
}

/** The session is over; what was played can be played again. */
function over() {
  session = session && { ...session, state: "ended" };
  events?.close();
  events = null;
  turn = null;
  silence();
  progress.forget();
  stage.show(null);
  showSession();
}

// --- What people do

function listen() {
  speaker.unlock();
  sound();
  begin();
}

/** This tab sounds from now on. */
function sound() {
  isLoud = true;
  isElsewhere = false;
  tabs.take();
  awake.hold();
  // Another tab may have gone on since the hub was told.
  if (turn && elsewhere.turn === turn.turn) progress.reached(session.id, turn.turn, elsewhere.seconds);
  if (session?.paused) speaker.pause();
  else speaker.resume();
  showStarter();
}

/** Whether the hub has been told. */
async function ask(act, play) {
  try {
    const state = await call("POST", `${path}/requests`, { do: act, ...(play !== undefined && { play }) });
    if (state?.id) adopt(state);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.type === "no-session") over();
    else warn(error instanceof Refusal ? error.message : word("live.not-sent"));
    return false;
  }
}

async function pause(is) {
  if (!session) return;
  // At once, here; the hub tells the others.
  session.paused = is;
  wanted = is;
  if (isLoud) {
    if (is) speaker.pause();
    else speaker.resume();
  }
  stage.paused(is);
  keys.playing(!is);
  if (!is) begin();
  // What could not be told is told when the connection is back.
  if (await ask(is ? "pause" : "resume")) wanted = null;
}

/** "Replay" of a clip in the list, or of the one that was heard last. */
function again(number) {
  if (session && session.state !== "ended") return ask("replay", number);
  const play = plays.get(number);
  if (!play) return;
  alone = play;
  speaker.resume();
  stage.show(play);
  keys.describe(title(play), named(play));
  speaker.play(address(play.url));
}

find("listen").addEventListener("click", () => {
  counted("press.live.start");
  listen();
  // The button is gone now.
  find("pause").focus();
});
/** A press that is counted. */
const pressed = (name, act) => () => {
  counted(`press.live.${name}`);
  act();
};
find("pause").addEventListener("click", pressed("pause", () => pause(!session?.paused)));
find("skip").addEventListener("click", pressed("skip", () => ask("skip")));
find("again").addEventListener("click", pressed("replay", () => ask("replay")));
find("leave").addEventListener("submit", async (event) => {
  event.preventDefault();
  counted("press.live.stop");
  silence();
  await ask("stop");
  if (session?.state === "ended") (find("start") ?? find("until")).focus();
});
find("open").addEventListener("click", () => {
  const isOpen = root.classList.toggle("changing");
  find("open").setAttribute("aria-expanded", String(isOpen));
  choice?.measure();
  if (isOpen) form?.querySelector("input:not([type=hidden])").focus();
});

// --- The form

function refuse(field, sentence) {
  const summary = find("alert");
  const link = document.createElement("a");
  link.href = `#${field}`;
  link.textContent = sentence;
  summary.replaceChildren(link);
  form.querySelector(`#${field}-problem`).textContent = sentence;
  if (field !== "accounts") form.elements[field].setAttribute("aria-invalid", "true");
  summary.focus();
}

function clear() {
  find("alert").replaceChildren();
  for (const place of form.querySelectorAll("span.problem")) place.textContent = "";
  for (const place of form.querySelectorAll("[aria-invalid]")) place.removeAttribute("aria-invalid");
}

/** What the form says, as the hub takes it; nil when something is wrong, which is said. */
function typed() {
  const value = (name) => form.elements[name].value.trim();
  const isRunning = session && session.state !== "ended";
  const body = { accounts: choice.chosen, zone: Intl.DateTimeFormat().resolvedOptions().timeZone };
  if (!body.accounts.length) return void refuse("accounts", word("live.refuse.nobody"));
  if (value("begins") || value("ends")) {
    if (!value("begins")) return void refuse("begins", word("live.refuse.begins"));
    if (!value("ends")) return void refuse("ends", word("live.refuse.ends"));
    body.between = `${value("begins")}-${value("ends")}`;
  } else if (value("for")) {
    body.for = value("for");
  } else if (!isRunning) {
    return void refuse("for", word("live.refuse.time"));
  }
  return body;
}

let isBusy = false;

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (isBusy) return;
  clear();
  const isRunning = session && session.state !== "ended";
  const body = typed();
  if (!body) return;
  // In the press itself: later the browser would refuse.
  if (!isRunning) {
    speaker.unlock();
    counted("press.live.start");
  }
  isBusy = true;
  try {
    const state = await call(isRunning ? "PUT" : "POST", path, body);
    begins(state, !isRunning);
  } catch (error) {
    await refused(error, body);
  }
  isBusy = false;
});

function begins(state, isNew) {
  root.classList.remove("changing");
  find("open").setAttribute("aria-expanded", "false");
  // Empty means from now on that the time stays as it is.
  for (const name of ["for", "begins", "ends"]) form.elements[name].value = "";
  if (isNew) {
    session = null;
    sound();
  }
  adopt(state);
  if (isNew) tabs.send({ kind: "begun" });
  find("until").focus();
}

async function refused(error, body) {
  if (!(error instanceof Refusal)) return warn(word("live.not-sent"));
  // Another tab or another machine was quicker: its session goes on here.
  if (error.type === "already-live") {
    const running = await call("GET", path).catch(() => null);
    if (running) return begins(running, true);
  }
  const frame = body.between ? "begins" : "for";
  if (error.type === "bad-time") refuse(frame, error.message || word("live.refuse.time"));
  else if (error.type === "nobody-chosen") refuse("accounts", word("live.refuse.nobody"));
  else if (error.type === "not-followed") refuse("accounts", error.message || word("live.refuse.unfollowed"));
  else warn(error.message);
}

// --- What is shown

const named = (play) => play.speaker.name || play.speaker.handle;

/** The words without addresses and without the tag that every clip has. */
function title(play) {
  const words = (play.spoiler || play.text || "").replace(/https?:\/\/\S+/g, "").replace(/#chirp\b/gi, "");
  return words.replace(/\s+/g, " ").trim().slice(0, 200) || word("live.clip");
}

const queued = () => [...plays.values()].filter((play) => play.state === "queued" && play.id !== turn?.play);

function announcement(play) {
  const waiting = queued().length;
  const values = { name: named(play), length: spoken(Math.max(1, play.seconds)) };
  return waiting
    ? word("live.announced.waiting", { ...values, waiting: count("live.waiting", waiting) })
    : word("live.announced", values);
}

function showSession() {
  const isRunning = Boolean(session) && session.state !== "ended";
  root.dataset.running = isRunning ? "yes" : "no";
  find("session").hidden = !session;
  find("none-yet").hidden = plays.size > 0;
  find("start") && (find("start").textContent = isRunning ? word("live.change") : word("live.start"));
  if (form) {
    find("unchanged").hidden = !isRunning;
    if (!isRunning && !form.elements.for.value) form.elements.for.value = "1h";
  }
  showUntil();
  stage.paused(Boolean(session?.paused));
  if (isLoud && session?.paused) speaker.pause();
  else if (isLoud && isRunning) speaker.resume();
  showQueue();
  showStarter();
  if (!isRunning) choice?.measure();
}

function showUntil() {
  if (!session) return;
  const sentence = {
    waiting: () => word("live.from", { time: instant(session.begins) }),
    over: () => word("live.late"),
    ended: () => word("live.ended"),
  }[session.state];
  find("until").textContent = sentence?.() ?? word("live.until", { time: instant(session.ends) });
}

function showQueue() {
  stage.waiting(queued().length);
  find("none-yet").hidden = plays.size > 0;
  if (!isLoud) return;
  const next = queued().slice(0, 3).map((play) => address(play.url));
  const now = plays.get(turn?.play);
  speaker.prepare(now && begun !== turn.turn ? [address(now.url), ...next] : next);
}

/** The way to sound, where there is none. */
function showStarter() {
  // What the server has shown stands until the session is known.
  if (!session && root.dataset.running === "yes") return;
  const isRunning = session && session.state !== "ended";
  find("starter").hidden = !isRunning || isLoud;
  find("listen").textContent = isElsewhere ? word("live.here") : word("live.start");
  find("why").textContent = isElsewhere ? word("live.elsewhere") : word("live.press");
}

/** Whether a session runs that this page does not know of. */
async function look() {
  if (session && session.state !== "ended") return;
  const state = await call("GET", path).catch(() => null);
  if (state && state.state !== "ended") adopt(state);
}

// --- Beginning

document.documentElement.classList.add("scripts");
find("speak-names").hidden = !canSpeak;
for (const name of ["announce", "speak", "chime"]) {
  const kept = localStorage.getItem(`chirp.live.${name}`);
  if (kept !== null) find(name).checked = kept === "yes";
  find(name).addEventListener("change", () => localStorage.setItem(`chirp.live.${name}`, wish(name) ? "yes" : "no"));
}
counted("screen.live");
let ticks = 0;
setInterval(() => {
  if (!isLoud || !turn || alone || begun !== turn.turn || progress.of(session.id, turn.turn).end) return;
  const seconds = speaker.position;
  tabs.send({ kind: "at", turn: turn.turn, seconds, isSounding: speaker.isSounding });
  if (!speaker.isSounding) return;
  progress.reached(session.id, turn.turn, seconds);
  keys.position(seconds, plays.get(turn.play)?.seconds ?? 0);
  if (++ticks % 20 === 0) report("position", seconds);
}, 250);
window.addEventListener("pagehide", leave);
if (find("alert").textContent.trim()) find("alert").focus();
if (root.dataset.running === "yes") look();
