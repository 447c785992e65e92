// The frame: a screen for one person, which stands for days. This file goes from step to step; the others do one thing each.
import { call, Refusal } from "./api.js";
import { facts, prefix, word } from "./words.js";
import { say, warn } from "./say.js";
import { Feed } from "./feed.js";
import { Picture, chooseCrop } from "./crop.js";
import { Box } from "./box.js";
import { answerControl } from "./answer.js";
import { keepAwake, dimmer, shifter } from "./stay.js";

const API = "/api/hub/v1/frame";
const main = document.querySelector("main");
const stage = make("div", { class: "stage" });
main.append(stage);

/** How screens change: which, how, and in how many milliseconds (UF-16). Reduced motion makes cuts of them all. */
const TRANSITIONS = {
  welcome: { opacity: [0, 1], duration: 400 },
  network: { opacity: [0, 1], duration: 300 },
  friends: { opacity: [0, 1], duration: 300 },
  watch: { opacity: [0, 1], duration: 600 },
};
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Makes an element; text goes in as text. */
export function make(name, attributes = {}, ...content) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== undefined && value !== null) element.setAttribute(key, value);
  }
  element.append(...content.filter((piece) => piece !== null && piece !== undefined));
  return element;
}

const button = (text, act, kind = "") => make("button", { type: "button", class: kind, onclick: act }, text);

/** Counts what happens by names of the hub's list (`UsageMark`), without anything about a person. It never matters to the frame whether that worked. */
function counted(what) {
  call("POST", `${API}/count`, what).catch(() => {});
}

function show(step, ...content) {
  stage.dataset.step = step;
  stage.replaceChildren(...content);
  const { opacity, duration } = TRANSITIONS[step] ?? TRANSITIONS.network;
  if (!still.matches) stage.animate({ opacity }, { duration });
  counted({ screen: step });
}

/** Shows the step that the server knows of, so that a restart goes on where it was. */
async function begin() {
  // Nothing was begun in this browser: there is nothing to ask for.
  if (facts.step === "welcome" && !hasBegun) return welcome(facts.why ?? "");
  let frame = null;
  try {
    frame = await call("GET", API);
  } catch (error) {
    if (!(error instanceof Refusal)) return setTimeout(begin, 3000);
    if (![401, 403, 404].includes(error.status)) return setTimeout(begin, 3000);
    // It ended while nobody was here to be told.
    if (error.type === "no-frame" && error.detail) return wipe(error.detail);
  }
  await go(frame);
}

async function go(frame) {
  watching?.end();
  watching = null;
  switch (frame?.step) {
    case "network": return network(frame.why || facts.why || "");
    case "friends": return friends();
    case "watch": return watch(frame);
    default: return welcome();
  }
}

let watching = null;
let hasBegun = false;

/** A picture; within a second a button that appears in a second (UF-10). */
function welcome(reason = "") {
  const start = button(word("watch.start"), () => {
    counted({ press: "start" });
    network();
  }, "main");
  const mark = make("img", { class: "mark", src: document.querySelector("link[rel=icon]").href, alt: "", width: 192, height: 192 });
  show("welcome", make("div", { class: "welcome" }, mark, make("p", { class: "lead" }, word("watch.welcome")),
    reason ? make("p", { class: "problem" }, reason) : null, start));
  if (!still.matches) start.animate({ opacity: [0, 1] }, { duration: 1000, delay: 500, fill: "backwards" });
  if (reason) warn(reason);
}

