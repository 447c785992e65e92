"""The frame: from the welcome to one person's updates, for days, and gone without a trace (UF-1 to UF-20)."""

import io
import os
import re
import shutil
import sqlite3
import statistics
import time

import numpy
from PIL import Image

import harness
from harness import press, until

# What the box showed, and its opacity at every picture the browser drew.
RECORDER = """
(() => {
  window.shown = [];
  window.fades = [];
  const look = () => {
    const box = document.querySelector(".box");
    if (box && !box.hidden) {
      const text = box.textContent;
      const last = window.fades.at(-1);
      const opacity = Number(getComputedStyle(box).opacity);
      if (!last || last.text !== text || last.isOver) {
        window.fades.push({ text, samples: [], border: getComputedStyle(box).borderTopWidth });
        window.shown.push(text);
      }
      if (window.fades.length < 8) window.fades.at(-1).samples.push([performance.now(), opacity]);
    } else if (window.fades.length) window.fades.at(-1).isOver = true;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();
"""


def post(hub, page, text, **more):
    """Posts words as the person of a page."""
    status, told = hub.api(page, "POST", "/api/v1/statuses", {"status": text, **more})
    assert status == 200, told
    return told


def people(hub):
    """Ann, who writes, with a page that can call the API; and Bob, who follows her and others."""
    ann = hub.sign_up("ann")
    for name in ["carol", "dave"]:
        hub.sign_up(name).context.close()
    bob = hub.sign_up("bob")
    for name in ["dave", "ann", "carol"]:
        hub.follow(bob, name)
    ann.goto(f"{hub.url}/settings/profile")
    return ann, bob


def set_up(hub, page, friend="ann"):
    """From the welcome to the person."""
    page.goto(f"{hub.url}/frame")
    page.get_by_role("button", name="Get started", exact=True).click()
    page.get_by_role("button", name="This hub", exact=True).click()
    names = page.get_by_role("button", name=re.compile("^@"))
    page.wait_for_function("() => document.querySelector('.friends button') && !document.querySelector('.friends button').disabled")
    listed = [item.get_attribute("aria-label") for item in names.all()]
    assert listed == sorted(listed), listed
    page.get_by_role("button", name=f"@{friend}", exact=True).click()
    page.locator(".box").wait_for(state="attached")


def test_from_the_welcome_to_updates_in_order_with_fades_of_the_table(own_hub, sound, folder):
    hub = own_hub
    ann, bob = people(hub)
    page = hub.window(storage_state=bob.context.storage_state())
    page.add_init_script(RECORDER)
    page.goto(f"{hub.url}/frame")
    started = page.evaluate("performance.now()")
    assert started < 2000, started
    set_up(hub, page)
    post(hub, ann, "One")
    until(lambda: "One" in page.evaluate("shown"), 10, what="the first update")
    page.wait_for_timeout(4500)
    (samples,) = [fade["samples"] for fade in page.evaluate("fades") if fade["text"] == "One"]
    begin = samples[0][0]
    full = next(when for when, opacity in samples if opacity > 0.995)
    leaves = next(when for when, opacity in samples if when > full and opacity < 0.995)
    frames = [later[0] - earlier[0] for earlier, later in zip(samples, samples[1:])]
    # A moment is known to one picture; on a busy machine some pictures are late.
    frame = statistics.median(frames)
    tolerance = 17 + max(17, *frames)
    assert abs(full - begin - 500) <= tolerance, (full - begin, frame)
    assert abs(leaves - full - 2000) <= tolerance, leaves - full
    assert abs(samples[-1][0] - leaves - 500) <= tolerance, samples[-1][0] - leaves

    # Fifty at once, in order, each once; quicker than in life, so that the check ends, and without a quiet hour.
    quick = {"fadeIn": 20, "stay": 30, "fadeOut": 20, "gap": 10, "quietFrom": "00:00", "quietTo": "00:00"}
    hub.api(page, "PUT", "/api/hub/v1/frame", {"style": quick})
    for number in range(50):
        post(hub, ann, f"Number {number}")
    until(lambda: len(page.evaluate("shown")) >= 51, 60, 0.2, "fifty updates")
    assert page.evaluate("shown") == ["One"] + [f"Number {number}" for number in range(50)]

    # A message has a thicker border.
    plain = float(page.evaluate("fades[0].border").removesuffix("px"))
    post(hub, ann, "@bob for you alone", visibility="direct")
    until(lambda: any("for you alone" in text for text in page.evaluate("shown")), 10, what="the message")
    thick = [fade["border"] for fade in page.evaluate("fades.map(({text, border}) => ({text, border}))") if "for you alone" in fade["text"]]
    assert float(thick[0].removesuffix("px")) > 2 * plain, (plain, thick)

    # A clip is heard, and its box stays until it ends.
    said = harness.chirps(f"{folder}/said.wav", 3, 7)
    with sound.listening() as heard:
        hub.publish("ann", f"{folder}/said.wav", "Listen to this")
        until(lambda: harness.times_heard(heard(), said) == 1, 20, 0.3, "hearing the clip")

    # A reload shows nothing again.
    page.reload()
    page.locator(".box").wait_for(state="attached")
    page.wait_for_timeout(1500)
    assert page.evaluate("shown") == [], page.evaluate("shown")
    return f"fade in {full - begin:.0f} ms, stay {leaves - full:.0f} ms, out {samples[-1][0] - leaves:.0f} ms; a frame {frame:.1f} ms"


