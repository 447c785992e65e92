"""Every page: what axe finds, how it is made, how wide it gets, how heavy it is and how fast it shows (hub.md 10, 11, 13)."""

import glob
import json
import os
import re

from axe_playwright_python.base import AXE_SCRIPT

import harness
import listings
import readers

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], "resultTypes": ["violations"]}
VISITORS = ["/", "/public", "/signup", "/signin", "/signout", "/reset", "/confirm", "/@ann", "/@ann/followers", "/@ann/following",
            "/c/{clip}", "/search", "/search?q=ann", "/tags/chirp", "/record", "/frame", "/about", "/help", "/nothing-here",
            "/lost-and-found", "/lost-and-found?q=cat&place=London", "/lost-and-found?place=Londno", "/lost-and-found/categories",
            "/lost-and-found/category/pets", "/lost-and-found/by/ann", "/lost-and-found/{listing}", "/lost-and-found/{gone}",
            "/challenges", "/challenges?feed=local", "/challenges?feed=popular&q=clap&place=Londno", "/challenges?feed=events", "/challenges/map",
            "/challenges/introduction/1", "/challenges/introduction/3", "/challenges/by/ann", "/challenges/{rule}", "/challenges/{rule}/attempts",
            "/beats", "/beats?kind=open&q=rain&from=80&to=120&key=9&price=free&tag=dark&sort=liked", "/beats/by/ann"]
MEMBERS = ["/", "/record", "/live", "/replay", "/frame", "/messages", "/notices", "/search?q=first", "/bookmarks", "/@ann", "/c/{clip}",
           "/settings", "/settings/profile", "/settings/account", "/settings/account/passkeys", "/settings/sessions", "/settings/tokens", "/settings/notices", "/settings/push",
           "/settings/privacy", "/settings/export", "/settings/delete", "/settings/frames", "/settings/offline",
           "/lost-and-found?place=London", "/lost-and-found/{listing}", "/lost-and-found/{listing}/message", "/lost-and-found/{seen}/claim",
           "/lost-and-found/{own}", "/lost-and-found/{own}/edit", "/lost-and-found/{own}/closure", "/lost-and-found/{own}/renewal",
           "/lost-and-found/{own}/withdrawal", "/lost-and-found/{own}/claims", "/lost-and-found/{own}/matches", "/lost-and-found/new",
           "/lost-and-found/mine", "/lost-and-found/saved", "/lost-and-found/viewed", "/lost-and-found/claims", "/lost-and-found/alerts",
           "/lost-and-found/alerts/new", "/lost-and-found/alerts/{alert}", "/lost-and-found/alerts/{alert}/edit", "/report/items/{listing}",
           "/report/people/ann", "/messages/{thread}", "/settings/standing",
           "/challenges?feed=local&place=London&within=20", "/challenges/introduction", "/challenges/new", "/challenges/new?template=fastest",
           "/challenges/mine", "/challenges/set", "/challenges/saved", "/challenges/watched", "/challenges/{rule}", "/challenges/{rule}/edit",
           "/challenges/{rule}/rule", "/challenges/{rule}/try", "/challenges/{rule}/closure", "/challenges/{rule}/withdrawal",
           "/beats", "/beats/role", "/beats/new", "/beats/mine", "/beats/archive", "/beats/bids", "/beats/requests", "/beats/connections",
           "/beats/connections/ann"]
OWNER = ["/moderation/reports", "/moderation/cases", "/moderation/people", "/moderation/domains", "/moderation/log",
         "/moderation/registration", "/moderation/boards", "/moderation/usage", "/moderation/cases/{case}", "/moderation/cases/{decided}",
         "/moderation/items/{doubtful}", "/moderation/addresses", "/moderation/queue",
         "/challenges/queue", "/challenges/{rule}/merger", "/challenges/{rule}/verifiers"]
# What these paths are answered with instead of 200.
ANSWERS = {"/nothing-here": 404, "/lost-and-found/{gone}": 410}
# Forms that are sent as they are come back with what is missing.
EMPTY = ["/lost-and-found/new", "/lost-and-found/{seen}/claim", "/lost-and-found/{listing}/message", "/lost-and-found/alerts/new",
         "/lost-and-found/{own}/withdrawal", "/report/items/{listing}", "/settings/account"]


