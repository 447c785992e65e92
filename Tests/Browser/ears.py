"""Honest ears on the board of beats: two people send tracks, the page of one goes over to the other's at the same bar and as loud, by a button and by
a key, and a recording that was sent before is told of (boards.md 3.1, 5.2 points 7 and 9; AR-4, AR-10)."""

import io
import wave

import numpy

from harness import fill, press, until

RATE = 44_100
SECONDS = 24


def beat(tempo, first, level, seed):
    """Drums and a bass at a tempo, as the bytes of a WAV. The first beat is `first` seconds in."""
    dice = numpy.random.default_rng(seed)
    samples = numpy.zeros(SECONDS * RATE)
    for number in range(int((SECONDS - first) * tempo / 30)):
        at = int((first + number * 30 / tempo) * RATE)
        length = min(RATE // 8, len(samples) - at)
        time = numpy.arange(length) / RATE
        if number % 2 == 0:
            kick = numpy.sin(2 * numpy.pi * 55 * time) * numpy.exp(-time * 20)
            samples[at:at + length] += kick + 0.3 * dice.standard_normal(length) * numpy.exp(-time * 90)
        else:
            samples[at:at + length] += 0.15 * dice.standard_normal(length) * numpy.exp(-time * 60)
        tone = 110 * 2 ** (dice.integers(0, 12) / 12)
        samples[at:at + length] += 0.2 * numpy.sin(2 * numpy.pi * tone * time)
    samples = (level * samples / abs(samples).max() * 32_000).astype("<i2")
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.tobytes())
    return out.getvalue()


def offers(hub, page, title, sound):
    """Offers a beat, and gives the address of its page once it was listened to."""
    page.goto(f"{hub.url}/beats/new")
    page.set_input_files("#track", {"name": f"{title}.wav", "mimeType": "audio/wav", "buffer": sound})
    until(lambda: page.locator("[name=master]").count(), 30, what="the recording is sent")
    fill(page, title=title)
    page.locator("[name=price][value=free]").check()
    page.locator("[data-beat-form] button.main").click()
    page.wait_for_url(lambda address: address.rstrip("/").split("/")[-1] not in ("new", "beats"))
    address = page.url

    def heard():
        page.goto(address)
        return page.locator(".beat-heard").count()

    until(heard, 60, 0.5, f"{title} is listened to")
    return address


def producer(hub, name):
    page = hub.sign_up(name)
    page.goto(f"{hub.url}/beats/role")
    page.locator("[name=role][value=producer]").check()
    page.locator("main form button.main").first.click()
    return page


def test_the_sound_goes_over_at_the_same_bar_and_as_loud(hub):
    pia, rob = producer(hub, "pia"), producer(hub, "rob")
    slow = offers(hub, pia, "Slow", beat(100, 0.4, 0.9, 1))
    fast = offers(hub, rob, "Fast", beat(104, 0.1, 0.2, 2))
    page = pia
    page.goto(slow)
    button = page.locator("[data-beat-ears]").first
    button.wait_for()
    numbers = page.evaluate(
        """async ([own, other]) => (await fetch(`/api/hub/v1/beats/${own}/ears/${other}`)).json()""",
        [slow.split("/")[-1], fast.split("/")[-1]])
    own, other = "[data-player] audio", "[data-beat-like] audio"
    page.evaluate("async (own) => { const it = document.querySelector(own); it.muted = true; await it.play(); }", own)
    until(lambda: page.evaluate("(own) => document.querySelector(own).currentTime > 6.3", own), 20, what="it plays")
    worst = 0
    for turn, act in enumerate([button.click, lambda: page.keyboard.press("b"), lambda: page.keyboard.press("b")]):
        here, there = (own, other) if turn % 2 == 0 else (other, own)
        page.evaluate(
            """(there) => document.querySelector(there).addEventListener("seeked", (event) => { window.placed = event.target.currentTime; },
               { once: true })""", there)
        act()
        until(lambda: page.evaluate("([here, there]) => document.querySelector(here).paused && !document.querySelector(there).paused",
                                    [here, there]), 15, what=f"turn {turn}: the other one plays")
        left, placed = page.evaluate("(here) => [document.querySelector(here).currentTime, window.placed]", here)
        pieces = numbers["there" if turn % 2 == 0 else "back"]
        piece = [piece for piece in pieces if piece[0] <= left][-1]
        worst = max(worst, abs(placed - piece[1] - (left - piece[0]) * piece[2]))
        assert "same bar" in page.locator("[role=status]").inner_text()
        page.wait_for_timeout(700)
    assert worst < 0.010, worst
    # Both are as loud as the softer one: what was measured after decoding, times the volume.
    loudness = [page.evaluate("(path) => fetch(path).then((answer) => answer.json()).then(({ facts }) => facts.previewLoudness)",
                              f"/api/hub/v1/beats/{address.split('/')[-1]}") for address in [slow, fast]]
    gains = [numbers["ownGain"], numbers["otherGain"]]
    heard = [level + 20 * numpy.log10(gain) for level, gain in zip(loudness, gains)]
    assert abs(heard[0] - heard[1]) < 0.3, heard
    # The same recording again, from somebody else.
    copy = offers(hub, rob, "Copy", beat(100, 0.4, 0.5, 1))
    rob.goto(copy)
    text = rob.locator("[aria-labelledby=twins]").inner_text()
    assert "The same recording as Slow by pia" in text, text
    pia.goto(slow)
    assert "sent again" in pia.locator("[aria-labelledby=twins]").inner_text()
    rob.goto(f"{copy}/publication")
    rob.locator("main button.main").click()
    assert hub.window().goto(copy).status == 200
    return f"placed within {worst * 1000:.1f} ms; previews of {loudness[0]:.2f} and {loudness[1]:.2f} LUFS"
