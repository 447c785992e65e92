"""Every task by keyboard alone, and what those are told who do not look (hub.md 11, CH-13)."""

import re

import harness
import pages
from harness import until


def focused(page):
    """What has the focus: its role, and its name as it is read out."""
    return page.evaluate("""() => {
        const item = document.activeElement;
        const label = item.labels?.[0]?.textContent;
        return [item.tagName.toLowerCase(), (item.getAttribute("aria-label") ?? label ?? item.textContent ?? "").trim().replace(/\\s+/g, " "),
            item.name ?? "", item.type ?? ""];
    }""")


def tab_to(page, name=None, field=None, most=120):
    """Presses Tab until a control has the focus, by its name or the name of its field."""
    for _ in range(most):
        page.keyboard.press("Tab")
        tag, words, field_name, _ = focused(page)
        if field and field_name == field or name and words == name:
            return
    raise AssertionError(f"Tab does not lead to {name or field} at {page.url}")


def enter(page, field, text):
    tab_to(page, field=field)
    page.keyboard.press("Control+A")
    page.keyboard.type(text)


def test_speaking_and_listening_by_keyboard_alone(own_hub, sound, folder):
    hub = own_hub
    harness.chirps(f"{folder}/take.wav", 3)
    ann = hub.window(permissions=["microphone"])
    ann.add_init_script(harness.SPOKEN)
    ann.goto(f"{hub.url}/signup")
    for field, text in [("email", "ann@example.org"), ("username", "ann"), ("password", harness.PASSWORD)]:
        enter(ann, field, text)
    with ann.expect_navigation():
        ann.keyboard.press("Enter")
    ann.goto(hub.letter("ann", "/confirm"))
    tab_to(ann, "Confirm")
    ann.keyboard.press("Enter")
    ann.wait_for_url(re.compile("/record"))
    ann.goto(f"{hub.url}/record")

    ann.locator("[data-record]:enabled").wait_for()
    tab_to(ann, "Record")
    # The first is a link of the page's head, to this page.
    if ann.evaluate("document.activeElement.tagName") == "A":
        tab_to(ann, "Record")
    ann.keyboard.press("Enter")
    ann.get_by_role("button", name="Stop", exact=True).wait_for()
    sound.speak(f"{folder}/take.wav").wait()
    ann.keyboard.press("Enter")
    ann.get_by_role("button", name="Publish", exact=True).wait_for()
    # A machine that computes something else meanwhile may lose some of it, and says so.
    told = [text for text in harness.spoken(ann) if not text.endswith("seconds are missing: this device was too slow")]
    assert told[0] == "Recording starts after the tone", told
    assert re.fullmatch(r"\d+ seconds recorded. Play, trim, publish or delete", told[1]), told
    assert all(re.fullmatch(r"Uploaded (25|50|75) %", text) for text in told[2:]), told
    # The focus has gone to what comes next: nothing has to be looked for.
    assert ann.evaluate("document.activeElement.closest('[data-editor]') !== null")
    enter(ann, "title", "By keyboard")
    tab_to(ann, "Publish")
    ann.keyboard.press("Enter")
    ann.wait_for_url(re.compile("/c/"))

    bob = hub.sign_up("bob")
    bob.add_init_script(harness.SPOKEN)
    bob.goto(f"{hub.url}/@ann")
    tab_to(bob, "Follow")
    bob.keyboard.press("Enter")
    bob.get_by_role("button", name="Unfollow", exact=True).wait_for()
    bob.goto(f"{hub.url}/live")
    tab_to(bob, field=bob.get_by_role("checkbox", name="@ann").get_attribute("name"))
    bob.keyboard.press("Space")
    enter(bob, "for", "10m")
    tab_to(bob, "Start listening")
    bob.keyboard.press("Enter")
    bob.get_by_role("button", name="Stop listening", exact=True).wait_for()
    ann.goto(f"{hub.url}/settings/profile")
    hub.publish("ann", f"{folder}/take.wav", "Hear this")
    until(lambda: any(re.fullmatch(r"ann, \d seconds?(, \d waiting)?", text) for text in harness.spoken(bob)), what="the announcement")
    for name in ["Pause", "Skip"]:
        tab_to(bob, name)
    tab_to(bob, "Stop listening")
    bob.keyboard.press("Enter")
    bob.wait_for_timeout(500)
    assert not [text for text in harness.spoken(bob) if re.search(r"\d:\d\d|%", text)], harness.spoken(bob)


def test_letters_are_shortcuts_nowhere_but_in_the_player(hub):
    known = pages.scene(hub)
    page = known["bob"]
    for path in ["/", "/record", "/live", "/replay", "/messages", "/notices", "/@ann", f"/c/{known['clip']}"]:
        page.goto(hub.url + path)
        before = page.evaluate("[location.href, document.activeElement.tagName, [...document.querySelectorAll('audio')].map((audio) => [audio.paused, audio.muted])]")
        for letter in "abcdefghijklmnopqrstuvwxyz/?":
            page.keyboard.press(letter)
        after = page.evaluate("[location.href, document.activeElement.tagName, [...document.querySelectorAll('audio')].map((audio) => [audio.paused, audio.muted])]")
        assert before == after, path
    page.get_by_role("slider", name="Position").focus()
    page.keyboard.press("m")
    assert page.evaluate("document.querySelector('audio').muted")


def test_nothing_that_is_told_is_a_clock(hub):
    """Live regions are the two of each page, and what changes by itself is in neither."""
    known = pages.scene(hub)
    page = known["bob"]
    for path in ["/record", "/live", "/replay", f"/c/{known['clip']}"]:
        page.goto(hub.url + path)
        others = page.locator("[aria-live], [role=log], [role=timer], [role=marquee], output").evaluate_all("(items) => items.map((item) => item.outerHTML.slice(0, 80))")
        assert not others, (path, others)