def spoken(samples):
    """Where the first sound of a recording is and how long it goes on, in seconds, and how loud it is meanwhile."""
    window = harness.RATE // 50
    pieces = samples[:len(samples) // window * window].reshape(-1, window)
    levels = numpy.sqrt((pieces.astype(float) ** 2).mean(axis=1))
    loud = numpy.flatnonzero(levels > 0.01)
    if not len(loud):
        return None
    level = numpy.sqrt((levels[loud] ** 2).mean())
    return loud[0] / 50, (loud[-1] - loud[0] + 1) / 50, level


def test_words_are_read_aloud_at_the_loudspeaker(own_hub, sound):
    """By espeak-ng, as fast as the style says; what is silent before is silence."""
    if not shutil.which("espeak-ng"):
        return "left out: there is no espeak-ng here"
    hub = own_hub
    words = "The harbour is calm this morning, and the boats go out one after another"
    told = []
    # From the beginning: a sound server that nobody listens to ends.
    with sound.listening() as heard:
        ann, bob = people(hub)
        page = hub.window(storage_state=bob.context.storage_state())
        page.add_init_script(RECORDER)
        set_up(hub, page)
        for number, rate in enumerate([1, 1.5], 1):
            # No hour is a quiet one.
            style = {"spoken": True, "quietFrom": "00:00", "quietTo": "00:00", "rate": rate}
            status, frame = hub.api(page, "PUT", "/api/hub/v1/frame", {"style": style})
            assert status == 200 and frame["style"]["rate"] == rate, frame
            time.sleep(0.5)
            begin = len(heard())
            assert spoken(heard(begin - harness.RATE // 2)) is None, "something sounds before anything is posted"
            post(hub, ann, words)
            # It sounds, and then it is over: the box goes when everything was said.
            until(lambda: len(page.evaluate("shown")) == number, 20, what="the box")
            until(lambda: page.evaluate("fades.at(-1).isOver === true"), 40, what="the end of the box")
            time.sleep(0.3)
            found = spoken(heard(begin))
            assert found, "nothing was heard"
            told.append(found)
    (start, usual, level), (_, quick, _) = told
    # Thirteen words and a name: between half a second and a fifth of a second each.
    assert 2.8 < usual < 7, usual
    # As loud as clips are: about a tenth of full scale.
    assert 0.02 < level < 0.4, level
    assert 0.55 < quick / usual < 0.8, (usual, quick)
    return f"heard {start:.1f} s after it was posted, for {usual:.1f} s at {20 * numpy.log10(level):.0f} dB; at 1.5 times for {quick:.1f} s"


def test_another_photo_with_a_crop_and_signing_out_leaves_nothing(own_hub, folder):
    hub = own_hub
    ann, bob = people(hub)
    page = hub.window(storage_state=bob.context.storage_state(), permissions=["camera"])
    set_up(hub, page)
    # The hub reads JPEG and PNG alone: of this the browser makes one.
    picture = f"{folder}/photo.webp"
    Image.effect_noise((1200, 900), 60).convert("RGB").save(picture)
    page.get_by_role("button", name="Settings", exact=True).click()
    # Whoever cares for the frame switches answering on, and nobody here.
    switches = page.get_by_role("dialog").get_by_role("checkbox")
    assert switches.count() == 3 and not any("voice" in name for name in page.get_by_role("dialog").locator(".choice").all_inner_texts())
    page.get_by_role("button", name="New photo", exact=True).click()
    page.locator("input[type=file]").set_input_files(picture)
    zoom = page.get_by_role("slider", name="Zoom")
    zoom.wait_for()
    before = page.locator(".area img").bounding_box()["width"]
    zoom.focus()
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    wide = page.locator(".area img").bounding_box()["width"]
    assert wide > 1.5 * before, (before, wide)
    page.locator(".area").focus()
    left = page.locator(".area img").bounding_box()["x"]
    page.keyboard.press("ArrowRight")
    assert page.locator(".area img").bounding_box()["x"] > left
    page.get_by_role("button", name="Use", exact=True).click()
    until(lambda: (page.locator(".photo").get_attribute("src") or "").endswith("/photo") or "/photo?" in (page.locator(".photo").get_attribute("src") or ""),
          what="the new photo")
    # The crop follows the photo.
    until(lambda: "The photo was changed" in (page.locator("[data-status]").text_content() or ""), what="the crop")
    page.reload()
    page.locator(".photo").wait_for()
    page.wait_for_function("() => document.querySelector('.photo').naturalWidth > 0")
    assert page.evaluate("document.querySelector('.photo').offsetWidth > 1.5 * innerWidth")

    page.get_by_role("button", name="Settings", exact=True).click()
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.get_by_role("button", name="Get started", exact=True).wait_for()
    kept = [cookie["name"] for cookie in page.context.cookies() if "frame" in cookie["name"]]
    assert not kept, kept
    left = page.evaluate("""async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage },
        await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map((key) => key.url)))])""")
    assert "ann" not in left and "/frame" not in left.replace("/assets/", ""), left
    assert "ann" not in page.locator("body").inner_text()


def test_a_link_begins_a_frame_by_a_press_and_not_by_itself(own_hub):
    hub = own_hub
    link = hub.run("frame", "--print").stdout.strip()
    page = hub.window()
    # The address is the public one, of which this hub is told nothing.
    page.goto(f"{hub.url}/frame/{link.partition('/frame/')[2]}")
    assert not [cookie for cookie in page.context.cookies() if "frame" in cookie["name"]], page.context.cookies()
    page.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_url(f"{hub.url}/frame")
    assert [cookie for cookie in page.context.cookies() if "frame" in cookie["name"]]
    page.locator("#facts").wait_for(state="attached")
    assert '"step":"friends"' in page.content()


def test_a_caretaker_pairs_a_frame_changes_it_and_ends_it(own_hub):
    hub = own_hub
    ann, bob = people(hub)
    device = hub.window()
    device.goto(f"{hub.url}/frame")
    device.get_by_role("button", name="Get started", exact=True).click()
    device.get_by_role("button", name="Use a code instead").click()
    code = device.locator(".code").inner_text()
    bob.goto(f"{hub.url}/settings/frames")
    bob.locator("[name=code]").fill(code)
    bob.get_by_role("button", name="Add frame", exact=True).click()
    device.wait_for_function("() => document.querySelector('.friends button') && !document.querySelector('.friends button').disabled")
    device.get_by_role("button", name="@ann", exact=True).click()
    device.locator(".box").wait_for(state="attached")
    # The device may read and nothing else.
    for method, path in [("GET", "/api/v1/timelines/home"), ("POST", "/api/v1/statuses"), ("GET", "/api/v1/accounts/verify_credentials"), ("GET", "/api/v1/notifications")]:
        status, _ = hub.api(device, method, path, {} if method == "POST" else None)
        assert status in (401, 403, 404), (method, path, status)
    bob.goto(f"{hub.url}/settings/frames")
    bob.get_by_role("button", name="Sign out", exact=True).first.click()
    device.get_by_role("button", name="Get started", exact=True).wait_for()
    assert not [cookie for cookie in device.context.cookies() if "frame" in cookie["name"] and cookie["value"]]
