// Lost & Found: where the visitor is, asked for by a press; times in the visitor's zone; pictures and voice that are sent while the rest
// is typed. Without this file everything works, with a little more typing.
import { facts, prefix, word } from "./words.js";
import { say, warn } from "./say.js";
import { record } from "./listing-voice.js";
import { pictures } from "./listing-pictures.js";

/** Asks the browser where it is, once, as coarse as is enough to search by. */
function position(found, failed) {
  say(word("listing.script.asking"));
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => found(coords),
    (error) => {
      const text = word(error.code === error.PERMISSION_DENIED ? "listing.script.denied" : "listing.script.nowhere");
      warn(`${text}.`);
      failed(text);
    },
    { enableHighAccuracy: false, timeout: 15_000, maximumAge: 60_000 },
  );
}

if (document.querySelector("[data-map], [data-pin]")) import("./map.js");

const search = document.querySelector("[data-listing-search]");
if (search) {
  const near = search.querySelector("[data-near]");
  const place = search.elements.place;
  if (!("geolocation" in navigator)) near?.remove();
  // A button that is switched off would lose the focus while the browser asks.
  let isAsking = false;
  near?.addEventListener("click", () => {
    if (isAsking) return;
    isAsking = true;
    position(
      ({ latitude, longitude }) => {
        // About a hundred metres: nobody needs to know more to search by.
        search.elements.at.value = `${latitude.toFixed(3)},${longitude.toFixed(3)}`;
        place.value = "";
        search.elements.zoom?.remove();
        search.requestSubmit();
      },
      (text) => {
        isAsking = false;
        search.querySelector("[data-near-problem]").textContent = `${text}.`;
        place.focus();
      },
    );
  });
  // Who types a place means that one, not where she is.
  place.addEventListener("input", () => {
    search.elements.at.value = "";
    search.elements.zoom?.remove();
  });
  // Addresses that are passed on hold nothing that was not asked for.
  search.addEventListener("formdata", ({ formData }) => {
    for (const [name, value] of [...formData]) if (value === "") formData.delete(name);
  });
}

const form = document.querySelector("[data-listing-form]");
if (form) {
  const here = form.querySelector("[data-here]");
  if (!("geolocation" in navigator)) here.remove();
  here.addEventListener("click", () =>
    position(
      ({ latitude, longitude }) => {
        form.elements["pin-place"].value = `${latitude.toFixed(5)},${longitude.toFixed(5)}`;
        form.elements["pin-at"].value = form.elements["pin-place"].value;
        // As the map opens there, should it not have been open yet.
        form.elements["pin-zoom"].value = String(Math.max(Number(form.elements["pin-zoom"].value), 13));
        form.querySelector("[data-pin]").dispatchEvent(new CustomEvent("place", { detail: { lat: latitude, lon: longitude } }));
        say(word("listing.script.here"));
      },
      () => form.elements.place.focus(),
    ),
  );
  looksThere(form);
  times(form);
  if (facts.takesPictures) pictures(form, { prefix, token: facts.token });
  const voice = form.querySelector("[data-voice]");
  if (voice && facts.takesClips) record(voice, { prefix, token: facts.token });
}

/** The map in the form goes to a place that was typed, as long as it shows the whole earth or such a place, and has no pin. */
function looksThere(form) {
  const picker = form.querySelector("[data-pin]");
  const [at, zoom, pin] = ["pin-at", "pin-zoom", "pin-place"].map((name) => form.elements[name]);
  let shown = zoom.value;
  form.elements.place.addEventListener("change", async ({ target }) => {
    if (!target.value.trim() || pin.value || zoom.value !== shown) return;
    try {
      const answer = await fetch(`${prefix}/api/hub/v1/places?${new URLSearchParams({ q: target.value.slice(0, 100) })}`);
      const place = answer.ok ? (await answer.json()).places[0] : null;
      if (!place || pin.value || zoom.value !== shown) return;
      // As the map opens there, should it not have been open yet.
      at.value = `${place.lat.toFixed(5)},${place.lon.toFixed(5)}`;
      shown = zoom.value = "11";
      picker.dispatchEvent(new CustomEvent("look", { detail: { lat: place.lat, lon: place.lon, zoom: 11 } }));
    } catch {
      // The map stays where it is, and can be moved by hand.
    }
  });
}

/** The server reads and writes UTC; here both are in the visitor's zone. */
function times(form) {
  const two = (number) => String(number).padStart(2, "0");
  const ahead = (date) => -date.getTimezoneOffset();
  const fields = [form.elements.from, form.elements.to];
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
  if (hint && timeZone) hint.textContent = word("listing.script.zone", { zone: timeZone });
}

for (const button of document.querySelectorAll("[data-share]")) {
  button.addEventListener("click", async () => {
    const { share: url, title } = button.dataset;
    try {
      if (navigator.share) return await navigator.share({ title, url });
      await navigator.clipboard.writeText(url);
      say(word("listing.script.copied"));
    } catch {
      // Whoever closes the list of ways wants none of them.
    }
  });
}
