// Maps that move, by Leaflet where the server has it. Without it, or when it does not load, the drawn map stays and works.
import { count, prefix, word } from "./words.js";
import { say, warn } from "./say.js";
import { settled } from "./settled.js";

/** Leaflet, loaded once for all maps of a page. */
let loading = null;
function leaflet({ leaflet: script, look }) {
  loading ??= new Promise((resolve, reject) => {
    const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: look });
    style.addEventListener("load", () => import(script).then(resolve, reject));
    style.addEventListener("error", reject);
    // Before the page's own style, which changes it.
    document.head.prepend(style);
  });
  return loading;
}

/** A moving map in a stage. */
function open(L, element, stage, centre, zoom, options = {}) {
  const live = stage.appendChild(Object.assign(document.createElement("div"), { className: "map-live" }));
  const map = L.map(live, {
    minZoom: 1, maxZoom: 18, worldCopyJump: true, zoomControl: false, scrollWheelZoom: false, attributionControl: false, ...options,
  });
  const { tiles, side, attribution } = element.dataset;
  const Ground = L.TileLayer.extend({
    createTile(...place) {
      const tile = L.TileLayer.prototype.createTile.apply(this, place);
      // Servers of maps want to know which site asks, and need not know more.
      tile.referrerPolicy = "origin";
      return tile;
    },
    // Leaflet would put an address of inline data there, which the pages' policy refuses.
    _abortLoading() {},
    _removeTile(key) {
      L.GridLayer.prototype._removeTile.call(this, key);
    },
  });
  new Ground(tiles, { tileSize: Number(side), zoomOffset: -Math.log2(Number(side) / 256), minZoom: 1, maxZoom: 18, attribution }).addTo(map);
  L.control.zoom({ position: "topright", zoomInTitle: word("map.script.closer"), zoomOutTitle: word("map.script.wider") }).addTo(map);
  L.control.scale({ imperial: false }).addTo(map);
  L.control.attribution({ prefix: false }).addTo(map);
  // A page must scroll past a map: the wheel is the map's only while it has the focus.
  map.on("focus", () => map.scrollWheelZoom.enable());
  map.on("blur", () => map.scrollWheelZoom.disable());
  map.setView(centre, Math.max(1, zoom));
  return map;
}

/** The preview of a thing. */
function preview(marker) {
  const thing = Object.assign(document.createElement("div"), { className: "map-thing" });
  if (marker.picture) {
    thing.append(Object.assign(document.createElement("img"), { src: prefix + marker.picture, alt: "", width: 72, height: 72 }));
  }
  const text = document.createElement("p");
  text.append(
    Object.assign(document.createElement("a"), { href: prefix + marker.href, textContent: marker.title }),
    Object.assign(document.createElement("span"), { textContent: marker.detail ?? "" }),
  );
  thing.append(text);
  return thing;
}

const key = (marker) => [marker.lat, marker.lon, marker.count, marker.href].join(" ");

class Markers {
  constructor(L, map) {
    Object.assign(this, { L, map, shown: new Map() });
  }

  show(markers) {
    const wanted = new Map(markers.map((marker) => [key(marker), marker]));
    const live = this.map.getContainer();
    const hadFocus = live.contains(document.activeElement);
    for (const [name, drawn] of this.shown) {
      if (wanted.has(name)) continue;
      drawn.remove();
      this.shown.delete(name);
    }
    for (const [name, marker] of wanted) if (!this.shown.has(name)) this.shown.set(name, this.add(marker));
    // Who has opened a marker that is several now goes on from the map, and not from the top of the page.
    if (hadFocus && !live.contains(document.activeElement)) live.focus({ preventScroll: true });
  }

