// The player of a clip's page. There may be several in a page; each has its own keys, which work while the focus is inside it (WCAG 2.1.4).
import { word, count } from "./words.js";
import { warn } from "./say.js";

const step = 5;
const leap = 30;

/** "0:07", "3:42", "1:02:03". */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds + 0.05));
  const two = (number) => String(number).padStart(2, "0");
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** "3 minutes 42 seconds", in the page's language. */
export function spoken(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  const [m, s] = [Math.floor(whole / 60), whole % 60];
  const minutes = m ? count("script.minutes", m) : "";
  return m && !s ? minutes : `${minutes} ${count("script.seconds", s)}`.trim();
}

function enhance(player) {
  const find = (name) => player.querySelector(`[data-${name}]`);
  const audio = player.querySelector("audio");
  const slider = player.querySelector("input[type=range]");
  const play = find("play");
  const front = player.querySelector(".played");
  const width = front ? front.ownerSVGElement.viewBox.baseVal.width : 0;
  const length = () => (Number.isFinite(audio.duration) ? audio.duration : Number(slider.max) / 10);

  const show = () => {
    const now = audio.currentTime;
    find("now").textContent = clock(now);
    slider.value = String(Math.round(now * 10));
    slider.setAttribute("aria-valuetext", word("script.at", { now: spoken(now), length: spoken(length()) }));
    if (front && length() > 0) front.setAttribute("width", String(width * Math.min(1, now / length())));
  };
  const measured = () => {
    if (!Number.isFinite(audio.duration)) return;
    slider.max = String(Math.ceil(audio.duration * 10));
    find("length").textContent = clock(Math.round(audio.duration));
    show();
  };
  const follow = () => {
    if (audio.paused || audio.ended) return;
    show();
    requestAnimationFrame(follow);
  };
  const state = () => {
    const playing = !audio.paused && !audio.ended;
    player.classList.toggle("playing", playing);
    play.setAttribute("aria-label", playing ? word("script.pause") : word("script.play"));
    if (playing) requestAnimationFrame(follow);
    show();
  };
  const failed = (reason) => {
    // A press of "Pause" before there was sound.
    if (reason?.name === "AbortError") return;
    const problem = find("problem");
    const isNews = problem.hidden;
    problem.hidden = false;
    // A place that is an alert itself is read when it appears.
    if (isNews && problem.getAttribute("role") !== "alert") warn(problem.textContent.trim());
    state();
  };
  const toggle = () => {
    if (!audio.paused) return audio.pause();
    audio.play().then(() => (find("problem").hidden = true), failed);
  };
  const seek = (seconds) => {
    audio.currentTime = Math.min(Math.max(0, seconds), length());
    show();
  };

  // Words with times (WebVTT) stand in the player while they are said.
  const captions = audio.querySelector("track");
  if (captions) {
    const place = document.createElement("p");
    place.className = "caption";
    place.dir = "auto";
    place.lang = captions.srclang;
    player.querySelector(".controls").before(place);
    // Fetched and followed, and drawn by nobody else.
    captions.track.mode = "hidden";
    captions.track.addEventListener("cuechange", () => {
      place.textContent = [...(captions.track.activeCues ?? [])].map((cue) => cue.getCueAsHTML().textContent).join("\n");
    });
  }

  player.classList.add("enhanced");
  play.addEventListener("click", toggle);
  find("back").addEventListener("click", () => seek(audio.currentTime - step));
  find("forward").addEventListener("click", () => seek(audio.currentTime + step));
  find("speed").addEventListener("change", (event) => (audio.playbackRate = Number(event.target.value)));
  slider.addEventListener("input", () => seek(Number(slider.value) / 10));
  for (const name of ["play", "pause", "ended"]) audio.addEventListener(name, state);
  for (const name of ["timeupdate", "seeked"]) audio.addEventListener(name, show);
  for (const name of ["loadedmetadata", "durationchange"]) audio.addEventListener(name, measured);
  audio.addEventListener("error", failed);
  if (audio.error) failed();
  state();
  measured();

  player.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const { target, key } = event;
    if (target.matches("textarea, select, input:not([type=range])")) return;
    const moves = { ArrowLeft: -step, ArrowRight: step, ArrowDown: -step, ArrowUp: step, PageDown: -leap, PageUp: leap };
    const onSlider = target === slider;
    if (key === "k" || key === "K") toggle();
    else if (key === " " && !target.matches("button, a, summary")) toggle();
    else if (key === "m" || key === "M") audio.muted = !audio.muted;
    else if (key in moves && (onSlider || key === "ArrowLeft" || key === "ArrowRight")) seek(audio.currentTime + moves[key]);
    else if (key === "Home" && onSlider) seek(0);
    else if (key === "End" && onSlider) seek(length());
    else return;
    event.preventDefault();
  });
}

for (const player of document.querySelectorAll("[data-player]")) enhance(player);
