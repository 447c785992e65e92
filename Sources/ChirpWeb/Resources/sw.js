// The service worker: keeps what was read and heard, and answers with it when the network is away. The server puts the names of
// the files that every page needs before this: PREFIX, VERSION, SHELL, OFFLINE.
/* global PREFIX, VERSION, SHELL, OFFLINE */
"use strict";

const PAGES = "chirp-pages";
const CLIPS = "chirp-clips";
const FILES = `chirp-files-${VERSION}`;

// Together below 5 MB: a page is 60 kB at most in practice.
const MOST_PAGES = 60;
const LARGEST_PAGE = 80_000;
const MOST_CLIP_BYTES = 200_000_000;

/** Pages that change things, or belong to nobody else, or are of no use without a network. */
const UNKEPT = ["/signin", "/signout", "/signup", "/reset", "/confirm", "/settings", "/moderation", "/frame", "/oauth", "/report", "/api", "/identity"];

/** Which windows show a kept copy, and since when it is kept. */
const kept = new Map();

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const files = await caches.open(FILES);
    await files.addAll(SHELL);
    const pages = await caches.open(PAGES);
    await pages.add(new Request(OFFLINE, { cache: "reload" }));
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith("chirp-files-") && name !== FILES).map((name) => caches.delete(name)));
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin || !url.pathname.startsWith(`${PREFIX}/`)) return;
  const path = url.pathname.slice(PREFIX.length);
  if (request.method === "POST" && request.mode === "navigate" && path === "/signout") event.waitUntil(forget());
  if (request.method !== "GET") return;
  if (path.startsWith("/assets/")) event.respondWith(file(request));
  else if (/^\/media\/[^/]+\.mp3$/.test(path)) event.respondWith(sound(request));
  else if (request.mode === "navigate" && !UNKEPT.some((part) => path === part || path.startsWith(`${part}/`))) {
    event.respondWith(page(event));
  }
});

self.addEventListener("message", (event) => {
  const { keep, until, ask } = event.data ?? {};
  if (keep) event.waitUntil(keepClip(keep, until));
  if (ask && kept.has(ask)) event.source.postMessage({ kept: kept.get(ask) });
});

/** Files have names of their bytes, so a kept one is right. */
async function file(request) {
  return (await caches.match(request)) ?? fetch(request);
}

/** A page from the server; without a network the kept one. */
async function page(event) {
  const { request } = event;
  const address = request.url.split("#")[0];
  try {
    const answer = await fetch(request);
    kept.delete(request.url);
    if (answer.redirected && new URL(answer.url).pathname === `${PREFIX}/signin`) event.waitUntil(forget());
    else event.waitUntil(keepPage(address, answer.clone()));
    return answer;
  } catch (error) {
    const pages = await caches.open(PAGES);
    const found = await pages.match(address, { ignoreVary: true });
    if (found) {
      kept.set(request.url, found.headers.get("date") ?? new Date().toISOString());
      return found;
    }
    const instead = await pages.match(OFFLINE, { ignoreVary: true });
    if (instead) return instead;
    throw error;
  }
}

async function keepPage(address, answer) {
  const type = answer.headers.get("content-type") ?? "";
  if (answer.status !== 200 || !type.startsWith("text/html")) return;
  const body = await answer.blob();
  if (body.size > LARGEST_PAGE) return;
  const headers = new Headers(answer.headers);
  if (!headers.has("date")) headers.set("date", new Date().toUTCString());
  const pages = await caches.open(PAGES);
  // Put in anew, so that the first keys are those that were not opened for longest.
  await pages.delete(address, { ignoreVary: true });
  await pages.put(address, new Response(body, { status: 200, headers }));
  const all = (await pages.keys()).filter((request) => !request.url.endsWith(OFFLINE));
  await Promise.all(all.slice(0, Math.max(0, all.length - MOST_PAGES)).map((request) => pages.delete(request)));
}