/** @param reason why a sign-in came to nothing */
function network(reason = "") {
  const known = JSON.parse(facts.networks ?? "[]");
  const server = make("input", { name: "server", inputmode: "url", autocomplete: "off", autocapitalize: "none", spellcheck: "false", placeholder: "mastodon.example" });
  const problem = make("p", { class: "problem", role: "presentation" }, reason);
  if (reason) warn(reason);
  const choose = async (id) => {
    problem.textContent = "";
    counted({ press: "network" });
    try {
      hasBegun = true;
      const answer = await call("POST", `${API}/start`, { network: id, server: id === "mastodon" ? server.value.trim() : undefined });
      if (answer?.location) location.assign(answer.location);
      else await begin();
    } catch (error) {
      problem.textContent = error instanceof Refusal ? error.message : word("script.lost");
      warn(problem.textContent);
      counted({ error: "sign-in" });
    }
  };
  const rows = known.map(({ id, name, hint }) => {
    const press = button(name, () => choose(id), "main");
    // What it costs is read before it is chosen.
    if (hint) press.setAttribute("aria-describedby", `hint-${id}`);
    return make("li", {},
      id === "mastodon" ? make("label", {}, make("span", {}, word("watch.server")), server) : null,
      hint ? make("p", { class: "byline", id: `hint-${id}` }, hint) : null, press);
  });
  show("network", make("section", { class: "sheet" },
    make("h2", {}, word("watch.network")), make("p", {}, word("watch.reading")), make("ul", { role: "list" }, ...rows), problem,
    facts.signedIn ? null : button(word("watch.pair"), pair)));
}

/** A device without a keyboard shows a code; whoever sets it up types that elsewhere. */
async function pair() {
  counted({ press: "pair" });
  try {
    const { code, address, expires } = await call("POST", `${API}/pairing`);
    const end = Date.parse(expires);
    show("pairing", make("section", { class: "sheet" }, make("h2", {}, word("watch.pairing")),
      make("p", {}, word("watch.type", { address })), make("p", { class: "code" }, code), button(word("watch.back"), () => network())));
    const look = async () => {
      if (stage.querySelector(".code")?.textContent !== code) return;
      const frame = await call("GET", API).catch(() => null);
      if (frame && frame.step !== "network" && frame.step !== "welcome") return go(frame);
      if (Date.now() > end) return network();
      setTimeout(look, 2000);
    };
    setTimeout(look, 2000);
  } catch (error) {
    warn(error instanceof Refusal ? error.message : word("script.lost"));
  }
}

/** Everybody one follows by name. The list takes no press until it is whole (UF-12). */
async function friends() {
  const loaded = make("p", { class: "loading" }, word("watch.loading"));
  const search = make("input", { type: "search", name: "filter", autocomplete: "off", disabled: true });
  const list = make("ul", { class: "friends", role: "list", "aria-busy": "true" });
  const filter = () => {
    const wanted = search.value.trim().toLowerCase();
    for (const row of list.children) row.hidden = !row.dataset.words.includes(wanted);
  };
  search.addEventListener("input", filter);
  const sheet = make("section", { class: "sheet" }, make("h2", {}, word("watch.friends")), loaded,
    make("label", {}, make("span", {}, word("watch.filter")), search), list);
  show("friends", sheet);
  let [after, count] = ["", 0];
  while (sheet.isConnected) {
    let page;
    try {
      page = await call("GET", `${API}/friends${after ? `?after=${encodeURIComponent(after)}` : ""}`);
    } catch (error) {
      if (error.type === "no-frame") return wipe(error.message);
      // Waiting does not help: what may be spent is spent.
      if (error.status === 422) {
        list.removeAttribute("aria-busy");
        loaded.textContent = error.message;
        return warn(error.message);
      }
      await new Promise((done) => setTimeout(done, 3000));
      continue;
    }
    for (const friend of page.friends) {
      const picture = friend.photo ? make("img", {
        src: friend.photo, alt: "", width: 44, height: 44, loading: "lazy",
        // Nobody looks at a broken picture; the name stays.
        onerror: (event) => (event.target.style.visibility = "hidden"),
      }) : null;
      list.append(make("li", { "data-words": `${friend.handle} ${friend.name}`.toLowerCase() },
        make("button", { type: "button", disabled: true, "aria-label": `@${friend.handle}`, onclick: () => choose(friend) },
          picture, make("span", { dir: "auto" }, friend.name), make("span", { class: "handle", dir: "ltr" }, `@${friend.handle}`))));
    }
    // Another network's list comes as a whole at the end; until then only the number grows.
    count = page.loaded;
    loaded.textContent = word("watch.loaded", { count });
    if (!page.next) break;
    after = page.next;
  }
  list.removeAttribute("aria-busy");
  search.disabled = false;
  for (const row of list.querySelectorAll("button")) row.disabled = false;
  if (count === 0) loaded.textContent = word("watch.nobody");
  say(loaded.textContent);

  async function choose(friend) {
    counted({ press: "friend" });
    try {
      await go(await call("PUT", API, { vip: friend.id }));
    } catch (error) {
      warn(error instanceof Refusal ? error.message : word("script.lost"));
    }
  }
}

