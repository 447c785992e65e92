// Challenges: the next page of a list before it is reached, silent previews while they are seen, more of an entry by a long press, where the
// visitor is after a press, and times in the visitor's zone. Without this file everything works, with a press or two more.
import { count, word } from "./words.js";
import { say, warn } from "./say.js";
import { settled } from "./settled.js";

if (document.querySelector("[data-map], [data-pin]")) import("./map.js");

/** Asks the browser where it is, once, as coarse as is enough to search by. */
function position(found, failed) {
  say(word("challenge.script.asking"));
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => found(coords),
    (error) => {
      const text = word(error.code === error.PERMISSION_DENIED ? "challenge.script.denied" : "challenge.script.nowhere");
      warn(`${text}.`);
      failed(text);
    },
    { enableHighAccuracy: false, timeout: 15_000, maximumAge: 60_000 },
  );
}

const local = document.querySelector("[data-challenge-local]");
if (local) {
  const near = local.querySelector("[data-near]");
  const { place, at } = local.elements;
  if (!("geolocation" in navigator)) near?.remove();
  // A button that is switched off would lose the focus while the browser asks.
  let isAsking = false;
  near?.addEventListener("click", () => {
    if (isAsking) return;
    isAsking = true;
    position(
      ({ latitude, longitude }) => {
        // About a kilometre: nobody needs to know more to look around.
        at.value = `${latitude.toFixed(2)},${longitude.toFixed(2)}`;
        place.value = "";
        local.requestSubmit();
      },
      (text) => {
        isAsking = false;
        local.querySelector("[data-near-problem]").textContent = `${text}.`;
        place.focus();
      },
    );
  });
  // Who types a place means that one, not where she is.
  place.addEventListener("input", () => (at.value = ""));
  local.addEventListener("formdata", ({ formData }) => {
    for (const [name, value] of [...formData]) if (value === "") formData.delete(name);
  });
}

const form = document.querySelector("[data-challenge-form]");
if (form) {
  const here = form.querySelector("[data-here]");
  if (!("geolocation" in navigator)) here?.remove();
  here?.addEventListener("click", () =>
    position(
      ({ latitude, longitude }) => {
        form.elements["pin-place"].value = `${latitude.toFixed(5)},${longitude.toFixed(5)}`;
        form.elements["pin-at"].value = form.elements["pin-place"].value;
        // As the map opens there, should it not have been open yet.
        form.elements["pin-zoom"].value = String(Math.max(Number(form.elements["pin-zoom"].value), 13));
        form.querySelector("[data-pin]").dispatchEvent(new CustomEvent("place", { detail: { lat: latitude, lon: longitude } }));
        say(word("challenge.script.here"));
      },
      () => form.elements.place.focus(),
    ),
  );
  times(form);
}

/** The server reads and writes UTC; here both are in the visitor's zone. */
function times(form) {
  const fields = [form.elements.begins, form.elements.ends].filter(Boolean);
  if (!fields.length) return;
  const two = (number) => String(number).padStart(2, "0");
  const ahead = (date) => -date.getTimezoneOffset();
  const sent = Number(form.elements.offset.value) || 0;
  for (const field of fields) {
    if (!field.value) continue;
    const date = new Date(Date.parse(`${field.value}Z`) - sent * 60_000);
    if (Number.isNaN(date.getTime())) continue;
    const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
    field.value = `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
  }
  const set = () => (form.elements.offset.value = String(ahead(fields[0].value ? new Date(fields[0].value) : new Date())));
  for (const field of fields) field.addEventListener("change", set);
  set();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const hint = form.querySelector("[data-utc]");
  if (hint && timeZone) hint.textContent = word("challenge.script.zone", { zone: timeZone });
}

/** A list goes on by itself: the next page is asked for when its last third comes near. */
class Endless {
  constructor(list) {
    this.list = list;
    this.observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) this.go();
    }, { rootMargin: "0px 0px 100% 0px" });
    this.watch();
  }

  get next() {
    return document.querySelector("a[data-next]");
  }

  /** The first entry of the last third of all that are there. */
  watch() {
    this.observer.disconnect();
    const entries = this.list.children;
    const mark = entries[Math.floor((entries.length * 2) / 3)];
    if (mark && this.next) this.observer.observe(mark);
  }

  async go() {
    const link = this.next;
    if (!link || this.isAsking) return;
    this.isAsking = true;
    this.observer.disconnect();
    try {
      const answer = await fetch(link.href, { headers: { accept: "text/html" } });
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const further = [...(page.querySelector("[data-feed]")?.children ?? [])];
      const known = new Set([...this.list.querySelectorAll("[id]")].map(({ id }) => id));
      // What was listed meanwhile has moved the others along.
      const fresh = further.filter((entry) => !known.has(entry.querySelector("[id]")?.id));
      this.list.append(...fresh.map((entry) => document.importNode(entry, true)));
      const after = page.querySelector("a[data-next]");
      if (after) link.setAttribute("href", after.getAttribute("href"));
      else link.closest("nav").remove();
      if (fresh.length) say(count("challenge.script.more", fresh.length));
      looks(this.list);
    } catch {
      // The link is still there.
    } finally {
      this.isAsking = false;
      this.watch();
    }
  }
}

const list = document.querySelector("[data-feed]");
if (list && "IntersectionObserver" in window) new Endless(list);

/** Four silent seconds of a film, one at a time, while they are seen; never for whom motion is too much. */
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const shares = new Map();
const watcher =
  "IntersectionObserver" in window
    ? new IntersectionObserver(
        (entries) => {
          for (const { target, intersectionRatio } of entries) {
            if (intersectionRatio > 0.6) shares.set(target, intersectionRatio);
            else shares.delete(target);
          }
          play();
        },
        { threshold: [0, 0.6, 0.8, 1] },
      )
    : null;

function looks(within) {
  for (const picture of within.querySelectorAll("[data-preview]")) watcher?.observe(picture);
}

function play() {
  // Of several the upper one.
  const [first] = calm.matches || document.hidden ? [] : [...shares.keys()].sort((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top);
  for (const film of document.querySelectorAll("[data-preview] video")) if (film.parentElement !== first) film.remove();
  if (!first || first.querySelector("video")) return;
  const film = Object.assign(document.createElement("video"), { muted: true, loop: true, playsInline: true, src: first.dataset.preview, ariaHidden: "true", tabIndex: -1 });
  first.append(film);
  film.play().catch(() => film.remove());
}
calm.addEventListener("change", play);
document.addEventListener("visibilitychange", play);
looks(document);

/** More of an entry by a long press, or by the key m while it has the focus. */
const LONG = 500;
let press = null;
const end = () => clearTimeout(press);
document.addEventListener("pointerdown", ({ target, pointerType }) => {
  const card = target.closest?.(".challenge-card");
  end();
  if (!card || pointerType === "mouse" || target.closest("summary")) return;
  press = setTimeout(() => open(card), LONG);
});
for (const name of ["pointerup", "pointercancel", "pointermove", "scroll"]) document.addEventListener(name, end, { passive: true });
document.addEventListener("keydown", ({ key, target, altKey, ctrlKey, metaKey }) => {
  if (key !== "m" || altKey || ctrlKey || metaKey) return;
  const card = target.closest?.(".challenge-card");
  if (card) open(card);
});

function open(card) {
  const more = card.querySelector(".challenge-details");
  if (more) more.open = !more.open;
}

// What waits to be sent has waited already.
settled.then(() => import("./attempt-waiting.js"));

if (document.querySelector("[data-try]")) import("./try.js");
