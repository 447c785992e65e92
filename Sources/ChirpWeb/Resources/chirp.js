// Every page: instants in the visitor's zone, players, copying, reading without a network.
import { word } from "./words.js";
import { say } from "./say.js";
import { inVisitorsZone } from "./times.js";
import "./player.js";
import "./offline.js";

inVisitorsZone(document);

const previews = document.querySelectorAll("[data-preview]");
if (previews.length) {
  const audio = new Audio();
  let current = null;
  const mark = () => {
    for (const button of previews) {
      const playing = button === current && !audio.paused && !audio.ended;
      const values = { name: button.dataset.name };
      button.classList.toggle("playing", playing);
      button.setAttribute("aria-label", playing ? word("script.pause.named", values) : word("script.play.named", values));
    }
  };
  for (const name of ["play", "pause", "ended", "error"]) audio.addEventListener(name, mark);
  for (const button of previews) {
    button.addEventListener("click", () => {
      if (current === button && !audio.paused) return audio.pause();
      if (current !== button) {
        current = button;
        audio.src = button.dataset.preview;
      }
      audio.play().catch(mark);
    });
  }
}

for (const button of document.querySelectorAll("[data-copy]")) {
  const words = button.textContent;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    let copied = true;
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      // Without a secure context there is no clipboard interface; the old command still works.
      field.focus();
      field.select();
      copied = document.execCommand("copy");
    }
    button.textContent = copied ? word("script.copied") : word("script.selected");
    say(copied ? word("script.copied.said") : word("script.selected.said"));
    setTimeout(() => {
      button.textContent = words;
      say("");
    }, 2500);
  });
}

for (const element of document.querySelectorAll("[data-enhanced]")) element.hidden = false;

// A page that comes back with what was wrong begins there: an alert that is there from the start is told to nobody.
const wrong = document.querySelector("main [role=alert]");
if (wrong?.textContent.trim() && !document.querySelector("[autofocus]") && !location.hash) {
  wrong.tabIndex = -1;
  wrong.focus();
}