  add(marker) {
    const { L, map } = this;
    const many = marker.count > 1;
    const side = many ? 44 : 32;
    const sign = document.createElement("span");
    if (many) sign.textContent = marker.count < 10_000 ? marker.count : `${Math.floor(marker.count / 1000)}k`;
    const icon = L.divIcon({
      className: `map-icon${many ? " many" : ""}${marker.hollow ? " hollow" : ""}`, html: sign, iconSize: [side, side],
      popupAnchor: [0, -side / 4],
    });
    const title = many ? count("map.script.cluster", marker.count) : [marker.title, marker.detail].filter(Boolean).join(" – ");
    const drawn = L.marker([marker.lat, marker.lon], { icon, title, riseOnHover: true }).addTo(map);
    const element = drawn.getElement();
    element.setAttribute("role", "button");
    element.setAttribute("aria-label", title);
    // Leaflet opens what has a popup by Enter, and nothing else by any key.
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      drawn.fire("click", { latlng: drawn.getLatLng() });
    });
    if (many) {
      drawn.on("click", () => map.setView([marker.lat, marker.lon], Math.min(18, map.getZoom() + 2)));
    } else {
      drawn.bindPopup(marker.preview ?? preview(marker), { maxWidth: 300 });
      drawn.on("popupopen", (event) => {
        event.popup.getElement().querySelector(".leaflet-popup-close-button")?.setAttribute("aria-label", word("map.script.close"));
        event.popup.getElement().querySelector("a")?.focus({ preventScroll: true });
        // Leaflet hears keys only while the map itself has the focus.
        event.popup.getElement().onkeydown = (pressed) => {
          if (pressed.key === "Escape") drawn.closePopup();
        };
      });
      drawn.on("popupclose", () => element.focus({ preventScroll: true }));
    }
    return drawn;
  }
}

/** Puts what the place that is now seen has onto the map, into the list beside it, and into the page's address. */
function follow(map, figure, markers) {
  let asked = null;
  let timer = 0;
  const list = document.querySelector("[data-map-list]");
  /** At first the list is the page's own already, and its address too. */
  async function renew(isFirst) {
    asked?.abort();
    asked = new AbortController();
    const { signal } = asked;
    const [bounds, centre, zoom] = [map.getBounds(), map.getCenter().wrap(), map.getZoom()];
    const box = [bounds.getSouth(), bounds.getWest(), bounds.getNorth(), bounds.getEast()].map((value) => value.toFixed(5)).join(",");
    const page = new URL(location.href);
    if (list && !isFirst) {
      // Where the map is now is what is asked for, and no place that was named before.
      for (const name of ["box", "place", "placeId", "within", "after"]) page.searchParams.delete(name);
      page.searchParams.set("at", `${centre.lat.toFixed(5)},${centre.lng.toFixed(5)}`);
      page.searchParams.set("zoom", zoom);
      page.hash = "";
      history.replaceState(history.state, "", page);
    }
    try {
      if (figure.dataset.markers) {
        const address = new URL(figure.dataset.markers, location.href);
        address.searchParams.set("box", box);
        address.searchParams.set("zoom", zoom);
        const answer = await fetch(address, { signal, headers: { Accept: "application/json" } });
        if (!answer.ok) throw new Error(answer.statusText);
        const found = (await answer.json()).markers;
        markers.show(found);
        say(count("map.script.shown", found.reduce((sum, marker) => sum + marker.count, 0)));
      }
      if (list && !isFirst) {
        const answer = await fetch(page, { signal });
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-map-list]");
        if (fresh) renewed(list, fresh);
      }
    } catch (error) {
      if (error.name !== "AbortError") warn(word("map.script.failed"));
    }
  }
  map.on("moveend", () => {
    clearTimeout(timer);
    timer = setTimeout(() => renew(false), 300);
  });
  return renew;
}

/** Another list in the place of one; the focus stays with the same thing, or at the list. */
function renewed(list, fresh) {
  const at = list.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  list.replaceChildren(...fresh.childNodes);
  if (at === null) return;
  list.tabIndex = -1;
  (list.querySelector(`a[href="${CSS.escape(at)}"]`) ?? list).focus({ preventScroll: true });
}

async function enliven(figure) {
  const L = await leaflet(figure.dataset);
  const stage = figure.querySelector(".map-stage");
  const map = open(L, figure, stage, figure.dataset.at.split(",").map(Number), Number(figure.dataset.zoom));
  map.getContainer().setAttribute("aria-label", figure.dataset.name);
  map.getContainer().setAttribute("role", "group");
  const markers = new Markers(L, map);
  const renew = follow(map, figure, markers);
  figure.classList.add("moving");
  stage.querySelector(".map-picture")?.setAttribute("aria-hidden", "true");
  for (const link of stage.querySelectorAll(".map-picture a")) link.setAttribute("tabindex", "-1");
  if (figure.dataset.markers) renew(true);
  else markers.show(drawn(L, map, stage));
}

