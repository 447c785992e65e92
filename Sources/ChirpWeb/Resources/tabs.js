// Which tab sounds: one at a time, the one where somebody has pressed last. The others show the same in silence.
import { prefix } from "./words.js";

const name = `chirp-loudspeaker ${prefix}`;

/**
 * - on.elsewhere(is): whether another tab sounds.
 * - on.lost(): another tab has taken over.
 * - on.message(data): another tab tells something.
 */
export function joinTabs(on) {
  const channel = "BroadcastChannel" in window ? new BroadcastChannel(name) : null;
  const locks = navigator.locks;
  let giveBack = null;

  // Asks for a share, which is given when nobody has the whole any more.
  const watch = async () => {
    if (!locks || giveBack) return;
    const { held } = await locks.query();
    if (giveBack) return;
    const is = held.some((lock) => lock.name === name && lock.mode === "exclusive");
    on.elsewhere(is);
    if (!is) return;
    await locks.request(name, { mode: "shared" }, () => {});
    if (!giveBack) on.elsewhere(false);
  };
  if (channel) {
    channel.onmessage = ({ data }) => (data.kind === "taken" ? watch() : on.message(data));
  }
  watch();

  return {
    send: (data) => channel?.postMessage(data),
    /** This tab is the one. */
    take() {
      if (!locks || giveBack) return;
      const kept = new Promise((done) => (giveBack = done));
      locks
        .request(name, { steal: true }, () => {
          channel?.postMessage({ kind: "taken" });
          return kept;
        })
        .catch(() => {
          giveBack = null;
          on.lost();
          watch();
        });
    },
    release() {
      giveBack?.();
      giveBack = null;
    },
  };
}
