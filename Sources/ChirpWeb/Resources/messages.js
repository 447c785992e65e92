// A conversation that is looked at was read: said by itself, so that nobody has to press for it.
import { call } from "./api.js";
import { facts } from "./words.js";

const form = document.querySelector("[data-read]");

async function read() {
  if (!form || document.visibilityState !== "visible") return;
  document.removeEventListener("visibilitychange", read);
  try {
    await call("POST", `/api/hub/v1/threads/${facts.thread}/read`);
    form.hidden = true;
  } catch {
    // The button stays, and does the same.
  }
}

document.addEventListener("visibilitychange", read);
read();
