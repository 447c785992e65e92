// What this browser keeps of the hub: how much, and the way to erase it.
import { word } from "./words.js";
import { say, warn } from "./say.js";
import { CLIPS, PAGES } from "./offline.js";

const units = ["B", "kB", "MB", "GB"];

function size(bytes) {
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  const digits = unit > 1 && value < 10 ? 1 : 0;
  return `${value.toLocaleString(document.documentElement.lang, { maximumFractionDigits: digits })} ${units[unit]}`;
}

async function inCaches(names) {
  let total = 0;
  for (const name of names) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) total += (await (await cache.match(request)).blob()).size;
  }
  return total;
}

async function inFolder(folder) {
  let total = 0;
  for await (const entry of folder.values()) {
    total += entry.kind === "file" ? (await entry.getFile()).size : await inFolder(entry);
  }
  return total;
}

const kinds = {
  async pages() {
    const names = (await caches.keys()).filter((name) => name === PAGES || name.startsWith("chirp-files-"));
    return { bytes: await inCaches(names), erase: () => caches.delete(PAGES) };
  },
  async clips() {
    return { bytes: await inCaches([CLIPS]), erase: () => caches.delete(CLIPS) };
  },
  async recordings() {
    const root = await navigator.storage.getDirectory();
    return {
      bytes: await inFolder(root),
      async erase() {
        for await (const name of root.keys()) await root.removeEntry(name, { recursive: true });
      },
    };
  },
};

async function show(row) {
  const { bytes } = await kinds[row.dataset.kind]();
  row.querySelector("[data-size]").textContent = size(bytes);
  row.querySelector("button").disabled = bytes === 0;
}

for (const row of document.querySelectorAll("[data-kind]")) {
  row.hidden = false;
  show(row).catch(() => (row.hidden = true));
  const dialog = document.querySelector("dialog");
  row.querySelector("button").addEventListener("click", () => {
    dialog.returnValue = "";
    dialog.querySelector("[data-what]").textContent = row.querySelector("[data-name]").textContent;
    dialog.addEventListener("close", async () => {
      if (dialog.returnValue !== "erase") return;
      try {
        await (await kinds[row.dataset.kind]()).erase();
        say(word("kept.erased"));
      } catch {
        warn(word("kept.failed"));
      }
      await show(row);
    }, { once: true });
    dialog.showModal();
  });
}
