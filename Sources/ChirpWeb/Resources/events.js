// One connection for events per browser: the tab that holds the lock has it and shares what comes with the others.
import { prefix } from "./words.js";

// Seconds until the next try; with chance, so that not all browsers come back at once.
const tries = [0.5, 1, 2, 4, 8, 15];

/**
 * Follows the events of a path until `close()`.
 *
 * - names: the kinds of events. The first one is the whole state: what came before it is forgotten.
 * - on.event(name, data): one has come.
 * - on.state("open" | "lost" | "refused"): the connection is there, is tried again, or is given up.
 * - isRefused(): asks whether trying again is useless, after a connection was refused; resolves to true then.
 * - start: of a feed that has no whole state, the place up to which the page has everything. Every connection goes on behind the last
 *   event; who is told that it is open looks for itself what there was before.
 */
export function follow(path, names, on, isRefused, start) {
  const name = `chirp-events ${prefix}${path}`;
  const channel = "BroadcastChannel" in window ? new BroadcastChannel(name) : null;
  const closing = new AbortController();
  let source = null;
  let timer = 0;
  let failures = 0;
  let leads = false;
  let state = "";
  let place = start;
  // What a tab that comes later has to be told.
  let since = [];
  let lastTick = Date.now();
  const me = String(Math.random());

  const become = (now) => {
    if (state === now) return;
    state = now;
    on.state(now);
    if (leads) channel?.postMessage({ kind: "state", state });
  };
  const bring = (event, data) => {
    if (start === undefined) {
      if (event === names[0]) since = [];
      // Of each thing the newest says all, and a page stands for days.
      const known = since.findIndex(([other, old]) => other === event && old?.id === data?.id);
      since[known < 0 ? since.length : known] = [event, data];
    }
    channel?.postMessage({ kind: "event", event, data });
    on.event(event, data);
  };
  const drop = () => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };
  const connect = () => {
    if (closing.signal.aborted) return;
    drop();
    // A new connection knows nothing of the one before: its place goes along in the address, as `Last-Event-ID` would.
    const made = new EventSource(prefix + path + (place === undefined ? "" : `?after=${place}`));
    source = made;
    made.onopen = () => {
      failures = 0;
      become("open");
    };
    made.onerror = async () => {
      if (source !== made) return;
      const wasRefused = made.readyState === EventSource.CLOSED;
      drop();
      // A refusal is told from a lost connection by asking: events say no status.
      if (wasRefused && (await isRefused())) return become("refused");
      if (closing.signal.aborted || source) return;
      retry();
    };
    for (const event of names) {
      made.addEventListener(event, (message) => {
        if (source !== made) return;
        if (place !== undefined && message.lastEventId) place = message.lastEventId;
        bring(event, JSON.parse(message.data));
      });
    }
  };
  const retry = () => {
    become("lost");
    const wait = tries[Math.min(failures++, tries.length - 1)] * (0.75 + Math.random() / 2);
    clearTimeout(timer);
    timer = setTimeout(connect, wait * 1000);
  };

  const lead = () => {
    leads = true;
    connect();
    // The browser knows sooner than the connection does.
    const options = { signal: closing.signal };
    window.addEventListener("offline", () => (drop(), become("lost")), options);
    window.addEventListener("online", () => ((failures = 0), connect()), options);
    // A machine that slept has lost its connection, often without noticing.
    const watch = setInterval(() => {
      const slept = Date.now() - lastTick > 30_000;
      lastTick = Date.now();
      if (slept && navigator.onLine) connect();
    }, 5000);
    closing.signal.addEventListener("abort", () => (clearInterval(watch), drop()));
  };

  if (channel) {
    channel.onmessage = ({ data }) => {
      if (leads) {
        if (data.kind === "hello") channel.postMessage({ kind: "all", to: data.from, since, state });
      } else if (data.kind === "event") {
        on.event(data.event, data.data);
      } else if (data.kind === "state") {
        become(data.state);
      } else if (data.kind === "all" && data.to === me) {
        for (const [event, value] of data.since) on.event(event, value);
        if (data.state) become(data.state);
      }
    };
  }
  if (channel && navigator.locks) {
    navigator.locks
      .request(name, { signal: closing.signal }, () => {
        lead();
        return new Promise((done) => closing.signal.addEventListener("abort", done));
      })
      .catch(() => {});
    channel.postMessage({ kind: "hello", from: me });
  } else {
    // Without a secure context there are no locks: each tab has its own connection.
    lead();
  }

  return {
    close() {
      closing.abort();
      channel?.close();
    },
  };
}
