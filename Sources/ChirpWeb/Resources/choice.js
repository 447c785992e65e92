// Choosing among the accounts one follows: as many names as fit the screen, found by a part of handle or name, all at once or none.
import { word } from "./words.js";

/** Rem of the screen that stay for what belongs to the list: field, buttons, the way to the next page. */
const around = 24;
const fewest = 3;

export class Choice {
  #form;
  #items;
  #found;
  #first = 0;
  #fit = 1;

  constructor(form) {
    this.#form = form;
    this.#items = [...form.querySelectorAll("[data-people] > li")];
    this.#found = this.#items;
    const on = (name, act) => this.#find(name)?.addEventListener("click", act);
    on("previous", () => this.#turn(-this.#fit));
    on("more", () => this.#turn(this.#fit));
    on("all", () => this.#tick(true));
    on("none", () => this.#tick(false));
    this.#find("find")?.addEventListener("input", (event) => this.#filter(event.target.value));
    // Return in the search field would send the whole form.
    this.#find("find")?.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
    this.measure();
    window.addEventListener("resize", () => this.measure());
  }

  /** The ids of those who are chosen, on whichever page they stand. */
  get chosen() {
    return this.#boxes().filter((box) => box.checked).map((box) => box.value);
  }

  set chosen(ids) {
    for (const box of this.#boxes()) box.checked = ids.includes(box.value);
  }

  /** How many fit. Called when the size has changed, or the list has come into sight. */
  measure() {
    const list = this.#find("people");
    if (!list?.offsetParent) return;
    const style = getComputedStyle(list);
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const columns = style.gridTemplateColumns.split(" ").length;
    const height = (this.#found.find((item) => !item.hidden)?.offsetHeight || 3.25 * rem) + (parseFloat(style.rowGap) || 0);
    const rows = Math.max(fewest, Math.floor((window.innerHeight - around * rem) / height));
    this.#fit = rows * columns;
    // So that the last page, and a search, leave everything below where it is.
    const used = Math.min(rows, Math.ceil(this.#items.length / columns));
    list.style.minHeight = `${used * height}px`;
    list.classList.add("measured");
    this.#show();
  }

  #find(name) {
    return this.#form.querySelector(`[data-${name}]`);
  }

  #boxes() {
    return this.#items.map((item) => item.querySelector("input"));
  }

  #filter(words) {
    const part = words.trim().replace(/^@/, "").toLocaleLowerCase();
    this.#found = this.#items.filter((item) => item.textContent.toLocaleLowerCase().includes(part));
    this.#first = 0;
    this.#show();
  }

  #turn(by) {
    const first = this.#first + by;
    if (first < 0 || first >= this.#found.length) return;
    this.#first = first;
    this.#show();
  }

  /** All that are found: with nothing in the search field, everybody. */
  #tick(isChosen) {
    for (const item of this.#found) item.querySelector("input").checked = isChosen;
  }

  #show() {
    this.#first -= this.#first % this.#fit;
    const end = Math.min(this.#first + this.#fit, this.#found.length);
    const shown = new Set(this.#found.slice(this.#first, end));
    for (const item of this.#items) item.hidden = !shown.has(item);
    const total = this.#found.length;
    this.#find("nobody-found").hidden = total > 0;
    const turning = this.#find("turning");
    // Its room stays, so that nothing jumps while somebody searches.
    turning.style.visibility = total > this.#fit ? "visible" : "hidden";
    this.#find("page").textContent = word("live.page", { first: this.#first + 1, last: end, total });
    // Not switched off altogether: the focus would be lost.
    this.#find("previous").setAttribute("aria-disabled", String(this.#first === 0));
    this.#find("more").setAttribute("aria-disabled", String(end === total));
  }
}
