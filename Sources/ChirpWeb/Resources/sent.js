// A recording that only the hub has: a sound file that was sent without script. It looks to the page like one of this browser.
import { call } from "./api.js";
import { facts, prefix } from "./words.js";

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class SentTake {
  isWhole = true;
  isLasting = true;
  #draft;
  facts;

  constructor(draft) {
    this.#draft = draft;
    this.facts = {
      id: draft.id, created: new Date(draft.created).getTime(), upload: `${prefix}/api/uploads/${draft.id}`,
      person: facts.person ?? "", missing: 0, wanted: false, title: draft.title ?? "", text: draft.text ?? "", transcript: "",
      from: draft.from ?? null, to: draft.to ?? null, visibility: "public", language: null, onward: [],
    };
  }

  /** Waits until its clip is made, at most half a minute. */
  static async find(id) {
    for (let turn = 0; turn < 60; turn += 1) {
      const draft = await call("GET", `/api/hub/v1/drafts/${encodeURIComponent(id)}`);
      if (draft.state === "refused") throw new Error(draft.why ?? "");
      if (draft.state === "ready") return new SentTake(draft);
      await pause(500);
    }
    throw new Error("");
  }

  get id() {
    return this.facts.id;
  }

  get bytes() {
    return this.#draft.bytes;
  }

  get seconds() {
    return this.#draft.seconds;
  }

  /** From 0 to 1. */
  get peaks() {
    return Array.from(atob(this.#draft.peaks ?? ""), (letter) => letter.charCodeAt(0) / 255);
  }

  /** The clip, which the hub has cut already. */
  async part() {
    const { url } = (await SentTake.find(this.id)).#draft;
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.blob();
  }

  async save(changes) {
    Object.assign(this.facts, changes);
  }

  async remove() {}
}
