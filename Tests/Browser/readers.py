"""What those meet who use no mouse or do not look: where the focus is and how it shows, and what the browser tells a screen reader of
a page, in which order."""

# What has the focus, with its name and look, and whether what had it before has lost that look. `order` is what is wrong with the step.
FOCUS = r"""(isBack) => {
    const looked = (item) => {
        // A marker of a drawn map shows the focus by its pin.
        const shown = item.querySelector?.(".map-pin") ?? item;
        const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, stroke, strokeWidth, backgroundColor, top } = getComputedStyle(shown);
        const outline = outlineStyle === "none" || outlineWidth === "0px" ? "none" : `${outlineStyle} ${outlineWidth} ${outlineColor}`;
        const hidden = item.matches?.(".skip") ? top : "";
        return [outline, boxShadow, borderColor, item instanceof SVGElement ? stroke + strokeWidth : "", backgroundColor, hidden].join("|");
    };
    const item = document.activeElement;
    const before = window.focusBefore;
    const told = { tag: item?.tagName?.toLowerCase() ?? "", name: "", field: item?.name ?? "", type: item?.type ?? "", isSame: before?.item === item, wrong: [] };
    if (before && before.item !== item && before.item.isConnected && looked(before.item) === before.look) told.wrong.push(`the focus on ${before.name} does not show`);
    if (!item || item === document.body) {
        window.focusBefore = undefined;
        return told;
    }
    const byId = (ids) => (ids ?? "").split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
    told.name = (item.getAttribute("aria-label") ?? (byId(item.getAttribute("aria-labelledby")).trim() || item.labels?.[0]?.textContent
        || item.querySelector?.("title")?.textContent || item.textContent?.trim() || item.querySelector?.("img")?.alt || item.alt || item.title || "")).trim().replace(/\s+/g, " ");
    if (!told.name) told.wrong.push(`what has the focus has no name: ${item.outerHTML.slice(0, 120)}`);
    const box = item.getBoundingClientRect();
    const seen = box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
    if (!seen) told.wrong.push(`${told.name} has the focus out of sight`);
    // After the last comes the first.
    if (before?.item.isConnected && before.item !== item && !item.matches(".skip")) {
        const follows = Boolean(before.item.compareDocumentPosition(item) & Node.DOCUMENT_POSITION_FOLLOWING);
        if (follows === isBack) told.wrong.push(`${told.name} comes out of order, after ${before.name}`);
        // Down, or to the right: nothing of the same column is above what came before. Things on a map lie as they lie.
        const apart = (one) => one.closest(".map-stage, .skip");
        const [upper, lower] = isBack ? [item, before.item] : [before.item, item];
        const [first, second] = [upper.getBoundingClientRect(), lower.getBoundingClientRect()];
        const isAbove = second.bottom <= first.top + 1 && second.left < first.right - 1 && second.right > first.left + 1;
        if (isAbove && !apart(upper) && !apart(lower)) told.wrong.push(`${told.name} is read before ${before.name} and stands elsewhere`);
    }
    window.focusBefore = { item, name: told.name, look: looked(item) };
    return told;
}"""

# What stands in a page in another place than where it is read: above what is read before it, in the same column.
PLACES = r"""() => {
    const wrong = [];
    let before = null;
    for (const item of document.querySelectorAll("main :is(h1, h2, h3, h4, p, li, dt, dd, legend, label, input, select, textarea, button, figcaption)")) {
        if (item.closest(".map-stage, .visually-hidden, [hidden]") || item.querySelector("p, li, h1, h2, h3, dt, dd, label, input, select, textarea, button")) continue;
        const box = item.getBoundingClientRect();
        if (!box.width || !box.height || item.offsetParent === null) continue;
        if (before && box.bottom <= before.box.top + 1 && box.left < before.box.right - 1 && box.right > before.box.left + 1) {
            wrong.push(`"${item.textContent.trim().slice(0, 40)}" is read after "${before.item.textContent.trim().slice(0, 40)}" and stands above it`);
        }
        before = { item, box };
    }
    return wrong;
}"""

CONTROLS = {"button", "link", "textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "slider", "spinbutton", "switch", "tab", "menuitem",
            "DisclosureTriangle", "DateTime", "application", "img", "image"}
# Once in a page, or never.
ONCE = {"main": 1, "banner": 1, "contentinfo": 1, "search": None}