/** The frame itself. */
function watch(frame) {
  const picture = new Picture(word("watch.photo", { name: frame.vip?.name ?? "" }));
  const box = new Box(frame.style);
  const age = make("p", { class: "age", hidden: true });
  const sign = make("p", { class: "sign", hidden: true });
  const veil = make("div", { class: "veil", "aria-hidden": "true" });
  const symbol = make("button", { type: "button", class: "symbol", "aria-label": word("watch.settings"), onclick: () => settings() });
  symbol.append("•••");
  const look = make("button", { type: "button", class: "look", "aria-label": word("watch.last"), onclick: () => last() });
  show("watch", picture.element, look, veil, age, sign, box.element, symbol);
  picture.load(frame);
  box.onstuck = (text) => {
    sign.textContent = text;
    sign.hidden = text === "";
  };
  box.onsilent = () => counted({ error: "sound" });
  box.onshown = (update) => feed.shown(update);
  const stay = [keepAwake((text) => box.onstuck(text)), dimmer(veil, () => frame.style), shifter(picture.element)];
  let answer = null;
  const answers = () => {
    // Somebody may be speaking while something else changes.
    if (Boolean(answer) === Boolean(frame.style.answers)) return;
    answer?.letGo();
    answer?.remove();
    answer = frame.answering === "yes" ? answerControl(API, counted) : null;
    if (answer) stage.append(answer);
  };
  answers();
  /** Why nothing comes though all is well: a network that takes money is not asked when it is spent. */
  const note = make("p", { class: "note", hidden: true });
  stage.append(note);
  // Why answering was not allowed is read once.
  let brief = facts.why ?? "";
  const explain = () => {
    note.textContent = frame.why || brief;
    note.hidden = !note.textContent;
  };
  explain();
  if (brief) setTimeout(() => {
    brief = facts.why = "";
    explain();
  }, 30_000);
  // X is asked every few hours at most, so a day without it is the first that means something.
  const patience = frame.network === "x" ? 24 * 60 : 10;
  const feed = new Feed(API, {
    update: (update) => box.add(update),
    frame: (changed) => {
      if (changed.step !== "watch" || changed.vip?.id !== frame.vip?.id) return go(changed);
      frame = changed;
      box.style = changed.style;
      picture.load(changed);
      answers();
      explain();
    },
    age: (minutes) => {
      age.hidden = minutes < patience;
      if (minutes >= patience) age.textContent = word("watch.age", { minutes });
    },
    ended: (why) => wipe(why),
  });
  watching = {
    end() {
      feed.end();
      box.end();
      picture.end();
      stay.forEach((end) => end());
      answer?.letGo();
    },
  };

  function last() {
    counted({ press: "last" });
    counted({ screen: "last" });
    const rows = box.history.map((update) => make("li", {},
      make("p", { dir: "auto" }, update.text || word("watch.voice")),
      make("p", { class: "byline" }, make("time", { datetime: update.created }, new Date(update.created).toLocaleString(document.documentElement.lang))),
      update.clip ? button(word("watch.replay"), () => { counted({ press: "replay" }); box.replay(update); }) : null));
    sheet(word("watch.last"), rows.length ? make("ul", { class: "last", role: "list" }, ...rows.reverse()) : make("p", {}, word("watch.nothing")));
  }

  function sheet(title, ...content) {
    const dialog = make("dialog", { class: "sheet", "aria-label": title }, make("h2", {}, title), ...content,
      make("p", { class: "actions" }, button(word("watch.done"), () => { counted({ press: "done" }); dialog.close(); }, "main")));
    dialog.addEventListener("close", () => dialog.remove());
    stage.append(dialog);
    dialog.showModal();
    return dialog;
  }

  async function change(changes) {
    try {
      frame = await call("PUT", API, changes);
      box.style = frame.style;
      answers();
      picture.load(frame);
    } catch (error) {
      warn(error instanceof Refusal ? error.message : word("script.lost"));
    }
  }

  function settings() {
    counted({ press: "settings" });
    counted({ screen: "settings" });
    const choice = (key, text) => make("label", { class: "choice" },
      make("input", { type: "checkbox", checked: frame.style[key], onchange: (event) => change({ style: { [key]: event.target.checked } }) }),
      " ", text);
    const time = (key, text) => make("label", {}, text, " ",
      make("input", { type: "time", value: frame.style[key] ?? "", onchange: (event) => change({ style: { [key]: event.target.value } }) }));
    const speeds = [[0.75, word("frame.rate.slow")], [1, word("frame.rate.usual")], [1.25, word("frame.rate.quick")]];
    const now = frame.style.rate ?? 1;
    // Programs may have set another.
    if (!speeds.some(([value]) => value === now)) speeds.push([now, word("frame.rate.own", { times: now })]);
    const rate = make("label", {}, word("frame.rate"), " ",
      make("select", { onchange: (event) => change({ style: { rate: Number(event.target.value) } }) },
        ...speeds.map(([value, text]) => make("option", { value, selected: value === now }, text))));
    const dialog = sheet(word("watch.settings"),
      make("p", { class: "actions" }, button(word("watch.new"), () => { dialog.close(); newPhoto(); }),
        button(word("watch.other"), () => { counted({ press: "other" }); dialog.close(); watching?.end(); friends(); })),
      choice("takeYourTime", word("watch.style.takeYourTime")), choice("spoken", word("watch.style.spoken")), rate,
      frame.answering === "signin" ? make("p", {}, word("watch.allow.why")) : null,
      frame.answering === "signin" ? make("p", { class: "actions" }, button(word("watch.allow"), allow)) : null,
      // Answering is not among these: what only reads does not give itself the right to speak.
      choice("dims", word("watch.style.dims")),
      time("dimFrom", word("watch.style.dimFrom")), time("dimTo", word("watch.style.dimTo")),
      time("quietFrom", word("watch.style.quietFrom")), time("quietTo", word("watch.style.quietTo")),
      make("p", { class: "actions" }, button(word("watch.out"), () => { dialog.close(); signOut(); })));
  }

  /** What only reads asks for the right to write apart, and only here. */
  async function allow() {
    try {
      const { location: place } = await call("POST", `${API}/start`, { network: "mastodon", answers: true });
      location.assign(place);
    } catch (error) {
      warn(error instanceof Refusal ? error.message : word("script.lost"));
    }
  }

  async function newPhoto() {
    counted({ press: "photo" });
    counted({ screen: "photo" });
    const chosen = await chooseCrop(stage, () => counted({ error: "camera" }));
    if (!chosen) return;
    try {
      if (chosen.file) {
        const answer = await fetch(`${prefix}${API}/photo`, {
          method: "PUT", body: chosen.file, headers: { "Content-Type": chosen.file.type, "X-Chirp-Form": facts.token ?? "" },
        });
        if (!answer.ok) throw new Refusal(answer.status, await answer.json().catch(() => ({})));
      }
      await change({ crop: chosen.crop });
      say(word("watch.changed"));
    } catch (error) {
      warn(error instanceof Refusal ? error.message : word("script.lost"));
      counted({ error: "file" });
    }
  }

  async function signOut() {
    counted({ press: "sign-out" });
    try {
      await call("DELETE", API);
    } catch (error) {
      if (!(error instanceof Refusal) || ![401, 404].includes(error.status)) return warn(word("watch.stays"));
    }
    await wipe("");
  }
}

/** Leaves nothing behind: no credential, no name, no update in any place that a page can write to. */
async function wipe(reason) {
  watching?.end();
  watching = null;
  localStorage.clear();
  sessionStorage.clear();
  for (const name of await caches.keys().catch(() => [])) await caches.delete(name);
  stage.replaceChildren();
  // The token, which opens nothing any more: no script can reach it.
  if (reason) await call("DELETE", API).catch(() => {});
  welcome(reason);
}

// What went wrong is silent on the screen (UF-6); it is counted, and the frame goes on.
addEventListener("error", () => counted({ error: "script" }));
addEventListener("unhandledrejection", () => counted({ error: "script" }));
// A page that comes with a reason is that of a frame that has ended.
if (facts.step === "welcome" && facts.why) wipe(facts.why);
else begin();
