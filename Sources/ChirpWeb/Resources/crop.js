// The picture of the frame: fills the screen without distortion, by the crop that was chosen; and choosing one.
import { prefix, word } from "./words.js";

/** More than this is not cut away unasked (UF-13). */
const MOST_CUT = 0.25;
/** Larger pictures are made smaller before they are sent: no screen shows more. */
const LONGEST_SIDE = 2560;
const MOST_BYTES = 10_000_000;

/** Where a picture lies in a box, in pixels: zoom 1 fills the box, and no part of the box stays empty. */
export function place(natural, box, crop) {
  const fill = Math.max(box.width / natural.width, box.height / natural.height);
  const [width, height] = [natural.width * fill * crop.zoom, natural.height * fill * crop.zoom];
  const bound = (value, least) => Math.min(0, Math.max(least, value));
  return {
    width, height,
    left: bound(box.width / 2 - crop.x * width, box.width - width),
    top: bound(box.height / 2 - crop.y * height, box.height - height),
  };
}

function lay(image, box, crop) {
  const { width, height, left, top } = place({ width: image.naturalWidth, height: image.naturalHeight }, box, crop);
  Object.assign(image.style, { width: `${width}px`, height: `${height}px`, left: `${left}px`, top: `${top}px` });
}

/** The picture that stands behind everything. */
export class Picture {
  constructor(name) {
    this.element = document.createElement("div");
    this.element.className = "picture";
    this.busy = document.createElement("div");
    this.busy.className = "busy";
    this.back = document.createElement("img");
    this.image = document.createElement("img");
    this.back.alt = "";
    this.back.className = "blurred";
    this.image.alt = name;
    this.image.className = "photo";
    this.element.append(this.busy, this.back, this.image);
    this.observer = new ResizeObserver(() => this.lay());
    this.observer.observe(this.element);
    this.image.addEventListener("load", () => {
      this.busy.hidden = true;
      this.lay();
    });
    // It may come later; what was there stays.
    this.image.addEventListener("error", () => (this.timer = setTimeout(() => this.reload(), 10_000)));
  }

  load(frame) {
    this.crop = frame.ownPhoto ? frame.crop : null;
    const address = frame.photo ? prefix + frame.photo : "";
    if (address && address !== this.address) {
      this.address = address;
      this.image.src = address;
      this.back.src = address;
    }
    if (!address) this.busy.hidden = true;
    this.lay();
  }

  reload() {
    if (this.address) this.image.src = this.address;
  }

  lay() {
    const { naturalWidth: width, naturalHeight: height } = this.image;
    const box = { width: this.element.clientWidth, height: this.element.clientHeight };
    if (!width || !height || !box.width) return;
    const shape = (width / height) / (box.width / box.height);
    const cut = 1 - Math.min(shape, 1 / shape);
    const isWhole = !this.crop && cut > MOST_CUT;
    this.element.classList.toggle("whole", isWhole);
    if (isWhole) this.image.removeAttribute("style");
    else lay(this.image, box, this.crop ?? { x: 0.5, y: 0.5, zoom: 1 });
  }

  end() {
    this.observer.disconnect();
    clearTimeout(this.timer);
  }
}

/** Lets somebody pick or take a picture, and pan and zoom it. Gives the file and the crop; null when nothing was chosen. */
export async function chooseCrop(stage, oncamera) {
  const file = await chooseFile(stage, oncamera);
  if (!file) return null;
  const crop = await cropping(stage, file);
  return crop ? { file, crop } : null;
}

function control(name, attributes, text = "") {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(text);
  return element;
}

function sheet(stage, title) {
  const dialog = control("dialog", { class: "sheet", "aria-label": title });
  dialog.append(control("h2", {}, title));
  stage.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  return dialog;
}

function chooseFile(stage, oncamera) {
  return new Promise((done) => {
    const dialog = sheet(stage, word("watch.new"));
    const label = control("label", {}, word("watch.file"));
    const input = control("input", { type: "file", accept: "image/*" });
    label.append(" ", input);
    const camera = control("button", { type: "button" }, word("watch.camera"));
    const cancel = control("button", { type: "button" }, word("watch.cancel"));
    const problem = control("p", { class: "problem" });
    let chosen = null;
    const take = async (blob) => {
      try {
        chosen = await smaller(blob);
        dialog.close();
      } catch {
        problem.textContent = word("watch.picture");
      }
    };
    input.addEventListener("change", () => input.files[0] && take(input.files[0]));
    camera.addEventListener("click", async () => {
      camera.disabled = true;
      try {
        const shot = await takeShot(dialog);
        if (shot) await take(shot);
      } catch {
        oncamera();
        problem.textContent = word("watch.nocamera");
        camera.hidden = true;
      }
      camera.disabled = false;
    });
    cancel.addEventListener("click", () => dialog.close());
    const actions = control("p", { class: "actions" });
    actions.append(camera, cancel);
    dialog.append(label, actions, problem);
    dialog.addEventListener("close", () => done(chosen));
    dialog.showModal();
  });
}