class Keys:
    """The keyboard of somebody who has nothing else. Each step is looked at: the focus shows, has a name, is in sight, and goes on in the
    order of reading."""

    def __init__(self, page):
        self.page, self.presses, self.wrong = page, 0, []

    def press(self, *keys):
        for key in keys:
            self.presses += 1
            self.page.keyboard.press(key)

    def write(self, text):
        self.presses += len(text)
        self.page.keyboard.type(text)

    def focus(self, is_back=False):
        told = self.page.evaluate(FOCUS, is_back)
        self.wrong += [f"{self.page.url}: {what}" for what in told["wrong"]]
        return told

    def tab(self, is_back=False):
        self.press("Shift+Tab" if is_back else "Tab")
        return self.focus(is_back)

    def to(self, name=None, field=None, tag=None, starting=None, is_back=False, most=150):
        """Presses Tab until something has the focus, by its name, by the beginning of that, or by its field."""
        for _ in range(most):
            told = self.tab(is_back)
            is_it = (name is None or told["name"] == name) and (field is None or told["field"] == field)
            if is_it and (tag is None or told["tag"] == tag) and (starting is None or told["name"].startswith(starting)):
                return told
        raise AssertionError(f"{'Shift+' if is_back else ''}Tab does not lead to {name or field or starting} at {self.page.url}")

    def fill(self, field, text):
        self.to(field=field)
        self.press("Control+A")
        self.write(text)

    def go(self, *keys):
        """Presses something that leads to another page, which must begin where pages begin or at what was wrong."""
        with self.page.expect_navigation():
            self.press(*(keys or ["Enter"]))
        self.page.wait_for_load_state()

    def follow(self, name=None, **more):
        self.to(name, **more)
        self.go()

    def is_kept(self):
        """The focus is somewhere after what was just done on this page."""
        told = self.page.evaluate("[document.activeElement?.tagName, document.hasFocus()]")
        assert told[0] not in (None, "BODY", "HTML"), f"the focus is lost at {self.page.url}"

    def round(self):
        """Goes through the whole page by Tab and gives the names in order; all that can be used must be among them."""
        # A map begins to move when it is about to be seen: whoever comes by in that moment passes the picture that it was.
        for figure in self.page.locator("[data-map][data-leaflet]:visible, [data-pin][data-leaflet]:visible").all():
            figure.scroll_into_view_if_needed()
            figure.locator(".leaflet-container").wait_for()
        self.page.evaluate("() => { window.focusBefore = undefined; document.activeElement?.blur(); window.scrollTo(0, 0); getSelection().removeAllRanges(); }")
        self.page.evaluate("() => { document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex'); }")
        names, first = [], None
        for _ in range(250):
            told = self.tab()
            if told["tag"] in ("", "body", "html") or (told["tag"] == "a" and names and told["name"] == first):
                break
            first = first or told["name"]
            self.page.evaluate("() => { (window.reached ??= new Set()).add(document.activeElement); }")
            if not told["isSame"]:
                names.append(told["name"])
        missed = self.page.evaluate(r"""() => {
            const radios = new Set();
            return [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, audio[controls], [tabindex]:not([tabindex='-1'])")]
                .filter((item) => item.checkVisibility({ visibilityProperty: true }) && item.tabIndex >= 0 && !item.disabled && !window.reached.has(item))
                // One of a group is reached, the others by arrows.
                .filter((item) => item.type !== "radio" || ![...window.reached].some((one) => one.name === item.name && one.form === item.form))
                .map((item) => item.outerHTML.slice(0, 100));
        }""")
        self.wrong += [f"{self.page.url}: Tab does not reach {one}" for one in missed]
        return names


def tree(page):
    """The accessibility tree in reading order: role, name, level, and what else is told of each."""
    wire = page.context.new_cdp_session(page)
    try:
        nodes = wire.send("Accessibility.getFullAXTree")["nodes"]
    finally:
        wire.detach()
    known = {node["nodeId"]: node for node in nodes}
    found = []

    def visit(node, depth=0):
        if not node.get("ignored"):
            more = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
            found.append({
                "role": node.get("role", {}).get("value", ""), "name": (node.get("name", {}).get("value") or "").strip(),
                "description": (node.get("description", {}).get("value") or "").strip(), "level": more.get("level"),
                "invalid": more.get("invalid"), "focusable": more.get("focusable"), "depth": depth})
        for child in node.get("childIds", []):
            if child in known:
                visit(known[child], depth + 1)

    visit(nodes[0])
    return found


def reading(page):
    """What is wrong with how a page is read out: headings, names, landmarks, faults of fields, order."""
    found, wrong = tree(page), []
    headings = [(one["level"], one["name"]) for one in found if one["role"] == "heading"]
    if [level for level, _ in headings].count(1) != 1 or headings[0][0] != 1:
        wrong.append(f"headings do not begin with the only first one: {headings}")
    for (upper, _), (lower, name) in zip(headings, headings[1:]):
        if lower > upper + 1:
            wrong.append(f"the heading {name} jumps from {upper} to {lower}")
    for one in found:
        if one["role"] in CONTROLS and not one["name"]:
            wrong.append(f"a {one['role']} has no name")
        if one["role"] == "generic" and one["focusable"]:
            wrong.append(f"something that takes the focus has no role: {one['name'][:60]}")
        if one["invalid"] == "true" and not one["description"]:
            wrong.append(f"what is wrong with the field {one['name']} is not told with it")
    for role, least in ONCE.items():
        count = sum(1 for one in found if one["role"] == role)
        if count > 1 or count < (least or 0):
            wrong.append(f"{count} times {role}")
    ways = [one["name"] for one in found if one["role"] == "navigation"]
    if len(set(ways)) != len(ways) or "" in ways:
        wrong.append(f"navigations are not told from one another: {ways}")
    wrong += page.evaluate(PLACES)
    return [f"{page.url}: {what}" for what in wrong]


def headings(page):
    return [(one["level"], one["name"]) for one in tree(page) if one["role"] == "heading"]


def faults(page):
    """The fields that are wrong, each with what is told with it."""
    return {one["name"]: one["description"] for one in tree(page) if one["invalid"] == "true"}
