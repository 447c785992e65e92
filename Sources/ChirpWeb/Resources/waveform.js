// The picture of a recording with two handles. What can be dragged here can be done by sliders and numbers too, so it is hidden from those
// who do not see it.

const barWidth = 3;
const barGap = 1;

export class Waveform {
  #host;
  #canvas = document.createElement("canvas");
  #peaks = [];
  #seconds = 0;
  #range = [0, 0];
  #now = null;
  #held = null;
  #isAsked = false;
  /** Called with both ends when one was dragged. */
  onChange = () => {};

  constructor(host) {
    this.#host = host;
    this.#canvas.setAttribute("aria-hidden", "true");
    host.append(this.#canvas);
    new ResizeObserver(() => this.#draw()).observe(host);
    for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)", "(prefers-contrast: more)"]) {
      matchMedia(query).addEventListener("change", () => this.#draw());
    }
    this.#canvas.addEventListener("pointerdown", (event) => this.#grip(event));
    this.#canvas.addEventListener("pointermove", (event) => this.#drag(event));
    for (const name of ["pointerup", "pointercancel"]) this.#canvas.addEventListener(name, () => (this.#held = null));
  }

  /** `peaks` from 0 to 1 over the whole length in seconds. */
  show(peaks, seconds, from, to) {
    this.#peaks = peaks;
    this.#seconds = seconds;
    this.move(from, to);
  }

  move(from, to) {
    this.#range = [from, to];
    this.#draw();
  }

  /** Where it plays; null when it does not. */
  play(seconds) {
    this.#now = seconds;
    this.#draw();
  }

  #place(event) {
    const box = this.#canvas.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * this.#seconds;
  }

  #grip(event) {
    if (event.button !== 0 || this.#seconds === 0) return;
    const place = this.#place(event);
    const [from, to] = this.#range;
    // The nearer handle, wherever the press is.
    this.#held = Math.abs(place - from) <= Math.abs(place - to) ? 0 : 1;
    this.#canvas.setPointerCapture(event.pointerId);
    this.#drag(event);
  }

  #drag(event) {
    if (this.#held === null) return;
    event.preventDefault();
    const range = [...this.#range];
    range[this.#held] = Math.round(this.#place(event) * 10) / 10;
    this.onChange(range[0], range[1], this.#held);
  }

  /** Once for a picture of the screen, however often it is asked for. */
  #draw() {
    if (this.#isAsked) return;
    this.#isAsked = true;
    requestAnimationFrame(() => {
      this.#isAsked = false;
      this.#paint();
    });
  }

  #colours() {
    if (matchMedia("(forced-colors: active)").matches) return { bars: "GrayText", front: "Highlight", line: "CanvasText" };
    const style = getComputedStyle(this.#host);
    const colour = (name) => style.getPropertyValue(name).trim();
    return { bars: colour("--bars"), front: colour("--accent"), line: colour("--text") };
  }

  #paint() {
    const scale = window.devicePixelRatio || 1;
    const [width, height] = [this.#host.clientWidth, this.#host.clientHeight];
    if (width === 0 || height === 0) return;
    this.#canvas.width = Math.round(width * scale);
    this.#canvas.height = Math.round(height * scale);
    const pen = this.#canvas.getContext("2d");
    pen.scale(scale, scale);
    if (this.#seconds === 0) return;
    const colours = this.#colours();
    const [from, to] = this.#range.map((seconds) => (seconds / this.#seconds) * width);
    const bars = Math.floor(width / (barWidth + barGap));
    for (let bar = 0; bar < bars; bar += 1) {
      const start = Math.floor((bar / bars) * this.#peaks.length);
      const end = Math.max(start + 1, Math.floor(((bar + 1) / bars) * this.#peaks.length));
      let loudest = 0;
      for (let index = start; index < end; index += 1) loudest = Math.max(loudest, this.#peaks[index] ?? 0);
      // Speech is seen better by its root than by its size.
      const tall = Math.max(2, Math.sqrt(loudest) * (height - 4));
      const left = bar * (barWidth + barGap);
      const isInside = left + barWidth / 2 >= from && left + barWidth / 2 <= to;
      pen.fillStyle = isInside ? colours.front : colours.bars;
      pen.globalAlpha = 1;
      pen.fillRect(left, (height - (isInside ? tall : tall * 0.6)) / 2, barWidth, isInside ? tall : tall * 0.6);
    }
    pen.fillStyle = colours.line;
    for (const place of [from, to]) {
      const left = Math.min(width - 3, Math.max(0, place - 1.5));
      pen.fillRect(left, 0, 3, height);
      pen.fillRect(Math.min(width - 9, Math.max(0, place - 4.5)), 0, 9, 9);
      pen.fillRect(Math.min(width - 9, Math.max(0, place - 4.5)), height - 9, 9, 9);
    }
    if (this.#now !== null) pen.fillRect((this.#now / this.#seconds) * width - 0.5, 0, 1.5, height);
  }
}
