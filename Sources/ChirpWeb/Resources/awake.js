// Keeps the screen on while somebody listens, where the browser can and wants to.

/** `hold()` and `release()`; `told(isRefused)` is called whenever the browser has answered. */
export function keepAwake(told) {
  let isWanted = false;
  let lock = null;
  const ask = async () => {
    if (!isWanted || document.visibilityState !== "visible" || (lock && !lock.released)) return;
    try {
      lock = await navigator.wakeLock.request("screen");
      if (!isWanted) await lock.release();
      told(false);
    } catch {
      // There is none, it is switched off, or the battery is low.
      told(true);
    }
  };
  // The browser gives the lock back whenever the page is out of sight.
  document.addEventListener("visibilitychange", ask);
  return {
    hold() {
      isWanted = true;
      ask();
    },
    release() {
      isWanted = false;
      lock?.release().catch(() => {});
      lock = null;
    },
  };
}