/** A clip from the server; without a network the kept one, whole or the part that is asked for. */
async function sound(request) {
  const clips = await caches.open(CLIPS);
  const found = await clips.match(request.url, { ignoreVary: true });
  if (!found) return fetch(request);
  try {
    const answer = await fetch(request);
    // Who has removed a clip has removed it here too.
    if ([404, 410].includes(answer.status)) await clips.delete(request.url, { ignoreVary: true });
    if (answer.status < 500) return answer;
  } catch {
    // No network: this is what it is kept for.
  }
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get("range") ?? "");
  if (!range) return found;
  const bytes = await found.arrayBuffer();
  const first = Number(range[1]);
  const last = range[2] === "" ? bytes.byteLength - 1 : Math.min(Number(range[2]), bytes.byteLength - 1);
  if (first > last) return new Response(null, { status: 416, headers: { "Content-Range": `bytes */${bytes.byteLength}` } });
  return new Response(bytes.slice(first, last + 1), {
    status: 206,
    headers: {
      "Content-Type": "audio/mpeg", "Accept-Ranges": "bytes",
      "Content-Range": `bytes ${first}-${last}/${bytes.byteLength}`, "Content-Length": String(last - first + 1),
    },
  });
}

async function keepClip(address, until) {
  const url = new URL(address, self.location.href);
  if (url.origin !== self.location.origin) return;
  const clips = await caches.open(CLIPS);
  await expire(clips);
  if (await clips.match(url.href)) return;
  const answer = await fetch(url.href);
  if (answer.status !== 200) return;
  const body = await answer.blob();
  const headers = new Headers({ "Content-Type": "audio/mpeg", "Content-Length": String(body.size), "X-Kept-Until": until ?? "" });
  await clips.put(url.href, new Response(body, { status: 200, headers }));
  await makeRoom(clips);
}

/** Removes clips whose time is over: they are kept here no longer than the page says. */
async function expire(clips) {
  for (const request of await clips.keys()) {
    const until = Date.parse((await clips.match(request))?.headers.get("X-Kept-Until") ?? "");
    if (until < Date.now()) await clips.delete(request);
  }
}

async function makeRoom(clips) {
  const all = await clips.keys();
  const sizes = await Promise.all(all.map(async (request) => Number((await clips.match(request))?.headers.get("Content-Length") ?? 0)));
  let total = sizes.reduce((sum, size) => sum + size, 0);
  for (let index = 0; index < all.length - 1 && total > MOST_CLIP_BYTES; index += 1) {
    await clips.delete(all[index]);
    total -= sizes[index];
  }
}

/** What was kept for somebody who has left is nobody else's. */
async function forget() {
  const pages = await caches.open(PAGES);
  const all = await pages.keys();
  await Promise.all(all.filter((request) => !request.url.endsWith(OFFLINE)).map((request) => pages.delete(request)));
  await caches.delete(CLIPS);
}

/** What the hub tells while none of its pages need be open. A browser takes the permission back from who shows nothing. */
self.addEventListener("push", (event) => {
  let told = {};
  try {
    told = event.data?.json() ?? {};
  } catch {
    // Not what this hub sends.
  }
  event.waitUntil(self.registration.showNotification(String(told.title ?? "Chirp"), {
    body: String(told.body ?? ""), tag: String(told.tag ?? ""), lang: String(told.lang ?? ""), dir: "auto",
    data: { path: String(told.path ?? "/notices") },
  }));
});

/** A press leads to what it is about: in the window that shows it already, else in a new one. No other window is led away. */
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const path = event.notification.data?.path ?? "/notices";
  const url = new URL(PREFIX + path, self.location.origin);
  if (!path.startsWith("/") || url.origin !== self.location.origin) return;
  event.waitUntil((async () => {
    const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const same = windows.find((one) => one.url.split("#")[0] === url.href.split("#")[0]);
    await (same ? same.focus() : self.clients.openWindow(url.href));
  })());
});
