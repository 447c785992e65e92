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


def soon(found, what):
    """Waits as long as a busy machine may take."""
    until(found, 40, what=what)


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
    soon(lambda: "The first" in bob.locator("[data-messages]").inner_text(), "the conversation in the list")
    write(hub, ann, "bob", "The second")
    soon(lambda: "2 new" in bob.locator("[data-messages]").inner_text(), "the second in the list")
    assert bob.locator("[data-messages] li").count() == 1
    assert bob.input_value("[name=text]") == "Half a tho"
    soon(lambda: len(told(bob)) == 2, "both announcements")
    assert told(bob) == ["New message from ann (@ann): The first", "New message from ann (@ann): The second"], told(bob)

    # The conversation, while something is being written.
    bob.goto(thread)
    bob.locator("[data-read]").wait_for(state="hidden")
    bob.focus("[name=text]")
    bob.keyboard.type("I am still wri")
    write(hub, ann, "bob", "Are you <b>there</b>?")
    soon(lambda: shown(bob) == ["The first", "The second", "Are you <b>there</b>?"], "the message")
    assert bob.evaluate("document.activeElement.name") == "text"
    bob.keyboard.type("ting")
    assert bob.input_value("[name=text]") == "I am still writing"
    soon(lambda: told(bob), "its announcement")
    assert told(bob) == ["New message from ann: Are you <b>there</b>?"], told(bob)
    # It was looked at, so it was read.
    soon(lambda: hub.api(bob, "GET", "/api/hub/v1/threads")[1]["threads"][0]["unread"] == 0, "having read it")

    # One by voice, with its player.
    ann.goto(f"{hub.url}/record?to=@bob")
    two_people.take(ann, sound, f"{folder}/said.wav")
    two_people.publish(ann, "Listen to this")
    player = bob.locator(".thread > li").nth(3).locator("audio")
    player.wait_for(state="attached")
    soon(lambda: len(told(bob)) == 2, "its announcement")
    assert told(bob)[1].startswith("New message from ann: Clip, Listen to this · 0:0"), told(bob)
    player.evaluate("audio => { audio.muted = true; return audio.play(); }")
    soon(lambda: player.evaluate("audio => audio.currentTime > 0.2"), "sound")
    when = bob.locator(".thread > li time").last
    assert when.get_attribute("title") == when.get_attribute("datetime")

    # A cut connection: nothing is missed, nothing comes twice, and what is playing goes on.
    wire.cut()
    soon(lambda: "Connection lost, trying again" in told(bob), "the loss")
    write(hub, ann, "bob", "While you were away")
    write(hub, ann, "bob", "And another")
    wire.mend()
    soon(lambda: shown(bob)[-2:] == ["While you were away", "And another"], "what was missed")
    soon(lambda: len(told(bob)) == 6, "the announcements")
    assert told(bob)[2:] == [
        "Connection lost, trying again", "Connected, nothing missed", "New message from ann: While you were away",
        "New message from ann: And another"], told(bob)
    assert bob.locator(".thread > li").count() == 6
    assert bob.input_value("[name=text]") == "I am still writing"

    # One that is taken back goes; one's own, from another tab, comes and is not told.
    write(hub, ann, "bob", "A slip")
    soon(lambda: shown(bob)[-1] == "A slip", "the slip")
    ann.goto(thread)
    ann.locator(".thread > li").last.get_by_role("link", name="Delete").click()
    press(ann, "Delete")
    soon(lambda: bob.locator(".thread > li").count() == 6, "the end of a message")
    other = bob.context.new_page()
    other.set_default_timeout(15_000)
    other.goto(thread)
    fill(other, text="From my other tab")
    press(other, "Send")
    soon(lambda: shown(bob)[-1] == "From my other tab", "one's own message")
    assert len(told(bob)) == 7, told(bob)
    # The second tab has no connection of its own, and shows what comes all the same.
    write(hub, ann, "bob", "To both")
    for page in [bob, other]:
        soon(lambda: shown(page)[-1] == "To both", "a message in both tabs")
    assert not [line for line in bob.complaints if not re.search("ERR_|Failed to load resource", line)], bob.complaints