async function takeShot(dialog) {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { width: { ideal: 1920 } } });
  const video = control("video", { playsinline: "", muted: "" });
  const button = control("button", { type: "button", class: "main" }, word("watch.shoot"));
  try {
    // Closed while the browser asked: nobody is left who would let the camera go.
    if (!dialog.open) return null;
    video.srcObject = stream;
    await video.play();
    dialog.append(video, button);
    button.focus();
    return await new Promise((done) => {
      dialog.addEventListener("close", () => done(null));
      button.addEventListener("click", () => {
        const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
        canvas.getContext("2d").drawImage(video, 0, 0);
        canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 }).then(done, () => done(null));
      });
    });
  } finally {
    stream.getTracks().forEach((track) => track.stop());
    video.remove();
    button.remove();
  }
}

async function smaller(blob) {
  const bitmap = await createImageBitmap(blob);
  const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
  // The hub reads these two alone; whatever else the browser can show becomes a JPEG here.
  const isPlain = ["image/jpeg", "image/png"].includes(blob.type);
  if (scale === 1 && isPlain && blob.size < MOST_BYTES) {
    bitmap.close();
    return blob;
  }
  const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  // A JPEG has no holes: what was behind them would be black.
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 });
}

function cropping(stage, file) {
  return new Promise((done) => {
    const dialog = sheet(stage, word("watch.crop"));
    dialog.classList.add("cropping");
    const address = URL.createObjectURL(file);
    const area = control("div", { class: "area", tabindex: "0", role: "group", "aria-label": word("watch.pan") });
    const image = control("img", { src: address, alt: "", draggable: "false" });
    area.append(image);
    // Of the shape of the screen, so that what is seen here is what will be seen.
    area.style.aspectRatio = `${innerWidth} / ${innerHeight}`;
    area.style.width = `min(100%, ${((45 * innerWidth) / innerHeight).toFixed(1)}vh)`;
    const label = control("label", {}, word("watch.zoom"));
    const zoom = control("input", { type: "range", min: "1", max: "8", step: "0.05", value: "1", "aria-label": word("watch.zoom") });
    label.append(" ", zoom);
    const use = control("button", { type: "button", class: "main" }, word("watch.use"));
    const cancel = control("button", { type: "button" }, word("watch.cancel"));
    const actions = control("p", { class: "actions" });
    actions.append(use, cancel);
    dialog.append(area, label, actions);
    const crop = { x: 0.5, y: 0.5, zoom: 1 };
    let isUsed = false;
    const box = () => ({ width: area.clientWidth, height: area.clientHeight });
    const show = () => {
      // The centre stays within what can be shown, so that moving back answers at once.
      const { width, height } = place({ width: image.naturalWidth, height: image.naturalHeight }, box(), crop);
      const edge = (side, whole) => Math.min(0.5, side / 2 / whole);
      const [x, y] = [edge(box().width, width), edge(box().height, height)];
      crop.x = Math.min(1 - x, Math.max(x, crop.x));
      crop.y = Math.min(1 - y, Math.max(y, crop.y));
      lay(image, box(), crop);
      zoom.value = String(crop.zoom);
      zoom.setAttribute("aria-valuetext", `${Math.round(crop.zoom * 100)} %`);
    };
    const move = (right, down) => {
      crop.x -= right / image.clientWidth;
      crop.y -= down / image.clientHeight;
      show();
    };
    const scale = (factor) => {
      crop.zoom = Math.min(8, Math.max(1, crop.zoom * factor));
      show();
    };
    const fingers = new Map();
    const spread = () => {
      const [one, two] = [...fingers.values()];
      return Math.hypot(one.x - two.x, one.y - two.y);
    };
    area.addEventListener("pointerdown", (event) => {
      area.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    });
    area.addEventListener("pointermove", (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const apart = fingers.size === 2 ? spread() : 0;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (fingers.size === 2) scale(spread() / Math.max(1, apart));
      else move(event.clientX - before.x, event.clientY - before.y);
    });
    for (const name of ["pointerup", "pointercancel"]) area.addEventListener(name, (event) => fingers.delete(event.pointerId));
    area.addEventListener("wheel", (event) => {
      event.preventDefault();
      scale(event.deltaY < 0 ? 1.1 : 1 / 1.1);
    }, { passive: false });
    area.addEventListener("keydown", (event) => {
      const moves = { ArrowLeft: [-20, 0], ArrowRight: [20, 0], ArrowUp: [0, -20], ArrowDown: [0, 20] };
      if (moves[event.key]) move(...moves[event.key]);
      else if (event.key === "PageUp") scale(1.25);
      else if (event.key === "PageDown") scale(0.8);
      else return;
      event.preventDefault();
    });
    zoom.addEventListener("input", () => {
      crop.zoom = Number(zoom.value);
      show();
    });
    use.addEventListener("click", () => {
      isUsed = true;
      dialog.close();
    });
    cancel.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      URL.revokeObjectURL(address);
      done(isUsed ? crop : null);
    });
    image.addEventListener("load", show);
    dialog.showModal();
  });
}
