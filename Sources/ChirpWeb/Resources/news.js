// News one after the other: what is said at once wipes out what was said just before, and readers hear only the last.
import { say } from "./say.js";

const pause = 400;
const waiting = [];
let isSaying = false;

/** Says it when what was said before has had its time. */
export function tell(text) {
  waiting.push(text);
  if (!isSaying) next();
}

function next() {
  const text = waiting.shift();
  isSaying = text !== undefined;
  if (!isSaying) return;
  say(text);
  setTimeout(next, pause);
}