def scene(hub):
    """Ann, who has published; Bob, who follows her; the owner; and what was lost and found. Windows by name, and ids of things."""
    if hasattr(hub, "scene"):
        return hub.scene
    ann = hub.sign_up("ann")
    clip = hub.publish("ann", os.path.join(harness.ROOT, "Samples/hello.wav"), "My first clip #Morning").rsplit("/", 1)[-1]
    bob = hub.sign_up("bob")
    hub.follow(bob, "ann")
    owner = hub.owner()
    carol = hub.sign_up("carol")
    things = {"clip": clip} | listings.furnish(hub, ann, bob, carol) | listings.judged(hub, ann, bob, carol, owner)
    status, rule = hub.api(bob, "POST", "/api/hub/v1/challenges", {
        "template": "mostInAMinute", "category": "skill", "title": "Claps in a minute", "text": "With both hands.\nNo drum.",
        "invalid": "One hand", "at": "51.5074,-0.1278", "precision": "near", "key": "claps"})
    assert status == 201, rule
    things |= {"rule": rule["id"]}
    status, role = hub.api(bob, "PUT", "/api/hub/v1/beats/role", {"roles": ["producer", "artist"]})
    assert status == 200, role
    for page in [ann, carol]:
        page.context.close()
    hub.scene = things | {"things": things, "bob": bob, "owner": owner}
    return hub.scene


def paths(hub):
    for kind, _, path in named_paths(hub):
        yield kind, path


def named_paths(hub):
    """Each page: who sees it, its path with names for things, and with their ids."""
    things = scene(hub)["things"]
    for kind, found in [("visitor", VISITORS), ("bob", MEMBERS), ("owner", OWNER)]:
        for path in found:
            yield kind, re.sub(r"\{(\w+)\}", r"\1", path), path.format_map(things)


def state(hub, kind):
    return None if kind == "visitor" else scene(hub)[kind].context.storage_state()


def test_a_form_that_comes_back_says_what_was_wrong_to_everybody(hub):
    """The focus is on what was wrong, each field says its own, and axe finds nothing, wide and dark as narrow and light."""
    wrong = []
    for options in [dict(color_scheme="dark", width=1280), dict(color_scheme="light", width=320)]:
        page = hub.window(storage_state=state(hub, "bob"), **options)
        for path in EMPTY:
            page.goto(hub.url + path.format_map(scene(hub)["things"]))
            with page.expect_navigation():
                page.evaluate("() => { const form = document.querySelector('main form:has(button.main)'); form.noValidate = true; form.querySelector('button.main').click(); }")
            if not page.evaluate("document.activeElement.closest('[role=alert], [autofocus]') !== null"):
                wrong.append(f"{path}: the focus is not on what was wrong")
            page.evaluate(AXE_SCRIPT)
            for rule in page.evaluate(f"axe.run({json.dumps(RULES)})")["violations"]:
                wrong.append(f"{path}: {rule['id']} at {[node['target'] for node in rule['nodes']][:3]}")
            wrong += readers.reading(page)
            if page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") > 0:
                wrong.append(f"{path}: wider than the window")
        page.context.close()
    assert not wrong, "\n".join([f"{len(wrong)} findings"] + wrong)


def test_every_page_has_one_of_each_and_large_controls(hub):
    wrong = []
    windows = {}
    for kind, path in paths(hub):
        page = windows.setdefault(kind, None) or hub.window(storage_state=state(hub, kind), width=360)
        windows[kind] = page
        page.complaints.clear()
        answer = page.goto(hub.url + path, wait_until="load")
        expected = next((status for pattern, status in ANSWERS.items() if pattern.format_map(scene(hub)["things"]) == path), 200)
        if answer.status != expected:
            wrong.append(f"{kind} {path}: {answer.status}")
            continue
        for what in ["main", "h1", "[role=status]", "[role=alert]"]:
            found = page.locator(what).count()
            if found != 1:
                wrong.append(f"{kind} {path}: {found} times {what}")
        if path != "/frame" and page.locator("footer a[href$='/help']").count() != 1:
            wrong.append(f"{kind} {path}: no way to the help")
        small = page.evaluate("""() => [...document.querySelectorAll("button, input:not([type=hidden]), select, summary, a.main")]
            .filter((item) => item.offsetParent !== null)
            .filter((item) => { const box = (item.closest("label") ?? item).getBoundingClientRect(); return box.height < 43.5; })
            .map((item) => `${item.tagName} ${item.name || item.textContent.trim().slice(0, 20)}`)""")
        if small:
            wrong.append(f"{kind} {path}: lower than 44 px: {small}")
        complaints = [text for text in page.complaints if expected == 200]
        if complaints:
            wrong.append(f"{kind} {path}: the browser complains: {complaints}")
    assert not wrong, "\n".join([f"{len(wrong)} findings"] + wrong)


