// A licence's paper is checked where it lies: the browser hashes it and nothing is sent. Where that is not possible the form is sent as always.
import { word } from "./words.js";

const form = document.querySelector("[data-paper]");
const told = form?.querySelector("[data-paper-told]");

form?.addEventListener("submit", async (event) => {
  const file = form.elements.paper.files[0];
  if (!file || !crypto.subtle) return;
  event.preventDefault();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
  const text = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  told.textContent = word(text === form.dataset.paper ? "beat.script.paper.valid" : "beat.script.paper.changed");
});
