// Instants as the visitor's clock shows them: the server writes them in UTC.

/** Words every instant below an element anew. */
export function inVisitorsZone(root) {
  for (const element of root.querySelectorAll("time[datetime*='T']:not([datetime^='P'])")) {
    const date = new Date(element.dateTime);
    if (Number.isNaN(date.getTime())) continue;
    element.textContent = date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
    element.title = element.dateTime;
  }
}
