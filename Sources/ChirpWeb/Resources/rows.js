// The clips of the session as a list, the newest first.
import { prefix, word } from "./words.js";
import { clock } from "./player.js";

/** An address of the hub, below the path that a proxy shows it at. */
export const address = (path) =>
  path.startsWith("/") && prefix && !path.startsWith(`${prefix}/`) ? prefix + path : path;

/** An instant in the visitor's zone. */
export const instant = (text) => {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
};

const states = {
  queued: () => word("live.state.queued"),
  playing: () => word("live.state.playing"),
  played: () => word("live.state.played"),
  skipped: () => word("live.state.skipped"),
  failed: () => word("live.state.failed"),
  gone: () => word("live.state.gone"),
};

export class Rows {
  #list;
  #template;
  #again;
  // What each row shows, to leave alone what has not changed: the focus may be in it.
  #shown = new Map();

  /** - again(number): somebody wants to hear a clip again. */
  constructor(list, template, again) {
    this.#list = list;
    this.#template = template;
    this.#again = again;
    // What the server has put there is made anew: it has no times of the visitor's zone.
    list.replaceChildren();
  }

  /** Shows these, oldest first, and no others. */
  reset(plays) {
    const numbers = new Set(plays.map((play) => play.id));
    for (const [number, shown] of this.#shown) {
      if (numbers.has(number)) continue;
      shown.row.remove();
      this.#shown.delete(number);
    }
    for (const play of plays) this.show(play);
  }

  show(play) {
    const look = JSON.stringify(play);
    const known = this.#shown.get(play.id);
    if (known?.look === look) return;
    const row = known?.row ?? this.#made(play);
    this.#fill(row, play);
    this.#shown.set(play.id, { row, look });
    if (known) return;
    const below = [...this.#shown.keys()].filter((number) => number < play.id);
    if (below.length) this.#shown.get(Math.max(...below)).row.before(row);
    else this.#list.append(row);
  }

  /** Says beside a clip why it was not played. */
  blame(number, reason) {
    const problem = this.#shown.get(number)?.row.querySelector(".problem");
    if (!problem) return;
    problem.textContent = reason;
    problem.hidden = false;
  }

  #made(play) {
    const row = this.#template.content.firstElementChild.cloneNode(true);
    row.dataset.play = play.id;
    row.querySelector(".who").id = `who-${play.id}`;
    const again = row.querySelector("[data-replay]");
    again.textContent = word("live.replay");
    again.setAttribute("aria-describedby", `who-${play.id}`);
    again.addEventListener("click", () => this.#again(play.id));
    row.querySelector(".transcript summary").textContent = word("live.transcript");
    return row;
  }

  #fill(row, play) {
    const link = row.querySelector("a");
    link.href = address(play.page);
    row.querySelector(".name").textContent = play.speaker.name || play.speaker.handle;
    row.querySelector(".handle").textContent = `@${play.speaker.handle}`;
    const spoiler = row.querySelector(".spoiler");
    const words = row.querySelector(".text > .words");
    spoiler.hidden = !play.spoiler;
    words.hidden = Boolean(play.spoiler) || !play.text;
    spoiler.querySelector("summary").textContent = play.spoiler ?? "";
    for (const place of [words, spoiler.querySelector(".words")]) {
      place.textContent = play.text ?? "";
      if (play.language) place.lang = play.language;
    }
    const transcript = row.querySelector(".transcript");
    transcript.hidden = !play.transcript;
    transcript.querySelector("p").textContent = play.transcript ?? "";
    if (play.language) transcript.querySelector("p").lang = play.language;
    row.dataset.state = play.state;
    const kept = play.keptUntil ? word("live.kept", { time: instant(play.keptUntil) }) : word("live.kept.always");
    const parts = [clock(play.seconds), instant(play.arrived), states[play.state]?.() ?? play.state, kept];
    row.querySelector(".byline").textContent = parts.join(" · ");
    // Once it has been heard, or will not be by itself.
    row.querySelector("[data-replay]").hidden = ["queued", "gone"].includes(play.state);
  }
}
