"""Hostile names and texts in every field of what people say to one another, in a real browser: nothing runs, nothing is asked for that the
page itself would not ask for, nothing turns the direction of what stands beside it, and no page gets wider than a telephone
(boards.md 5.1 point 10)."""

import ast
import json
import os
import re
import urllib.parse

import harness
import listings
from harness import fill, press
from listings import API, BOARD

# The texts are those that are sent to the hub without a browser.
SOURCE = os.path.join(harness.ROOT, "Tests/HostileHub/texts.py")
WANTED = {"BIDI", "MARK", "TEXTS"}
# What text of strangers must not have in a page: controls, and what turns the direction until it is taken back.
RAW = r"[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]"
# Would be the end of the walk: it ran.
TRAP = "(() => { const ran = () => { window.ran = true; }; window.MARK = ran; window.alert = window.confirm = window.prompt = ran; })();"
LOOK = r"""([raw, mark]) => {
    const wrong = [];
    const shown = document.documentElement.outerHTML.match(new RegExp(`.{0,40}${raw}.{0,20}`, "u"));
    if (shown) wrong.push(`shown raw: ${JSON.stringify(shown[0])}`);
    for (const field of document.querySelectorAll("input, textarea")) if (new RegExp(raw, "u").test(field.value)) wrong.push(`raw in the field ${field.name}`);
    for (const item of document.querySelectorAll("*")) {
        if (item.localName.includes(mark) || ["iframe", "object", "embed", "base"].includes(item.localName)) wrong.push(`<${item.localName}>`);
        for (const { name, value } of item.attributes) {
            if (name.startsWith("on") || name.includes(mark)) wrong.push(`<${item.localName} ${name}>`);
            if (["href", "src", "action", "formaction"].includes(name) && /^[\s\x00-\x20]*(javascript|data|vbscript):/i.test(value) && !value.startsWith("data:image/"))
                wrong.push(`<${item.localName} ${name}=${value.slice(0, 60)}>`);
        }
    }
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (wide > 0) {
        const reaching = [...document.querySelectorAll("body *")].filter((item) => item.getBoundingClientRect().right > innerWidth + 1).at(-1);
        wrong.push(`${wide} px too wide: ${reaching?.outerHTML.slice(0, 160)}`);
    }
    if (window.ran) wrong.push("it ran");
    return wrong;
}"""


def texts():
    """The hostile texts, without running the program that they are of; halves of pairs cannot be told to a browser."""
    known = {}
    with open(SOURCE, encoding="utf-8") as file:
        for node in ast.parse(file.read()).body:
            if isinstance(node, ast.Assign) and node.targets[0].id in WANTED:
                exec(compile(ast.Module([node], []), SOURCE, "exec"), known)
    whole = [text for text in known["TEXTS"] if text.strip() and not re.search("[\ud800-\udfff]", text)]
    return known["MARK"], whole


MARK, TEXTS = texts()


def chunks(most):
    """All texts, several in one, each no longer than so many characters."""
    now = ""
    for text in TEXTS:
        text = text[:most - 1]
        if len(now) + len(text) >= most:
            yield now
            now = ""
        now += f"{text}\n"
    yield now


class Looker:
    """Somebody with a telephone who looks at pages, and whether they do harm."""

    def __init__(self, hub, name, page=None):
        self.hub, self.name, self.count, self.wrong = hub, name, 0, []
        self.page = page or hub.window(width=360, height=740)
        self.page.add_init_script(TRAP.replace("MARK", MARK))
        self.page.on("dialog", lambda dialog: (self.wrong.append(f"{self.page.url}: a dialog: {dialog.message}"), dialog.dismiss()))
        self.page.on("request", self.asked)

    def asked(self, request):
        if not request.url.startswith((f"{self.hub.url}/", "blob:")) or MARK in request.url and request.resource_type != "document":
            self.wrong.append(f"{self.page.url} asks for {request.url[:120]}")

    def call(self, method, path, body):
        """Says something as a program does; what is refused is refused clearly."""
        answer = self.page.request.fetch(
            self.hub.url + path, method=method, data=json.dumps(body),
            headers={"Content-Type": "application/json", "X-Chirp-Form": self.token, "Origin": self.hub.url})
        assert answer.status < 500, (path, json.dumps(body)[:200], answer.status)
        self.refused = None if answer.ok else answer.text()
        return answer.json() if answer.ok else None

    def look(self, path):
        answer = self.page.goto(path if path.startswith("http") else self.hub.url + path, wait_until="load")
        assert answer.status < 500, (path, answer.status)
        self.judge()

    def judge(self):
        self.count += 1
        found = self.page.evaluate(LOOK, [RAW, MARK])
        refused = [text for text in self.page.complaints if not re.search(r"status of 4\d\d", text)]
        self.page.complaints.clear()
        self.wrong += [f"{self.page.url[:160]}: {what}" for what in found + refused]


def named(looker, name, bio):
    looker.page.goto(f"{looker.hub.url}/settings/profile")
    fill(looker.page, name=name[:30], bio=bio[:400])
    press(looker.page, "Save")
    looker.judge()


def listed(ann):
    """A listing with each text wherever words stand, as long as it may be."""
    made = []
    for number, text in enumerate(TEXTS):
        line = text.replace("\n", " ").replace("\r", " ")
        told = ann.call("POST", API, {
            "side": ["lost", "found"][number % 2], "category": "keys", "language": "en", "title": line[:100], "text": text[:5000],
            "reward": line[:100], "question": line[:200], "place": "", "at": f"51.5{number:02},-0.1", "precision": "exact", "handover": "agree"})
        if told:
            made.append(told["id"])
    return made


