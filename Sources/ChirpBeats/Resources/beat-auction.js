// An auction in its track's page is kept as it stands: the hub is asked politely, and its page only where something has changed. Without this
// file the page has a way to look again.
import { prefix } from "./words.js";

const section = document.querySelector("[data-auction]");
const parts = ["level", "standing", "own", "needed"].map((name) => `[data-auction-${name}]`);
/** In ms: always, and while bids move the end. */
const [usual, last, lastMinutes] = [15000, 5000, 330000];
let known = null;

const mark = ({ state, bids, ends, version }) => [state, bids, ends, version].join(" ");

async function look() {
  const answer = await fetch(`${prefix}/api/hub/v1/beats/${section.dataset.auction}/auction`, { headers: { accept: "application/json" } });
  if (!answer.ok) return false;
  const auction = await answer.json();
  const now = mark(auction);
  if (known !== null && known !== now) {
    const page = await fetch(location.pathname);
    if (page.ok) renew(new DOMParser().parseFromString(await page.text(), "text/html"));
  }
  known = now;
  section.dataset.auctionEnds = auction.ends;
  return auction.state === "running" || auction.state === "paying";
}

/** Only what is told is renewed: what somebody types stays. */
function renew(page) {
  for (const part of parts) {
    const [old, fresh] = [section.querySelector(part), page.querySelector(part)];
    if (old && fresh && old.innerHTML !== fresh.innerHTML) old.replaceChildren(...document.importNode(fresh, true).childNodes);
  }
}

function later() {
  const left = Date.parse(section.dataset.auctionEnds) - Date.now();
  setTimeout(step, left > 0 && left < lastMinutes ? last : usual);
}

async function step() {
  let goesOn = true;
  if (!document.hidden) {
    try {
      goesOn = await look();
    } catch {
      // Offline for a moment: the next time.
    }
  }
  if (goesOn) later();
}

step();
