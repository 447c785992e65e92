// Pictures of a listing: each is sent as soon as it is chosen, so that the form itself is small and nothing is lost when it comes back.
import { word } from "./words.js";
import { say, warn } from "./say.js";

const MOST = 6;

export function pictures(form, { prefix, token }) {
  const input = form.querySelector("input[name=files]");
  const list = form.querySelector("[data-pictures]");
  const button = form.querySelector("button.main");
  let sending = 0;
  let number = list.children.length;

  input.addEventListener("change", async () => {
    const files = [...input.files].slice(0, Math.max(0, MOST - list.children.length));
    // They are sent here, and not once more with the form.
    input.value = "";
    for (const file of files) await send(file);
  });

  async function send(file) {
    number += 1;
    const name = String(number);
    say(word("listing.script.sending", { number: name }));
    sending += 1;
    button.disabled = true;
    try {
      const answer = await fetch(`${prefix}/api/hub/v1/lost-and-found/pictures`, {
        method: "POST", body: file, headers: { "Content-Type": "application/octet-stream", "X-Chirp-Form": token ?? "" },
      });
      const json = await answer.json().catch(() => ({}));
      if (!answer.ok) throw new Error(Object.values(json.errors ?? {})[0] ?? json.title ?? "");
      show(json.id, name);
      say(word("listing.script.sent", { number: name }));
    } catch (error) {
      warn(`${word("listing.script.unsent")}${error.message && !(error instanceof TypeError) ? `: ${error.message}` : ""}.`);
    } finally {
      sending -= 1;
      button.disabled = sending > 0;
    }
  }

  function show(id, name) {
    const entry = document.createElement("li");
    const field = Object.assign(document.createElement("input"), { type: "hidden", name: "pictures", value: id });
    const picture = Object.assign(document.createElement("img"), {
      src: `${prefix}/pictures/${id}-small.jpg`, width: 120, height: 120, alt: word("listing.script.sent", { number: name }),
    });
    const without = Object.assign(document.createElement("button"), {
      type: "button", textContent: word("listing.script.without", { number: name }),
    });
    without.addEventListener("click", () => {
      entry.remove();
      input.focus();
    });
    entry.append(field, picture, without);
    list.append(entry);
  }
}
