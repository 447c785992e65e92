// The board of beats: one preview at a time, further pages without leaving the first, and a word when something takes longer. Without this file
// everything works, with a press or two more.
import { call } from "./api.js";
import { page, patience, patiently, Notice, Stopped } from "./beat-patience.js";
import { say, warn } from "./say.js";
import { settled } from "./settled.js";
import { count, word } from "./words.js";

if (document.querySelector("[data-beat-form]")) import("./beat-upload.js");
if (document.querySelector("[data-auction]")) import("./beat-auction.js");
if (document.querySelector("[data-beat-like]")) import("./beat-ears.js");

/** Whoever begins another preview has heard enough of the one before. A preview that does not come is told of. */
function sounds(within) {
  for (const sound of within.querySelectorAll("audio")) {
    if (sound.dataset.heard) continue;
    sound.dataset.heard = "yes";
    let timer = null;
    const player = sound.parentElement;
    const notice = new Notice(player, () => {
      sound.pause();
      calm();
    });
    const calm = () => {
      clearTimeout(timer);
      player.removeAttribute("aria-busy");
      notice.end();
    };
    sound.addEventListener("play", () => {
      for (const other of document.querySelectorAll("audio")) if (other !== sound) other.pause();
    });
    sound.addEventListener("waiting", () => {
      clearTimeout(timer);
      player.setAttribute("aria-busy", "true");
      timer = setTimeout(() => notice.show(word(navigator.onLine === false ? "beat.script.offline" : "beat.script.away")), patience);
    });
    for (const name of ["playing", "pause", "ended", "emptied"]) sound.addEventListener(name, calm);
    sound.addEventListener("error", () => {
      calm();
      warn(word("beat.script.silent"));
    });
  }
}
sounds(document);

/** The next page of a list, when its last third comes near. */
const list = document.querySelector("[data-feed]");
if (list && "IntersectionObserver" in window) {
  let isAsking = false;
  const next = () => document.querySelector("a[data-next]");
  const observer = new IntersectionObserver((entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting)) go();
  });
  const watch = () => {
    observer.disconnect();
    const mark = list.children[Math.floor((list.children.length * 2) / 3)];
    if (mark && next()) observer.observe(mark);
  };

  async function go() {
    const link = next();
    if (!link || isAsking) return;
    isAsking = true;
    observer.disconnect();
    try {
      const further = await patiently((signal) => page(link.href, signal), link.closest("nav"));
      const known = new Set([...list.querySelectorAll("[id]")].map(({ id }) => id));
      const fresh = [...(further.querySelector("[data-feed]")?.children ?? [])].filter((entry) => !known.has(entry.querySelector("[id]")?.id));
      list.append(...fresh.map((entry) => document.importNode(entry, true)));
      const after = further.querySelector("a[data-next]");
      if (after) link.setAttribute("href", after.getAttribute("href"));
      else link.closest("nav").remove();
      if (fresh.length) say(count("beat.script.more", fresh.length));
      sounds(list);
      watch();
    } catch (error) {
      // The link is still there.
      if (error instanceof Stopped) say(error.message);
    } finally {
      isAsking = false;
    }
  }
  watch();
}

/** Whoever goes on to another page that does not come is told why, and may stay. The browser keeps trying meanwhile. */
let leaving = null;
const main = document.querySelector("main");
const staying = new Notice(main ?? document.body, () => {
  window.stop();
  stay();
  say(word("beat.script.stopped"));
});
function stay() {
  clearTimeout(leaving);
  main?.removeAttribute("aria-busy");
  staying.end();
}
function leave() {
  clearTimeout(leaving);
  main?.setAttribute("aria-busy", "true");
  leaving = setTimeout(() => staying.show(word(navigator.onLine === false ? "beat.script.offline" : "beat.script.busy")), patience);
}
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  const isElsewhere = event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (!link || isElsewhere || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  // Within the page nothing is waited for.
  if (link.pathname === location.pathname && link.search === location.search && link.hash) return;
  leave();
});
document.addEventListener("submit", (event) => queueMicrotask(() => event.defaultPrevented || leave()));
for (const name of ["pageshow", "pagehide"]) window.addEventListener(name, stay);

/** What nobody has typed is in no address. */
document.querySelector("[data-beat-search]")?.addEventListener("formdata", ({ formData }) => {
  for (const [name, value] of [...formData]) if (value === "") formData.delete(name);
});

/** Its author waits until what was sent is listened to. */
const waiting = document.querySelector("[data-beat-waiting]");
if (waiting) {
  settled.then(async () => {
    const place = waiting.querySelector("[data-beat-state]") ?? waiting;
    try {
      await patiently(async (signal) => {
        const now = await page(location.href, signal);
        // Not yet is like a server that has not answered yet.
        if (now.querySelector("[data-beat-waiting]")) throw Object.assign(new Error(""), { status: 429 });
        location.reload();
      }, place);
    } catch (error) {
      if (error instanceof Stopped) say(error.message);
    }
  });
}

/** Whoever comes back from paying waits until it is known what has come of it. */
const asking = document.querySelector("[data-beat-asking]");
if (asking) {
  const sign = asking.querySelector("progress");
  const { beatAsking: path } = asking.dataset;
  sign.hidden = false;
  patiently(async (signal) => {
    if (path) await call("POST", path, undefined, signal);
    const now = await page(location.href, signal);
    if (now.querySelector("[data-beat-asking]")) throw Object.assign(new Error(""), { status: 429 });
    location.reload();
  }, asking).catch((error) => {
    sign.hidden = true;
    if (error instanceof Stopped) say(error.message);
    else warn(error.message);
  });
}

if (document.querySelector("[data-paper]")) import("./beat-paper.js");
