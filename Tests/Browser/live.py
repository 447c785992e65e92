"""Going live: what is refused, reloads, tabs, clips that do not come, and what keys and lock screens are told (CH-8 to CH-12; hub.md 6, 11)."""

import harness
import two_people
from harness import press, until

# Keeps the loudspeakers of a page, what they have begun to play, and how many connections for events there were.
EARS = """
(() => {
  const Plain = window.Audio;
  const ears = (window.ears = { audios: [], begun: [], connections: 0 });
  window.Audio = function (...given) {
    const audio = new Plain(...given);
    ears.audios.push(audio);
    // Tones are shorter than every clip of these checks.
    audio.addEventListener("playing", () => audio.duration > 0.7 && ears.begun.push(audio.duration));
    return audio;
  };
  window.Audio.prototype = Plain.prototype;
  const Events = window.EventSource;
  window.EventSource = function (...given) {
    ears.connections += 1;
    return new Events(...given);
  };
  Object.assign(window.EventSource, { CONNECTING: 0, OPEN: 1, CLOSED: 2, prototype: Events.prototype });
})();
"""


def begun(page):
    """The lengths of clips that began to sound in a page, in whole seconds."""
    return page.evaluate("ears.begun.map(Math.round)")


def sounds(page):
    return page.evaluate("ears.audios.some((audio) => !audio.paused && !audio.ended)")


def position(page):
    return page.evaluate("Math.max(0, ...ears.audios.map((audio) => audio.currentTime))")


def waiting(page):
    return page.locator("[data-waiting]").inner_text()


class Scene:
    """Ann speaks; Bob follows her and listens."""

    def __init__(self, hub, folder):
        self.hub, self.folder, self.count = hub, folder, 0
        hub.sign_up("ann").context.close()
        self.bob = hub.window()
        self.prepare(self.bob)
        hub.sign_up("bob", self.bob)
        hub.follow(self.bob, "ann")
        # The command line is signed in before anything is measured.
        self.say(1)

    @staticmethod
    def prepare(page):
        page.add_init_script(harness.SPOKEN)
        page.add_init_script(EARS)

    def say(self, seconds, words="Hear this"):
        self.count += 1
        path = f"{self.folder}/{self.count}.wav"
        harness.chirps(path, seconds, self.count)
        self.hub.publish("ann", path, words)

    def listen(self):
        two_people.start_listening(self.hub, self.bob, ["ann"])

    def tab(self):
        page = self.bob.context.new_page()
        page.set_default_timeout(15_000)
        harness.watch(page)
        self.prepare(page)
        page.goto(f"{self.hub.url}/live")
        return page


def test_who_follows_nobody_is_told_how_that_changes(hub):
    page = hub.sign_up("eve")
    page.goto(f"{hub.url}/live")
    page.get_by_role("heading", name="You follow nobody yet", exact=True).wait_for()
    assert page.get_by_role("button", name="Start listening", exact=True).count() == 0
    page.get_by_role("link", name="Find people", exact=True).click()
    page.wait_for_url("**/search")


def test_what_is_wrong_is_said_beside_the_field_and_in_a_summary_with_the_focus(hub):
    hub.sign_up("kim").context.close()
    page = hub.sign_up("lea")
    hub.follow(page, "kim")
    page.goto(f"{hub.url}/live")
    start = page.get_by_role("button", name="Start listening", exact=True)
    summary = page.get_by_role("alert")
    start.click()
    until(lambda: "Choose at least one account" in summary.inner_text(), what="the reason")
    assert "Choose at least one account" in page.locator("#accounts-problem").inner_text()
    assert summary.evaluate("(item) => item === document.activeElement")
    page.get_by_role("checkbox", name="@kim", exact=True).check()
    for wrong in ["soon", "25h", "0m"]:
        page.get_by_label("Duration").fill(wrong)
        start.click()
        until(lambda: page.locator("#for-problem").inner_text(), what=f"the reason for {wrong}")
        assert page.get_by_label("Duration").get_attribute("aria-invalid") == "true"
        assert summary.evaluate("(item) => item === document.activeElement")
        page.get_by_label("Duration").fill("")
    start.click()
    until(lambda: "10m or 2h" in page.locator("#for-problem").inner_text(), what="the reason for nothing")
    page.get_by_label("From").fill("14:00")
    start.click()
    until(lambda: page.locator("#ends-problem").inner_text(), what="the reason for half a frame")


def test_names_are_found_chosen_and_turned_over(hub):
    page = hub.window(width=360, height=480)
    handles = [f"mia{number}" for number in range(4)]
    for handle in handles:
        hub.sign_up(handle).context.close()
    hub.sign_up("noa", page)
    for handle in reversed(handles):
        hub.follow(page, handle)
    page.goto(f"{hub.url}/live")
    rows = page.locator("[data-people] > li")
    until(lambda: rows.locator("visible=true").count() == 3, what="as many as fit")
    assert rows.locator("label").all_inner_texts()[:3] == ["@mia0", "@mia1", "@mia2"]
    assert min(row.bounding_box()["height"] for row in rows.all()[:3]) >= 44
    page.get_by_role("button", name="More", exact=True).click()
    assert rows.locator("visible=true").locator("label").all_inner_texts() == ["@mia3"]
    page.get_by_label("Search accounts").fill("MIA2")
    assert rows.locator("visible=true").locator("label").all_inner_texts() == ["@mia2"]
    page.get_by_label("Search accounts").fill("")
    page.get_by_role("button", name="Select all", exact=True).click()
    assert page.locator("[name=account]:checked").count() == 4
    page.get_by_role("button", name="Select none", exact=True).click()
    assert page.locator("[name=account]:checked").count() == 0
    others = [button.bounding_box()["height"] for button in page.get_by_role("button").all() if button.inner_text() != "Start listening"]
    assert page.get_by_role("button", name="Start listening", exact=True).bounding_box()["height"] > max(others)


