"""Trying a challenge and verifying an attempt by keyboard alone: the focus shows and is never lost, and each page on the way is told to a
screen reader in the order of reading (boards.md 5.1 point 14; OU-3, OU-4)."""

import readers
from board import patient
from by_keys import Walker
from harness import until
from readers import Keys
from records import room, state

TITLE = "The longest whistle"


def tries(ann, sound):
    """From the board to an attempt that was handed in."""
    ann.follow("Challenges")
    ann.wrong += readers.reading(ann.page)
    ann.follow("Skip")
    ann.follow(TITLE)
    ann.wrong += readers.reading(ann.page)
    ann.round()
    ann.follow("Try it")
    ann.wrong += readers.reading(ann.page)
    ann.round()
    with room(sound):
        ann.to("Record sound")
        ann.press("Enter")
        # Whoever tries something has no time to look for the button.
        until(lambda: ann.page.wait_for_timeout(20) or ann.focus()["name"] == "Stop", 20, what="the button for the end")
        until(lambda: ann.page.wait_for_timeout(20) or "." in ann.page.locator("[data-count]").inner_text(), 20, what="the long tone")
        ann.page.wait_for_timeout(1500)
        ann.press("Enter")
        ann.page.locator("[data-review] audio").wait_for()
        until(lambda: ann.page.wait_for_timeout(20) or ann.page.evaluate("document.activeElement.matches('[data-review] audio')"), what="the focus on what was recorded")
    ann.to("Ends at")
    before = float(ann.page.input_value("#trim-to"))
    ann.press("ArrowLeft", "ArrowLeft")
    assert float(ann.page.input_value("#trim-to")) < before
    assert "seconds" in ann.page.locator("#trim-to").get_attribute("aria-valuetext")
    ann.press("ArrowRight", "ArrowRight")
    # Too much is told, and the focus is where it is mended.
    ann.fill("score", "900")
    ann.press("Enter")
    until(lambda: ann.page.wait_for_timeout(20) or ann.focus()["field"] == "score", 60, what="the focus on what was wrong")
    ann.says("Nothing above")
    ann.press("Control+A")
    ann.write("1.50")
    with ann.page.expect_navigation(timeout=60_000):
        ann.press("Enter")
    assert "/challenges/attempts/" in ann.page.url
    state(ann.page, "waiting")
    ann.wrong += readers.reading(ann.page)
    ann.round()


def verifies(judge):
    judge.follow("Challenges")
    if judge.page.url.endswith("/introduction"):
        judge.follow("Skip")
    judge.follow("Verify")
    judge.wrong += readers.reading(judge.page)
    judge.round()
    judge.follow(starting="1.50 s by")
    judge.round()
    # What is folded opens by keys.
    judge.to("It does not count")
    judge.press("Enter")
    assert judge.page.locator("details[open]").count() == 1
    judge.press("Space")
    assert judge.page.locator("details[open]").count() == 0
    judge.to("It counts", is_back=True)
    judge.go()
    assert judge.page.locator("article.attempt-verified").count() == 1


def test_trying_and_verifying_by_keyboard_alone(own_hub, sound):
    hub = own_hub
    sue = hub.sign_up("sue", patient(hub.window()))
    sue.goto(f"{hub.url}/challenges/mine")
    status, rule = hub.api(sue, "POST", "/api/hub/v1/challenges", {
        "template": "longestNote", "category": "sound", "title": TITLE, "text": "One note, one breath.", "key": "whistle"})
    assert status == 201, rule
    ann = Walker(hub, "ann")
    ann.page.context.grant_permissions(["microphone"])
    ann.signs_up()
    tries(ann, sound)
    judge = Keys(patient(hub.owner()))
    verifies(judge)
    ann.follow("Notices")
    ann.shows("Your attempt counts")
    found = sorted(set(ann.wrong + judge.wrong))
    assert not found, "\n".join([f"{len(found)} findings"] + found)
    return f"{ann.presses + judge.presses} presses"