def test_every_page_is_in_german_for_those_who_ask_for_it(hub):
    words = {}
    for language in ["en", "de"]:
        words[language] = {}
        # Each module has words of its own.
        for path in glob.glob(os.path.join(harness.ROOT, f"Sources/*/Resources/{language}.words")):
            lines = [line.split(" = ", 1) for line in open(path, encoding="utf-8") if " = " in line and not line.startswith("#")]
            words[language] |= {key: text.strip() for key, text in lines}
    # Texts of some length without anything filled in: found on a German page they are left in English.
    telling = {text for key, text in words["en"].items() if len(text) > 12 and "{" not in text and words["de"].get(key) != text}
    wrong = []
    windows = {}
    for kind, path in paths(hub):
        if kind not in windows:
            windows[kind] = hub.window(storage_state=state(hub, kind), locale="de-DE")
        page = windows[kind]
        page.goto(hub.url + path)
        if page.locator("html").get_attribute("lang") != "de":
            wrong.append(f"{path}: not in German")
        text = page.locator("body").inner_text()
        lines = {line.strip() for line in text.splitlines()}
        left = telling & lines
        if left:
            wrong.append(f"{kind} {path}: left in English: {sorted(left)}")
    assert not wrong, "\n".join(wrong)


def test_first_view_weight_and_shift(hub):
    """First contentful paint with a warm server and a cold cache, what came over the wire, and how much the page moved."""
    worst = {"fcp": (0, ""), "lcp": (0, ""), "cls": (0, ""), "weight": (0, "")}
    wrong = []
    for kind, path in paths(hub):
        best = None
        # Figures are the better of two: the machine does other things too.
        for _ in range(2 if os.environ.get("CHIRP_FIGURES") else 1):
            page = hub.window(storage_state=state(hub, kind), width=360, height=740)
            wire = page.context.new_cdp_session(page)
            wire.send("Network.enable")
            wire.send("Network.setCacheDisabled", {"cacheDisabled": True})
            # Sound is no part of a view, whether a player fetches it or a script does once the page has settled.
            weight, sounds = [0], set()
            wire.on("Network.responseReceived", lambda event: sounds.add(event["requestId"])
                if event["type"] == "Media" or event["response"]["mimeType"].startswith("audio/") else None)
            wire.on("Network.loadingFinished", lambda event: weight.__setitem__(
                0, weight[0] + (0 if event["requestId"] in sounds else event["encodedDataLength"])))
            page.add_init_script("""
                window.seen = { lcp: 0, cls: 0 };
                new PerformanceObserver((list) => { for (const entry of list.getEntries()) seen.lcp = entry.startTime; })
                    .observe({ type: "largest-contentful-paint", buffered: true });
                new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.cls += entry.value; })
                    .observe({ type: "layout-shift", buffered: true });
            """)
            page.goto(hub.url + path, wait_until="load")
            page.wait_for_timeout(150)
            told = page.evaluate("""() => ({ fcp: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
                lcp: seen.lcp, cls: seen.cls })""")
            told["weight"] = weight[0]
            if best is None or told["fcp"] < best["fcp"]:
                best = told
            page.context.close()
        for name, value in best.items():
            if value > worst[name][0]:
                worst[name] = (value, f"{kind} {path}")
        if best["weight"] > 150_000 or best["cls"] > 0.1:
            wrong.append(f"{kind} {path}: {best}")
        if best["fcp"] > 200:
            wrong.append(f"{kind} {path}: first view {best['fcp']:.0f} ms") if os.environ.get("CHIRP_FIGURES") else None
    assert not wrong, "\n".join(wrong)
    return "; ".join(f"{name} at most {value:.3g} ({where})" for name, (value, where) in worst.items())