def test_clips_are_told_once_in_order_with_what_waits(own_hub, folder):
    scene = Scene(own_hub, folder)
    scene.listen()
    bob = scene.bob
    scene.say(6, "The first of three")
    until(lambda: begun(bob) == [6], what="the first clip")
    assert bob.locator("[data-now] [data-name]").inner_text() == "ann"
    assert "The first of three" in bob.locator("[data-now] [data-words]").inner_text()
    # A level that moves.
    levels = set()
    for _ in range(10):
        levels.add(bob.evaluate("document.querySelector('[data-level] span').style.transform"))
        bob.wait_for_timeout(100)
    assert len(levels) > 2, levels
    told = bob.evaluate("[navigator.mediaSession.metadata.artist, navigator.mediaSession.metadata.title, navigator.mediaSession.metadata.artwork.length]")
    assert told == ["ann", "The first of three", 1], told
    bob.get_by_role("button", name="Pause", exact=True).click()
    until(lambda: not sounds(bob), what="the pause")
    scene.say(1)
    scene.say(2)
    until(lambda: waiting(bob) == "2 waiting", what="the queue")
    bob.get_by_role("button", name="Resume", exact=True).click()
    until(lambda: sounds(bob), what="going on")
    bob.get_by_role("button", name="Skip", exact=True).click()
    until(lambda: begun(bob)[-2:] == [1, 2], what="the others")
    until(lambda: not sounds(bob), what="the end")
    bob.wait_for_timeout(1000)
    told = harness.spoken(bob)
    assert told == ["ann, 6 seconds", "ann, 1 second, 1 waiting", "ann, 2 seconds"], told
    # Each has a control of its own.
    last = bob.locator("[data-clips] > li").first
    last.get_by_role("button", name="Replay", exact=True).click()
    until(lambda: begun(bob)[-1:] == [2] and sounds(bob), what="the replay")
    assert "kept until" in last.inner_text()
    assert harness.spoken(bob) == told, "what is heard again is no news"


def test_a_page_loaded_anew_goes_on_after_a_press(own_hub, folder):
    scene = Scene(own_hub, folder)
    scene.listen()
    bob = scene.bob
    scene.say(8)
    until(lambda: begun(bob) == [8] and position(bob) > 2, what="the clip")
    reached = position(bob)
    bob.reload()
    start = bob.get_by_role("button", name="Start listening", exact=True)
    start.wait_for()
    bob.wait_for_timeout(500)
    assert begun(bob) == []
    start.click()
    until(lambda: begun(bob) == [8], what="going on")
    assert reached - 0.5 < position(bob) < reached + 1.5, (reached, position(bob))
    assert not harness.spoken(bob), "it was told before"
    scene.say(1)
    until(lambda: begun(bob) == [8, 1], 15, what="the next")


def test_a_second_tab_is_silent_and_takes_over_when_asked(own_hub, folder):
    scene = Scene(own_hub, folder)
    scene.listen()
    bob = scene.bob
    other = scene.tab()
    here = other.get_by_role("button", name="Listen here", exact=True)
    here.wait_for()
    scene.say(8)
    until(lambda: begun(bob) == [8] and position(bob) > 1, what="the clip")
    until(lambda: other.locator("[data-now] [data-name]").inner_text() == "ann", what="the same on the other tab")
    assert begun(other) == []
    assert other.evaluate("ears.connections") + bob.evaluate("ears.connections") == 1
    here.click()
    until(lambda: begun(other) == [8], what="taking over")
    assert position(other) > 0.5
    until(lambda: not sounds(bob), what="silence in the first tab")
    bob.get_by_role("button", name="Listen here", exact=True).wait_for()
    # The tab with the connection goes; the other one takes that over too.
    bob.close()
    scene.say(1)
    until(lambda: begun(other) == [8, 1], 20, what="the next")


def test_a_clip_that_does_not_come_is_tried_again_then_said(own_hub, folder):
    scene = Scene(own_hub, folder)
    scene.listen()
    bob = scene.bob
    tries = []
    bob.context.route("**/media/*.mp3", lambda route: (tries.append(1), route.abort())[1] if not tries or len(tries) < 3 else route.continue_())
    scene.say(1)
    until(lambda: begun(bob) == [1], 15, what="a clip that came at last")
    assert len(tries) >= 3
    bob.context.unroute("**/media/*.mp3")
    bob.context.route("**/media/*.mp3", lambda route: route.abort())
    scene.say(2)
    until(lambda: any("was not played" in text for text in harness.spoken(bob)), 30, what="the reason")
    bob.context.unroute("**/media/*.mp3")
    scene.say(3)
    until(lambda: begun(bob) == [1, 3], 15, what="the next")


def test_accounts_and_time_change_while_live_and_it_ends(own_hub, folder):
    scene = Scene(own_hub, folder)
    scene.listen()
    bob = scene.bob
    before = bob.locator("[data-until]").inner_text()
    bob.get_by_role("button", name="Change accounts and time", exact=True).click()
    assert bob.get_by_role("checkbox", name="@ann", exact=True).is_checked()
    bob.get_by_label("Duration").fill("3h")
    bob.get_by_role("button", name="Save changes", exact=True).click()
    until(lambda: bob.locator("[data-until]").inner_text() != before, what="the new time")
    press(bob, "Stop listening")
    bob.get_by_role("button", name="Start listening", exact=True).wait_for()
    scene.say(1)
    bob.wait_for_timeout(1500)
    assert begun(bob) == []
