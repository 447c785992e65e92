// Pages and heard clips without a network: every page sees to it that the service worker is there, and says when it is a kept copy.
import { prefix } from "./words.js";

/** Places where things are kept in the browser; the service worker uses the same names. */
export const PAGES = "chirp-pages";
export const CLIPS = "chirp-clips";

/** Has the worker keep a clip that was heard, until an instant (ISO 8601) when there is one. */
export function keepClip(url, until) {
  navigator.serviceWorker?.controller?.postMessage({ keep: url, until });
}

async function begin() {
  if (!("serviceWorker" in navigator) || !window.isSecureContext) return;
  // A frame keeps nothing behind when it is signed out.
  if (location.pathname === `${prefix}/frame`) return;
  navigator.serviceWorker.addEventListener("message", (event) => {
    if (!event.data?.kept) return;
    const note = document.querySelector("[data-kept]");
    if (!note) return;
    note.hidden = false;
    const time = note.querySelector("time");
    const date = new Date(event.data.kept);
    time.dateTime = date.toISOString();
    time.textContent = date.toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  });
  await navigator.serviceWorker.register(`${prefix}/sw.js`, { scope: `${prefix}/` });
  navigator.serviceWorker.controller?.postMessage({ ask: location.href });
}

begin().catch(() => {
  // Private windows refuse workers. Nothing is missing but reading without a network.
});
