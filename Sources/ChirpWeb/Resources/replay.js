// The page of what was heard: "Replay" plays a clip from its beginning; one at a time.
import { word } from "./words.js";
import { warn } from "./say.js";

const rows = [...document.querySelectorAll("[data-heard] > li")].filter((row) => row.querySelector("audio"));

for (const row of rows) {
  const audio = row.querySelector("audio");
  const name = row.querySelector(".name").textContent;
  const failed = async () => {
    // What went wrong is known to the hub alone: the element does not say.
    const answer = await fetch(audio.currentSrc || audio.src, { method: "HEAD" }).catch(() => null);
    const reason =
      answer === null ? word("replay.lost")
      : answer.status === 410 || answer.status === 404 ? word("replay.gone")
      : word("replay.broken");
    let problem = row.querySelector(".problem");
    if (!problem) {
      problem = document.createElement("p");
      problem.className = "problem";
      row.querySelector(".text").append(problem);
    }
    problem.textContent = reason;
    warn(`${name}: ${reason}`);
  };
  audio.addEventListener("error", failed);
  audio.addEventListener("play", () => {
    for (const other of rows) if (other !== row) other.querySelector("audio").pause();
    row.querySelector(".problem")?.remove();
  });
  row.querySelector("[data-replay]").addEventListener("click", () => {
    // After a failure the element has to be told to try again.
    if (audio.error) audio.load();
    audio.currentTime = 0;
    audio.play().catch(() => {});
  });
}
