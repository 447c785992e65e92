// Whether this browser is told of notices, and the button that begins and ends it.
import { call } from "./api.js";
import { facts, prefix, word } from "./words.js";
import { say, warn } from "./say.js";

const button = document.querySelector("[data-push]");
const state = document.querySelector("[data-push-state]");
const here = `${prefix}/settings/push`;
const api = "/api/hub/v1/push";
let isOn = false;

/** Why this browser cannot be told, as the key of a text; empty when it can. */
function obstacle() {
  if (!window.isSecureContext) return "push.here.insecure";
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) return "push.here.unable";
  if (Notification.permission === "denied") return "push.here.blocked";
  return "";
}

/** The worker of this hub. Private windows refuse it. */
async function worker() {
  await navigator.serviceWorker.register(`${prefix}/sw.js`, { scope: `${prefix}/` });
  return navigator.serviceWorker.ready;
}

function bytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

const isSame = (one, other) => one && one.byteLength === other.byteLength && new Uint8Array(one).every((byte, index) => byte === other[index]);

async function subscribe() {
  const manager = (await worker()).pushManager;
  const key = bytes(facts.key);
  let found = await manager.getSubscription();
  // Of another key, or of a hub that stood here before: its messages would never arrive.
  if (found && !isSame(found.options.applicationServerKey, key)) {
    await found.unsubscribe();
    found = null;
  }
  const subscription = found ?? await manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = subscription.toJSON();
  await call("POST", api, { endpoint, p256dh: keys.p256dh, auth: keys.auth });
}

async function unsubscribe() {
  await call("DELETE", api);
  const subscription = await (await worker()).pushManager.getSubscription();
  await subscription?.unsubscribe();
}

function show() {
  const reason = obstacle();
  state.textContent = word(reason || (isOn ? "push.here.on" : "push.here.off"));
  button.hidden = reason !== "" && !isOn;
  button.textContent = word(isOn ? "push.here.end" : "push.here.begin");
}

async function begin() {
  isOn = facts.isHere === "yes";
  show();
  if (!isOn || obstacle()) return;
  // The browser may have forgotten it, as it does when permission is taken back.
  const subscription = await (await worker()).pushManager.getSubscription();
  if (subscription) return;
  await call("DELETE", api);
  location.replace(here);
}

button?.addEventListener("click", async () => {
  button.disabled = true;
  say(word("push.here.working"));
  try {
    if (isOn) {
      await unsubscribe();
      location.replace(`${here}?said=ended`);
      return;
    }
    // Asked for here alone, after a press.
    const permission = await Notification.requestPermission();
    if (permission === "granted") {
      await subscribe();
      location.replace(`${here}?said=on`);
      return;
    }
    say("");
    warn(word(permission === "denied" ? "push.here.blocked" : "push.here.unanswered"));
  } catch (error) {
    say("");
    // A browser without a push service, a private window, a network that is away.
    warn(word("push.here.failed", { reason: error.message }));
  }
  button.disabled = false;
  show();
});

if (button) begin().catch(() => {});
