// The pages of messages. What comes shows by itself, and what is looked at was read, so that nobody has to press for either.
import { call, Refusal } from "./api.js";
import { follow } from "./events.js";
import { tell } from "./news.js";
import { warn } from "./say.js";
import { inVisitorsZone } from "./times.js";
import { count, facts, prefix, word } from "./words.js";

const place = (row) => Number(row.dataset.place);
const rows = (root) => [...root.querySelectorAll("[data-place]")];

const list = document.querySelector("[data-messages]");
let newest = Math.max(0, ...rows(list).map(place));
let hasUnread = Number(facts.unread) > 0;
let looking = null;
let isDue = false;
let wasLost = false;

// --- What is new

/** Looks again; once more when that is asked for meanwhile, and not at the same time. */
function look() {
  isDue = true;
  looking ??= (async () => {
    while (isDue) {
      isDue = false;
      await adopt().catch(() => {});
    }
    looking = null;
  })();
  return looking;
}

/** Takes from the page as it is now what this one has not: the server words a message in one place only. */
async function adopt() {
  const answer = await fetch(location.pathname, { credentials: "same-origin" });
  if (!answer.ok || answer.redirected) return;
  // Such a document runs no script and loads nothing.
  const now = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = now.querySelector("[data-messages]");
  if (!found) return;
  const known = new Map(rows(list).map((row) => [row.dataset.row, row]));
  const next = rows(found).map((row) => known.get(row.dataset.row) ?? imported(row));
  const begin = Math.min(...next.map(place));
  if (facts.thread && begin <= newest) {
    // What was further up stays there.
    next.unshift(...rows(list).filter((row) => place(row) < begin));
  } else if (facts.thread) {
    takeOver(now, ".pages");
  }
  const at = list.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  arrange(found, next);
  // Of a conversation with a new message the row is another one.
  if (at && !list.contains(document.activeElement)) list.querySelector(`a[href="${CSS.escape(at)}"]`)?.focus();
  const come = next.filter((row) => place(row) > newest).sort((one, other) => place(one) - place(other));
  newest = Math.max(newest, ...next.map(place));
  announce(come.filter((row) => !("own" in row.dataset)));
}

function imported(row) {
  const copy = document.importNode(row, true);
  inVisitorsZone(copy);
  return copy;
}

/** Shows these rows in this order, and moves none that can stay: its sound goes on, and the focus may be in it. */
function arrange(found, next) {
  const inner = () => list.querySelector("ol") ?? list;
  if (inner() === list && list.tagName !== "OL") {
    // The first conversation of all.
    const made = found.querySelector("ol");
    if (!made) return;
    list.replaceChildren(document.importNode(made, false));
  }
  const parent = inner();
  for (const row of rows(parent)) if (!next.includes(row)) row.remove();
  next.forEach((row, index) => {
    if (parent.children[index] !== row) parent.insertBefore(row, parent.children[index] ?? null);
  });
}

/** The way to what is further up, when so much has come that this page no longer reaches down to it. */
function takeOver(now, selector) {
  const mine = document.querySelector(selector);
  const theirs = now.querySelector(selector);
  if (mine && theirs) mine.replaceWith(document.importNode(theirs, true));
  else if (theirs) list.before(document.importNode(theirs, true));
}

function announce(come) {
  if (!come.length) return;
  if (come.length > 3) tell(count("message.several", come.length));
  else for (const row of come) tell(word("message.came", { name: nameOf(row), words: wordsOf(row) }));
  hasUnread = true;
  read();
}

const nameOf = (row) => (row.querySelector(".byline bdi") ?? row.querySelector("h3 a")).textContent;

/** What is behind a warning is not said. */
function wordsOf(row) {
  const sound = row.querySelector(".sound");
  if (sound) return `${word("message.clip")}, ${sound.textContent}`;
  return (row.querySelector("summary") ?? row.querySelector(".words"))?.textContent.trim().slice(0, 300) ?? "";
}

// --- The connection

const on = {
  event(name, post) {
    // Other posts of the home come the same way.
    if (name === "delete" || post.visibility === "direct") look();
  },
  async state(now) {
    if (now === "refused") return warn(word("message.signed-out"));
    if (now === "lost") {
      if (!wasLost) tell(word("script.lost"));
      wasLost = true;
      return;
    }
    // Another tab may have had the connection before this page was there.
    if (wasLost) tell(word("script.back"));
    wasLost = false;
    look();
  },
};

/** Whether there is nothing to come back to. A hub that cannot be reached is none. */
async function isRefused() {
  try {
    await call("GET", "/api/hub/v1/sessions");
    return false;
  } catch (error) {
    return error instanceof Refusal && [401, 403].includes(error.status);
  }
}

// --- What was read

async function read() {
  if (!facts.thread || !hasUnread || document.visibilityState !== "visible") return;
  hasUnread = false;
  try {
    await call("POST", `/api/hub/v1/threads/${facts.thread}/read`);
    const form = document.querySelector("[data-read]");
    if (form) form.hidden = true;
  } catch {
    // The button stays, and does the same.
    hasUnread = true;
  }
}

document.addEventListener("visibilitychange", read);
read();
// On a page of older ones nothing new belongs.
if (facts.after !== undefined) {
  follow("/api/v1/streaming/user", ["update", "delete"], on, isRefused, facts.after);
  // That an old message was taken back is told to nobody.
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && look());
}