/** What the picture shows already, for maps that show the same wherever they are moved. */
function drawn(L, map, stage) {
  const picture = stage.querySelector(".map-picture");
  const { width, height } = picture.viewBox.baseVal;
  const middle = map.project(map.getCenter());
  return [...picture.querySelectorAll(".map-mark:not(.map-many)")].map((mark) => {
    const [x, y] = mark.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
    const { lat, lng } = map.unproject(middle.add(L.point(x - width / 2, y - height / 2)));
    const thing = stage.querySelector(`${mark.getAttribute("href")} .map-thing`);
    return {
      lat, lon: lng, count: 1, href: mark.getAttribute("href"), title: mark.querySelector("title").textContent,
      hollow: mark.classList.contains("map-hollow"), preview: thing?.cloneNode(true),
    };
  });
}

/** Choosing a place: press the map, drag the pin, or move it with the arrow keys. */
async function choose(picker) {
  const L = await leaflet(picker.dataset);
  const field = (name) => picker.querySelector(`[name="${name}"]`);
  const stage = picker.querySelector(".map-stage");
  picker.classList.add("moving");
  const map = open(L, picker, stage, field("pin-at").value.split(",").map(Number), Number(field("pin-zoom").value));
  // Keys are meant for the map, and not for reading on.
  map.getContainer().setAttribute("role", "application");
  map.getContainer().setAttribute("aria-label", stage.querySelector(".map-press").alt);
  const hint = picker.querySelector("[data-plain]");
  hint.textContent = word("map.script.hint");
  hint.id ||= "map-hint";
  map.getContainer().setAttribute("aria-describedby", hint.id);
  const chosen = picker.querySelector(".map-chosen");
  const icon = L.divIcon({ className: "map-icon", html: document.createElement("span"), iconSize: [32, 32] });
  let pin = null;
  const text = (point) => `${point.lat.toFixed(5)},${point.lng.toFixed(5)}`;
  function told() {
    const point = pin.getLatLng().wrap();
    field("pin-place").value = text(point);
    chosen.textContent = word("map.script.chosen", { place: text(point) });
    picker.dispatchEvent(new CustomEvent("pin", { bubbles: true, detail: { lat: point.lat, lon: point.lng } }));
  }
  // Said when the keys have come to rest.
  let resting = 0;
  function saySoon() {
    clearTimeout(resting);
    resting = setTimeout(() => say(chosen.textContent), 500);
  }
  function put(point) {
    if (pin) pin.setLatLng(point);
    else {
      pin = L.marker(point, { icon, draggable: true, title: word("map.script.pin") }).addTo(map);
      const element = pin.getElement();
      element.setAttribute("role", "application");
      element.setAttribute("aria-label", word("map.script.pin"));
      pin.on("dragend", told);
      element.addEventListener("keydown", (event) => {
        const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
        if (!way) return;
        event.preventDefault();
        event.stopPropagation();
        const step = event.shiftKey ? 1 : 8;
        const moved = map.latLngToContainerPoint(pin.getLatLng()).add([way[0] * step, way[1] * step]);
        put(map.containerPointToLatLng(moved));
        map.panInside(pin.getLatLng(), { padding: [24, 24] });
        saySoon();
      });
    }
    told();
  }
  const given = field("pin-place").value.split(",").map(Number);
  if (given.length === 2 && given.every(Number.isFinite)) put(given);
  map.on("click", (event) => put(event.latlng));
  map.getContainer().addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target !== map.getContainer()) return;
    event.preventDefault();
    put(map.getCenter());
    saySoon();
  });
  map.on("moveend", () => {
    field("pin-at").value = text(map.getCenter().wrap());
    field("pin-zoom").value = map.getZoom();
  });
  // What else fills the form with a place sends it here; and what only knows about where it is, has the map moved there.
  picker.addEventListener("place", (event) => {
    map.setView([event.detail.lat, event.detail.lon], Math.max(map.getZoom(), 13));
    put([event.detail.lat, event.detail.lon]);
  });
  picker.addEventListener("look", (event) => {
    if (!pin) map.setView([event.detail.lat, event.detail.lon], event.detail.zoom);
  });
}

/** Does it as soon as an element is about to be seen: who does not come that far pays nothing for it. */
function whenNear(element, act) {
  const watcher = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watcher.disconnect();
      act(element).catch(() => {});
    },
    { rootMargin: "150px" },
  );
  watcher.observe(element);
}

if (!navigator.connection?.saveData) {
  settled.then(() => {
    for (const figure of document.querySelectorAll("[data-map][data-leaflet]")) whenNear(figure, enliven);
    for (const picker of document.querySelectorAll("[data-pin][data-leaflet]")) whenNear(picker, choose);
  });
}
