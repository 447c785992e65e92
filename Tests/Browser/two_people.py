"""Ann speaks and Bob listens, each in a browser, from signing up to leaving (CH-3 to CH-12, CH-24; hub.md 5, 6, 13)."""

import os
import re

import harness
from harness import fill, press, until


class Acts:
    """What a person does, counted: each press and each form."""

    def __init__(self, page):
        self.page, self.list = page, []

    def did(self, what):
        self.list.append(what)

    def press(self, name):
        press(self.page, name)
        self.did(f"press {name}")

    @property
    def count(self):
        return len(self.list)


def first_clip(hub, name, sound, path, words):
    """Signs up and publishes what is spoken into the microphone; gives the window, the acts and the clip's address."""
    page = hub.window(permissions=["microphone"])
    page.add_init_script(harness.SPOKEN)
    acts = Acts(page)
    page.goto(f"{hub.url}/signup")
    acts.did("open Sign up")
    fill(page, email=f"{name}@example.org", username=name, password=harness.PASSWORD)
    acts.press("Sign up")
    page.goto(hub.letter(name, "/confirm"))
    acts.did("open the link in the letter")
    acts.press("Confirm")
    if "/record" not in page.url:
        hub.sign_in(name, page)
        acts.did("sign in")
        page.goto(f"{hub.url}/record")
        acts.did("open Record")
    take(page, sound, path, acts)
    publish(page, words, acts)
    return page, acts, page.url


def take(page, sound, path, acts=None):
    """Records a file that is played into the microphone."""
    page.get_by_role("button", name="Record", exact=True).click()
    if acts:
        acts.did("press Record")
    page.get_by_role("button", name="Stop", exact=True).wait_for()
    sound.speak(path).wait()
    page.wait_for_timeout(300)
    page.get_by_role("button", name="Stop", exact=True).click()
    if acts:
        acts.did("press Stop")
    page.get_by_role("button", name="Publish", exact=True).wait_for()


def publish(page, words, acts=None):
    page.fill("[name=title]", words)
    page.get_by_role("button", name="Publish", exact=True).click()
    if acts:
        acts.did("press Publish")
    page.wait_for_url(re.compile("/c/"))


def start_listening(hub, page, handles, duration="10m", acts=None):
    page.goto(f"{hub.url}/live")
    for handle in handles:
        page.get_by_role("checkbox", name=f"@{handle}").check()
        if acts:
            acts.did(f"choose @{handle}")
    page.fill("[name=for]", duration)
    page.get_by_role("button", name="Start listening", exact=True).click()
    if acts:
        acts.did("press Start listening")
    page.get_by_role("button", name="Stop listening", exact=True).wait_for()


def sound_of(hub, page, folder):
    """The clip of the page that is open: its file's samples, as another program decodes them."""
    path = f"{folder}/{page.url.rsplit('/', 1)[-1]}.mp3"
    with open(path, "wb") as file:
        file.write(page.request.get(f"{hub.url}/media/{page.url.rsplit('/', 1)[-1]}.mp3").body())
    return harness.decoded(path, folder)


def test_two_people_from_signing_up_to_leaving(own_hub, sound, folder):
    hub = own_hub
    said = {name: harness.chirps(f"{folder}/{name}.wav", 5, seed) for seed, name in enumerate(["one", "two", "three"], 1)}
    ann, acts, _ = first_clip(hub, "ann", sound, f"{folder}/one.wav", "One")
    assert acts.count <= 7, acts.list
    alike = harness.likeness_by_pieces(sound_of(hub, ann, folder), said["one"])
    assert alike > 0.5, alike

    wire = harness.Wire()
    bob = hub.window(hub.browser(arguments=wire.arguments))
    bob.add_init_script(harness.SPOKEN)
    hub.sign_up("bob", bob)
    listening = Acts(bob)
    bob.goto(f"{hub.url}/@ann")
    listening.did("open Ann's page")
    listening.press("Follow")
    start_listening(hub, bob, ["ann"], acts=listening)
    assert listening.count <= 4, listening.list

    clips = {}

    def speak(name):
        ann.goto(f"{hub.url}/record")
        take(ann, sound, f"{folder}/{name}.wav")
        publish(ann, name)
        # The silence at both ends is like any other.
        clips[name] = sound_of(hub, ann, folder)[harness.RATE // 2:4 * harness.RATE]

    with sound.listening() as heard:
        def count(start=0):
            # A loudspeaker that ran dry for a moment parts a clip in two, of which the longer one is alike; others are below 0.2.
            return [harness.times_heard(heard(start), clip, 0.4) for clip in clips.values()]

        speak("one")
        until(lambda: count() == [1], 20, 0.3, "hearing the first clip")
        first = heard()
        speak("two")
        until(lambda: count() == [1, 1], 20, 0.3, "hearing the second clip")

        wire.cut()
        speak("three")
        bob.wait_for_timeout(2000)
        assert count() == [1, 1, 0], count()
        wire.mend()
        until(lambda: count() == [1, 1, 1], 40, 0.3, "hearing the third clip")
        bob.wait_for_timeout(6000)
        assert count() == [1, 1, 1], count()
        told = harness.spoken(bob)
        assert told.count("Connection lost, trying again") == 1, told
        assert told.count("Connected, nothing missed") == 1, told
        # What was waiting is told after that nothing was missed.
        assert told[-1].startswith("ann, ") and told[-2] == "Connected, nothing missed", told

        before = len(heard())
        bob.get_by_role("button", name="Replay").first.click()
        until(lambda: sum(count(before)) == 1, 20, 0.3, "the replay")

    # As loud as the clip itself, decoded by another program.
    score, place = harness.likeness(first, clips["one"])
    here = first[int(place * harness.RATE):][:len(clips["one"])]
    difference = harness.loudness(here, folder) - harness.loudness(clips["one"], folder)
    assert abs(difference) < 0.5, difference

    press(bob, "Stop listening")
    bob.goto(f"{hub.url}/settings/delete")
    fill(bob, password=harness.PASSWORD)
    press(bob, "Delete account")
    bob.goto(f"{hub.url}/live")
    assert "/signin" in bob.url, bob.url
    assert bob.goto(f"{hub.url}/@bob").status in (404, 410)
    return (f"{acts.count} acts to the first clip, {listening.count} to listening; the microphone's sound in the clip {alike:.2f}, "
            f"the clip in the loudspeaker {score:.3f}, loudness {difference:+.2f} LU")
