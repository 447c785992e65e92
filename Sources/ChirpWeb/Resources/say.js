// What is said to those who do not look. Each page has one place for news and one for what went wrong, from the start.
const status = document.querySelector("[role=status]");
const alert = document.querySelector("[role=alert]");

/** News, when there is a pause. */
export const say = (text) => tell(status, text);
/** What went wrong, at once. */
export const warn = (text) => tell(alert, text);

function tell(place, text) {
  if (!place) return;
  // The same words again are news only when they have been away.
  place.textContent = place.textContent === text ? `${text}\u00a0` : text;
}
