// One control: hold it, speak, let go; it goes to the person in the frame as a message (UF-20).
import { facts, prefix, word } from "./words.js";
import { say, warn } from "./say.js";

/** Shorter is a press by mistake; longer ends by itself. */
const LEAST = 600;
const MOST = 120_000;

export function answerControl(api, counted) {
  const control = document.createElement("button");
  control.type = "button";
  control.className = "answer";
  control.textContent = word("watch.hold");
  let recorder = null;

  const begin = async () => {
    if (recorder) return;
    recorder = { isWanted: true };
    counted({ press: "answer" });
    let stream = null;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      const pieces = [];
      const machine = new MediaRecorder(stream);
      const began = performance.now();
      machine.addEventListener("dataavailable", (event) => pieces.push(event.data));
      machine.addEventListener("stop", () => {
        stream.getTracks().forEach((track) => track.stop());
        control.classList.remove("speaking");
        control.textContent = word("watch.hold");
        recorder = null;
        if (performance.now() - began >= LEAST) send(new Blob(pieces, { type: machine.mimeType.split(";")[0] }));
        else warn(word("watch.longer"));
      });
      recorder.end = () => machine.state === "recording" && machine.stop();
      machine.start();
      control.classList.add("speaking");
      control.textContent = word("watch.speaking");
      setTimeout(() => machine.state === "recording" && machine.stop(), MOST);
      // Let go before the microphone was there.
      if (!recorder.isWanted) recorder.end();
    } catch {
      stream?.getTracks().forEach((track) => track.stop());
      recorder = null;
      counted({ error: "microphone" });
      warn(word("watch.nomicrophone"));
    }
  };
  const end = () => {
    if (!recorder) return;
    recorder.isWanted = false;
    recorder.end?.();
  };

  async function send(sound) {
    // What is sent again is the same message, whether or not the hub has had it.
    const key = crypto.randomUUID();
    for (let wait = 1000; wait < 60_000; wait *= 2) {
      try {
        const answer = await fetch(`${prefix}${api}/answer`, {
          method: "POST", body: sound, headers: { "Content-Type": sound.type, "X-Chirp-Form": facts.token ?? "", "Idempotency-Key": key },
        });
        if (answer.ok) return say(word("watch.sent"));
        if (answer.status < 500) {
          counted({ error: "server" });
          return warn(word("watch.unsent"));
        }
      } catch {
        // The network is away; what was said is worth another try.
      }
      await new Promise((done) => setTimeout(done, wait));
    }
    counted({ error: "network" });
    warn(word("watch.unsent"));
  }

  control.addEventListener("pointerdown", (event) => {
    control.setPointerCapture(event.pointerId);
    begin();
  });
  for (const name of ["pointerup", "pointercancel", "blur"]) control.addEventListener(name, end);
  control.addEventListener("contextmenu", (event) => event.preventDefault());
  control.addEventListener("keydown", (event) => {
    if ((event.key === " " || event.key === "Enter") && !event.repeat) begin();
    if (event.key === " " || event.key === "Enter") event.preventDefault();
  });
  control.addEventListener("keyup", (event) => (event.key === " " || event.key === "Enter") && end());
  /** Whoever takes the control away lets go first: no key or finger comes up any more. */
  control.letGo = end;
  return control;
}
