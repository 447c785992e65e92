// On every page of the board: what was made without the hub is sent now that it is there, and that is said.
import { alone, deliver, forget, NotTaken, pageOf, waiting, whoIsHere } from "./attempt-store.js";
import { say, warn } from "./say.js";
import { word } from "./words.js";

const sending = new Set();

function note(key) {
  const id = `attempt-waiting-${key}`;
  let place = document.getElementById(id);
  if (!place) {
    place = Object.assign(document.createElement("div"), { id, className: "attempt-note" });
    document.querySelector("main")?.prepend(place);
  }
  return place;
}

function tell(entry, text, ...more) {
  const line = document.createElement("p");
  line.textContent = text;
  note(entry.key).replaceChildren(line, ...more);
}

function button(text, act) {
  const made = Object.assign(document.createElement("button"), { type: "button", className: "act", textContent: text });
  made.addEventListener("click", act);
  return made;
}

async function send(entry) {
  const title = { title: entry.title };
  await alone(entry.key, async () => {
    tell(entry, word("challenge.script.waits", title));
    try {
      const answer = await deliver(entry);
      await forget(entry.key);
      const way = Object.assign(document.createElement("a"), { href: pageOf(answer), textContent: word("challenge.script.show") });
      tell(entry, word("challenge.script.sent", title), way);
      say(word("challenge.script.sent", title));
    } catch (error) {
      if (!(error instanceof NotTaken)) return;
      const text = word("challenge.script.not-taken", { ...title, why: error.message });
      warn(text);
      tell(entry, text, button(word("challenge.script.throw-away"), async () => {
        await forget(entry.key);
        note(entry.key).remove();
      }));
    }
  });
}

/** Sends what waits, but for what this page is sending itself. */
export async function resume(except = null) {
  const entries = (await waiting()).filter((entry) => entry.key !== except && !sending.has(entry.key));
  if (entries.length === 0) return;
  const person = await whoIsHere();
  if (person === undefined) {
    // The hub is away: it is asked again until it is back.
    setTimeout(() => resume(except), 10_000);
    return;
  }
  for (const entry of entries) {
    if (entry.person !== person) continue;
    sending.add(entry.key);
    send(entry).finally(() => sending.delete(entry.key));
  }
}

resume();
window.addEventListener("online", () => resume());
