// A recording goes ahead of its form, as an upload that a lost connection does not end. Without this file it goes with the form.
import { Notice, patience } from "./beat-patience.js";
import { FileSource } from "./line.js";
import { say, warn } from "./say.js";
import { Upload } from "./tus.js";
import { facts, word } from "./words.js";

const form = document.querySelector("[data-beat-form]");
const field = form?.elements.track;
const sending = form?.querySelector("[data-sending]");

/** The protocol takes bytes; names may be in any script. */
const bytes = (text) => String.fromCharCode(...new TextEncoder().encode(text.slice(0, 100)));

if (field && sending) {
  const progress = sending.querySelector("progress");
  const text = sending.querySelector("[data-sending-text]");
  const stop = sending.querySelector("[data-sending-stop]");
  let current = null;

  const reset = () => {
    sending.hidden = true;
    field.value = "";
    current = null;
  };

  function master(id) {
    let hidden = form.elements.master;
    if (!hidden) {
      hidden = Object.assign(document.createElement("input"), { type: "hidden", name: "master" });
      form.append(hidden);
    }
    hidden.value = id;
  }

  async function send(file) {
    const isTooLarge = facts.most && file.size > Number(facts.most);
    if (file.size === 0 || isTooLarge) {
      reset();
      return warn(word(isTooLarge ? "beat.script.large" : "beat.script.empty"));
    }
    const upload = new Upload(new FileSource(file), null, { use: "track", filename: bytes(file.name), filetype: file.type || "application/octet-stream" });
    current = { upload, said: 0 };
    sending.hidden = false;
    progress.value = 0;
    text.textContent = word("beat.script.sending", { share: "0" });
    const notice = new Notice(sending, () => stop.click());
    let moved = performance.now();
    const timer = setInterval(() => {
      if (performance.now() - moved < patience) return notice.end();
      notice.show(word(navigator.onLine === false ? "beat.script.offline" : upload.isAway ? "beat.script.away" : "beat.script.busy"));
    }, 1000);
    upload.onProgress = (there) => {
      moved = performance.now();
      const share = there / file.size;
      progress.value = share;
      text.textContent = word("beat.script.sending", { share: String(Math.floor(share * 100)) });
      // At a quarter, a half and three quarters, and nothing in between.
      const quarter = Math.floor(share * 4);
      if (quarter > current?.said && quarter < 4) {
        current.said = quarter;
        say(text.textContent);
      }
    };
    try {
      await upload.run();
      if (!upload.isDone) return;
      master(upload.id);
      // It is there: the form need not carry it again.
      field.value = "";
      field.required = false;
      progress.value = 1;
      text.textContent = word("beat.script.sent", { name: file.name });
      say(text.textContent);
    } catch (error) {
      reset();
      warn(error.message || word("beat.script.failed"));
    } finally {
      clearInterval(timer);
      notice.end();
      stop.hidden = true;
    }
  }

  field.addEventListener("change", () => {
    current?.upload.cancel();
    stop.hidden = false;
    const [file] = field.files;
    if (file) send(file);
    else reset();
  });
  stop.addEventListener("click", () => {
    const url = current?.upload.url;
    current?.upload.cancel();
    if (url) fetch(url, { method: "DELETE", headers: { "Tus-Resumable": "1.0.0", "X-Chirp-Form": facts.token ?? "" } }).catch(() => {});
    reset();
    say(word("beat.script.stopped"));
  });
  form.addEventListener("submit", (event) => {
    if (!current || current.upload.isDone) return;
    event.preventDefault();
    warn(word("beat.script.wait"));
  });
}

