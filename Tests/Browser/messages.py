"""Messages come in by themselves while a page of them is open (hub.md 3, 11)."""

import re

import harness
import two_people
from harness import fill, press, until


def write(hub, page, name, words):
    """Writes to somebody; gives the conversation's address."""
    page.goto(f"{hub.url}/messages")
    fill(page, to=f"@{name}", text=words)
    press(page, "Send")
    return page.url.split("#")[0]


def shown(page):
    """The messages of the conversation that is open, as they are read."""
    return [text.strip() for text in page.locator(".thread > li .words").all_inner_texts()]


def told(page):
    return [text for text in harness.spoken(page) if not text.startswith("Uploaded")]


def test_a_message_in_words_and_one_by_voice_come_in_by_themselves(own_hub, sound, folder):
    hub = own_hub
    harness.chirps(f"{folder}/said.wav", 3)
    ann = hub.sign_up("ann", hub.window(permissions=["microphone"]))
    wire = harness.Wire()
    bob = hub.window(hub.browser(arguments=wire.arguments))
    bob.add_init_script(harness.SPOKEN)
    hub.sign_up("bob", bob)

    # The list: the first conversation of all, then a newer message of the same.
    bob.goto(f"{hub.url}/messages")
    bob.fill("[name=text]", "Half a tho")
    thread = write(hub, ann, "bob", "The first")
    until(lambda: "The first" in bob.locator("[data-messages]").inner_text(), what="the conversation in the list")
    write(hub, ann, "bob", "The second")
    until(lambda: "2 new" in bob.locator("[data-messages]").inner_text(), what="the second in the list")
    assert bob.locator("[data-messages] li").count() == 1
    assert bob.input_value("[name=text]") == "Half a tho"
    assert told(bob) == ["New message from ann (@ann): The first", "New message from ann (@ann): The second"], told(bob)

    # The conversation, while something is being written.
    bob.goto(thread)
    bob.locator("[data-read]").wait_for(state="hidden")
    bob.focus("[name=text]")
    bob.keyboard.type("I am still wri")
    write(hub, ann, "bob", "Are you <b>there</b>?")
    until(lambda: shown(bob) == ["The first", "The second", "Are you <b>there</b>?"], what="the message")
    assert bob.evaluate("document.activeElement.name") == "text"
    bob.keyboard.type("ting")
    assert bob.input_value("[name=text]") == "I am still writing"
    until(lambda: told(bob), what="its announcement")
    assert told(bob) == ["New message from ann: Are you <b>there</b>?"], told(bob)
    # It was looked at, so it was read.
    until(lambda: hub.api(bob, "GET", "/api/hub/v1/threads")[1]["threads"][0]["unread"] == 0, what="having read it")

    # One by voice, with its player.
    ann.goto(f"{hub.url}/record?to=@bob")
    two_people.take(ann, sound, f"{folder}/said.wav")
    two_people.publish(ann, "Listen to this")
    player = bob.locator(".thread > li").nth(3).locator("audio")
    player.wait_for(state="attached")
    until(lambda: len(told(bob)) == 2, what="its announcement")
    assert told(bob)[1].startswith("New message from ann: Clip, Listen to this · 0:0"), told(bob)
    player.evaluate("audio => { audio.muted = true; return audio.play(); }")
    until(lambda: player.evaluate("audio => audio.currentTime > 0.2"), what="sound")
    when = bob.locator(".thread > li time").last
    assert when.get_attribute("title") == when.get_attribute("datetime")

    # A cut connection: nothing is missed, nothing comes twice, and what is playing goes on.
    wire.cut()
    until(lambda: "Connection lost, trying again" in told(bob), 20, what="the loss")
    write(hub, ann, "bob", "While you were away")
    write(hub, ann, "bob", "And another")
    wire.mend()
    until(lambda: shown(bob)[-2:] == ["While you were away", "And another"], 30, what="what was missed")
    until(lambda: len(told(bob)) == 6, what="the announcements")
    assert told(bob)[2:] == [
        "Connection lost, trying again", "Connected, nothing missed", "New message from ann: While you were away",
        "New message from ann: And another"], told(bob)
    assert bob.locator(".thread > li").count() == 6
    assert bob.input_value("[name=text]") == "I am still writing"

    # One that is taken back goes; one's own, from another tab, comes and is not told.
    write(hub, ann, "bob", "A slip")
    until(lambda: shown(bob)[-1] == "A slip", what="the slip")
    ann.goto(thread)
    ann.locator(".thread > li").last.get_by_role("link", name="Delete").click()
    press(ann, "Delete")
    until(lambda: bob.locator(".thread > li").count() == 6, what="the end of a message")
    other = bob.context.new_page()
    other.set_default_timeout(15_000)
    other.goto(thread)
    fill(other, text="From my other tab")
    press(other, "Send")
    until(lambda: shown(bob)[-1] == "From my other tab", what="one's own message")
    assert len(told(bob)) == 7, told(bob)
    # The second tab has no connection of its own, and shows what comes all the same.
    write(hub, ann, "bob", "To both")
    for page in [bob, other]:
        until(lambda: shown(page)[-1] == "To both", what="a message in both tabs")
    assert not [line for line in bob.complaints if not re.search("ERR_|Failed to load resource", line)], bob.complaints