def test_hostile_texts_do_nothing_in_a_browser(own_hub):
    hub = own_hub
    ann, bob, owner = Looker(hub, "ann"), Looker(hub, "bob"), None
    for looker in [ann, bob]:
        hub.sign_up(looker.name, looker.page)
        looker.page.goto(f"{hub.url}{BOARD}/mine")
        looker.token = listings.token(looker.page)
    # What does harm is seen: on a page that was made so.
    ann.page.evaluate("(mark) => { document.body.innerHTML = `<p onclick=x>\u202e</p><${mark}>${'w'.repeat(300)}</${mark}><img src=https://a.example/x>`; }", MARK)
    ann.page.wait_for_timeout(200)
    ann.judge()
    assert len({re.sub(r".*?: |\d+", "", what)[:12] for what in ann.wrong}) >= 5, ann.wrong
    ann.wrong.clear()
    named(ann, f"\"><img src={MARK} onerror={MARK}()>", "".join(chunks(400)))
    named(bob, "\u202etxt.exe\u2066 " + "W" * 20, f"<script>{MARK}()</script> javascript:{MARK}()")
    made = listed(ann)
    assert len(made) > 0.8 * len(TEXTS), (len(made), len(TEXTS), ann.refused)

    # Lists and the map, as a visitor and as their author.
    bob.look(BOARD)
    for _ in range(9):
        following = bob.page.locator("a[rel=next]")
        if not following.count():
            break
        bob.look(f"{hub.url}{following.first.get_attribute('href')}")
    bob.look(f"{BOARD}?at=51.55,-0.1&zoom=14")
    bob.page.locator("#map").scroll_into_view_if_needed()
    bob.page.locator(".map-icon").first.wait_for()
    single = bob.page.locator(".map-icon:not(.many)")
    if single.count():
        single.first.press("Enter")
        bob.page.locator(".leaflet-popup").wait_for()
    bob.judge()
    for path in [f"{BOARD}/mine", f"{BOARD}/by/ann", "/@ann", "/settings/profile"]:
        ann.look(path)
    # Each listing, and each claim at it.
    answers = list(chunks(2000))
    claimed = []
    for number, listing in enumerate(made):
        bob.look(f"{BOARD}/{listing}")
        if number % 4 == 0:
            bob.look(f"{BOARD}/{listing}/claim")
            told = bob.call("POST", f"{API}/{listing}/claims", {"answer": answers[number // 4 % len(answers)]})
            claimed += [(listing, told["id"])] if told else []
        if number % 8 == 0:
            ann.look(f"{BOARD}/{listing}/edit")
            bob.look(f"/report/items/{listing}")
    assert claimed
    bob.look(f"{BOARD}/claims")
    ann.look(f"{BOARD}/claims")
    ann.look("/notices")
    # What was typed comes back in fields and sentences.
    for number, text in enumerate(TEXTS[::2]):
        bob.look([f"{BOARD}?q=", f"{BOARD}?place=", "/search?q="][number % 3] + urllib.parse.quote(text[:300]))
        if number % 3 == 0 and (alert := bob.call("POST", f"{API}/alerts", {"q": text[:200]})):
            bob.look(f"{BOARD}/alerts/{alert['id']}")
    bob.look(f"{BOARD}/alerts")
    # A conversation of theirs, and what is said after a claim.
    listing, claim = claimed[0]
    greetings = ["".join(chunks(500))[:500], "Come by"]  # the first may have more marks on a letter than any text has
    accepted = next(filter(None, (ann.call("POST", f"{API}/claims/{claim}/acceptance", {"greeting": text}) for text in greetings)), None)
    assert accepted is not None
    for text in answers:
        bob.call("POST", f"{API}/{listing}/messages", {"text": text[:1500]})
    ann.look("/messages")
    ann.look(hub.url + ann.page.locator("main a[href*='/messages/']").first.get_attribute("href"))
    assert ann.page.locator(".thread > li").count() > 1
    # Reported, decided, taken back, with reasons of that kind.
    reported = bob.call("POST", f"/api/hub/v1/items/{made[1]}/reports", {"reason": "spam", "text": answers[0][:1000]})
    assert reported, "the report was refused"
    owner = Looker(hub, "owner", hub.owner(width=360, height=740))
    owner.look("/moderation/reports")
    owner.look(f"/moderation/cases/{reported['id']}")
    owner.page.select_option("[name=what]", "warning")
    fill(owner.page, why=answers[1][:1000])
    with owner.page.expect_navigation():
        owner.page.get_by_role("button", name="Decide", exact=True).click()
    owner.judge()
    for path in [f"/moderation/items/{made[2]}", "/moderation/log", "/moderation/people", "/moderation/cases"]:
        owner.look(path)
    for path in ["/settings/standing", "/notices", f"{BOARD}/{made[1]}", f"{BOARD}/{made[3]}/withdrawal"]:
        ann.look(path)
    fill(ann.page, reason=answers[2][:500])
    press(ann.page, "Take back")
    ann.judge()
    ann.page.check("#sure")
    press(ann.page, "Take back")
    ann.look(f"{BOARD}/{made[3]}")
    bob.look(f"{BOARD}/{made[3]}")
    found = ann.wrong + bob.wrong + owner.wrong
    assert not found, "\n".join([f"{len(found)} findings"] + sorted(set(found))[:60])
    return f"{len(TEXTS)} texts, {len(made)} listings, {ann.count + bob.count + owner.count} pages"
