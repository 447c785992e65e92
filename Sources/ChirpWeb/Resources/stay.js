// What lets a frame stand for days: the screen stays on, is dark at night, and never shows one picture at one place for hours.
import { isBetween } from "./box.js";
import { word } from "./words.js";

/** Keeps the screen from locking; asks again whenever the page is seen again. Each function here gives one that ends it. */
export function keepAwake(tell) {
  let [lock, isEnded] = [null, false];
  const ask = async () => {
    if (isEnded || document.visibilityState !== "visible") return;
    try {
      lock = await navigator.wakeLock.request("screen");
      // It ended while the browser was asked.
      if (isEnded) lock.release().catch(() => {});
    } catch {
      tell(word("watch.locks"));
    }
  };
  document.addEventListener("visibilitychange", ask);
  ask();
  return () => {
    isEnded = true;
    document.removeEventListener("visibilitychange", ask);
    lock?.release().catch(() => {});
  };
}

/** Darkens the picture by the hours chosen, and by the light of the room where the device tells it. */
export function dimmer(veil, style) {
  let light = Infinity;
  let sensor = null;
  const look = () => {
    const isNight = style().dims && isBetween(style().dimFrom, style().dimTo);
    veil.style.opacity = isNight ? "0.85" : light < 5 ? "0.6" : "0";
  };
  try {
    sensor = new AmbientLightSensor({ frequency: 0.2 });
    sensor.addEventListener("reading", () => {
      light = sensor.illuminance;
      look();
    });
    sensor.addEventListener("error", () => {});
    sensor.start();
  } catch {
    // Few browsers tell of light; the hours do.
  }
  look();
  const timer = setInterval(look, 20_000);
  return () => {
    clearInterval(timer);
    sensor?.stop();
  };
}

/** Moves the picture by some pixels every minute, so that nothing burns in. */
export function shifter(element) {
  let step = 0;
  const timer = setInterval(() => {
    step += 1;
    const angle = step * 2.4;
    element.style.translate = `${(6 * Math.cos(angle)).toFixed(1)}px ${(6 * Math.sin(angle)).toFixed(1)}px`;
  }, 60_000);
  return () => clearInterval(timer);
}
