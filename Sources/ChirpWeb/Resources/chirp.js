// Every page: instants in the visitor's zone, the player, copying, reading without a network.
import "./offline.js";

(() => {
  const clock = (seconds) => {
    const whole = Math.max(0, Math.floor(seconds + 0.05));
    const two = (n) => String(n).padStart(2, "0");
    const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
    return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
  };
  const spoken = (seconds) => {
    const whole = Math.round(seconds);
    const [m, s] = [Math.floor(whole / 60), whole % 60];
    return (m ? `${m} minute${m === 1 ? "" : "s"} ` : "") + `${s} second${s === 1 ? "" : "s"}`;
  };

  for (const element of document.querySelectorAll("time[datetime*='T']:not([datetime^='P'])")) {
    const date = new Date(element.dateTime);
    if (!Number.isNaN(date.getTime())) {
      element.textContent = date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
      element.title = element.dateTime;
    }
  }

  const player = document.querySelector("[data-player]");
  if (player) {
    const find = (name) => player.querySelector(`[data-${name}]`);
    const audio = player.querySelector("audio");
    const slider = player.querySelector("input[type=range]");
    const play = find("play");
    const front = player.querySelector(".played");
    const width = front ? front.ownerSVGElement.viewBox.baseVal.width : 0;
    const step = 5;
    const length = () => (Number.isFinite(audio.duration) ? audio.duration : Number(slider.max) / 10);

    const show = () => {
      const now = audio.currentTime;
      find("now").textContent = clock(now);
      slider.value = String(Math.round(now * 10));
      slider.setAttribute("aria-valuetext", `${spoken(now)} of ${spoken(length())}`);
      if (front && length() > 0) front.setAttribute("width", String(width * Math.min(1, now / length())));
    };
    const measured = () => {
      if (!Number.isFinite(audio.duration)) return;
      slider.max = String(Math.ceil(audio.duration * 10));
      find("length").textContent = clock(Math.round(audio.duration));
      show();
    };
    const state = () => {
      const playing = !audio.paused && !audio.ended;
      player.classList.toggle("playing", playing);
      play.setAttribute("aria-label", playing ? "Pause" : "Play");
      if (playing) requestAnimationFrame(follow);
      show();
    };
    const follow = () => {
      if (audio.paused || audio.ended) return;
      show();
      requestAnimationFrame(follow);
    };
    const toggle = () => (audio.paused ? audio.play().catch(failed) : audio.pause());
    const seek = (seconds) => {
      audio.currentTime = Math.min(Math.max(0, seconds), length());
      show();
    };
    const failed = (reason) => {
      if (reason && reason.name === "AbortError") return;
      find("problem").hidden = false;
      state();
    };

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
    measured();

    document.addEventListener("keydown", (event) => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      const target = event.target;
      if (target.matches("textarea, select, input:not([type=range])")) return;
      const moves = { ArrowLeft: -step, ArrowRight: step, PageDown: -30, PageUp: 30 };
      const onSlider = target === slider;
      if (event.key === "k" || event.key === "K") toggle();
      else if (event.key === " " && !target.matches("button, a, summary")) toggle();
      else if (event.key === "m" || event.key === "M") audio.muted = !audio.muted;
      else if (event.key === "ArrowLeft" || event.key === "ArrowRight") seek(audio.currentTime + moves[event.key]);
      else if (onSlider && event.key in moves) seek(audio.currentTime + moves[event.key]);
      else if (event.key === "Home" && onSlider) seek(0);
      else if (event.key === "End" && onSlider) seek(length());
      else return;
      event.preventDefault();
    });
  }

  const previews = document.querySelectorAll("[data-preview]");
  if (previews.length) {
    const audio = new Audio();
    let current = null;
    const mark = () => {
      for (const button of previews) {
        const playing = button === current && !audio.paused && !audio.ended;
        button.classList.toggle("playing", playing);
        button.setAttribute("aria-label", `${playing ? "Pause" : "Play"} ${button.dataset.name}`);
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
      const status = document.querySelector("[data-status]");
      button.textContent = copied ? "Copied" : "Press Ctrl+C";
      status.textContent = copied ? "The share text was copied." : "The text is selected; press Control C to copy.";
      setTimeout(() => {
        button.textContent = words;
        status.textContent = "";
      }, 2500);
    });
  }

  for (const element of document.querySelectorAll("[data-enhanced]")) element.hidden = false;
})();
