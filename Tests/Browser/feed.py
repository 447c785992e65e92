"""The lists of challenges: the next page is there before it is needed, also on a slow line, and silent previews play one at a time while they
are seen, never for whom motion is too much (boards.md 5.3 point 2; OU-2, OU-12)."""

import base64
import os
import subprocess
import time
import urllib.parse

import harness
from board import patient
from harness import until

BOARD = "/challenges"
API = "/api/hub/v1/challenges"
COUNT = 300 if os.environ.get("CHIRP_FIGURES") else 120

# Notes, whenever a page is asked for, which share of the list was above the lower edge of the window, and whenever the end of the list is
# seen while more is to come.
WATCH = """() => {
  window.asked = []; window.waits = 0;
  const list = document.querySelector("[data-feed]");
  const share = () => {
    const all = [...list.children];
    return all.filter((entry) => entry.getBoundingClientRect().bottom <= innerHeight).length / all.length;
  };
  const fetch = window.fetch;
  window.fetch = (...words) => { if (String(words[0]).includes("/challenges?")) asked.push(share()); return fetch(...words); };
  let isWaiting = false;
  const look = () => {
    const more = document.querySelector("a[data-next]");
    const isSeen = Boolean(more) && list.getBoundingClientRect().bottom <= innerHeight;
    if (isSeen && !isWaiting) waits += 1;
    isWaiting = isSeen;
    requestAnimationFrame(look);
  };
  look();
}"""


def furnish(hub, page, count):
    """Sets challenges as a program does."""
    page.goto(f"{hub.url}{BOARD}/mine")
    failed = page.evaluate(
        """async ([address, count, token]) => {
            let failed = null;
            for (let at = 0; at < count; at += 1) {
                const answer = await fetch(address, { method: "POST", headers: { "Content-Type": "application/json", "X-Chirp-Form": token },
                    body: JSON.stringify({ template: "mostInAMinute", category: "skill", title: `Claps, the ${at}th way`, text: "With both hands.", key: `k${at}` }) });
                if (!answer.ok) failed ??= `${answer.status} ${await answer.text()}`;
            }
            return failed;
        }""", [API, count, page.evaluate("JSON.parse(document.getElementById('facts').textContent).facts.token")])
    assert failed is None, failed


def test_the_next_page_is_there_before_it_is_needed_on_a_slow_line(own_hub):
    hub = own_hub
    ann = hub.sign_up("ann", patient(hub.window()))
    furnish(hub, ann, COUNT)
    page = patient(hub.window(width=360, height=740))
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": 40, "downloadThroughput": 3e6 / 8, "uploadThroughput": 1e6 / 8})
    page.goto(f"{hub.url}{BOARD}?feed=new")
    page.evaluate(WATCH)
    began = time.monotonic()

    # As somebody reads who is in a hurry: two entries a second or more.
    def read():
        page.mouse.wheel(0, 250)
        page.wait_for_timeout(60)
        return page.locator("[data-feed] > *").count() >= COUNT and not page.locator("a[data-next]").count()

    page.mouse.move(180, 400)
    until(read, 60, what="the end of the list")
    took = time.monotonic() - began
    asked, waits = page.evaluate("[asked, waits]")
    titles = page.locator("[data-feed] h2").all_inner_texts()
    assert len(titles) == COUNT == len(set(titles)), (len(titles), len(set(titles)))
    assert asked and max(asked) < 2 / 3, asked
    assert waits == 0, f"{waits} waits"
    return f"{len(asked)} pages asked for when at most {max(asked):.0%} was read; no wait; {COUNT / took:.0f} entries a second"


def film(hub, page, path):
    """Hands in a film, and gives its id when it can be seen."""
    subprocess.run(
        ["ffmpeg", "-loglevel", "error", "-y", "-f", "lavfi", "-i", "testsrc=size=320x240:rate=15", "-f", "lavfi", "-i", "sine=440", "-t", "5",
         "-pix_fmt", "yuv420p", path], check=True)
    body = open(path, "rb").read()
    token = page.evaluate("JSON.parse(document.getElementById('facts').textContent).facts.token")
    common = {"Tus-Resumable": "1.0.0", "X-Chirp-Form": token, "Origin": hub.url}
    metadata = ",".join(f"{name} {base64.b64encode(value.encode()).decode()}" for name, value in [
        ("use", "film"), ("filetype", "video/mp4"), ("filename", "film.mp4")])
    begun = page.request.post(f"{hub.url}/api/uploads", headers=common | {"Upload-Length": str(len(body)), "Upload-Metadata": metadata})
    assert begun.status == 201, begun.text()
    place = urllib.parse.urlsplit(begun.headers["location"]).path
    sent = page.request.patch(
        hub.url + place, data=body, headers=common | {"Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"})
    assert sent.status == 204, sent.text()
    name = place.rsplit("/", 1)[-1]
    until(lambda: page.request.get(f"{hub.url}/api/hub/v1/films/{name}").json().get("state") == "ready", 40, 0.3, "the film")
    return name


PLAYING = """() => [...document.querySelectorAll("[data-preview] video")].map((video) => {
    const box = video.parentElement.getBoundingClientRect();
    return [box.top < innerHeight && box.bottom > 0, video.muted];
})"""


def test_silent_previews_play_one_at_a_time_and_never_where_motion_is_too_much(own_hub, folder):
    hub = own_hub
    ann = hub.sign_up("ann", patient(hub.window()))
    ann.goto(f"{hub.url}{BOARD}/mine")
    name = film(hub, ann, f"{folder}/film.mp4")
    judge = patient(hub.owner())
    for number in range(3):
        status, rule = hub.api(ann, "POST", API, {
            "template": "mostInAMinute", "category": "skill", "title": f"Way {number}", "text": "With both hands.", "key": f"w{number}"})
        assert status == 201, rule
        if number:
            name = film(hub, ann, f"{folder}/film.mp4")
        status, attempt = hub.api(ann, "POST", f"{API}/{rule['id']}/attempts", {"version": 1, "score": "12", "film": name, "key": f"a{number}"})
        assert status in (200, 201, 202), attempt
        judge.goto(f"{hub.url}{BOARD}/attempts/{attempt['id']}")

        def waits():
            judge.reload()
            return judge.locator("article.attempt-waiting").count()

        until(waits, 30, 0.3, "the attempt's state")
        harness.press(judge, "It counts")
    page = patient(hub.window(width=360, height=740))
    page.goto(f"{hub.url}{BOARD}?feed=new")
    assert page.locator("[data-preview]").count() == 3
    page.locator("[data-preview]").first.scroll_into_view_if_needed()
    until(lambda: page.evaluate(PLAYING), what="a preview")
    seen = set()
    for _ in range(30):
        page.mouse.wheel(0, 60)
        page.wait_for_timeout(60)
        playing = page.evaluate(PLAYING)
        assert len(playing) <= 1 and all(is_seen and is_muted for is_seen, is_muted in playing), playing
        seen.add(page.evaluate("[...document.querySelectorAll('[data-preview]')].findIndex((one) => one.querySelector('video'))"))
    assert len(seen - {-1}) >= 2, seen
    calm = patient(hub.window(width=360, height=740, reduced_motion="reduce"))
    calm.goto(f"{hub.url}{BOARD}?feed=new")
    calm.locator("[data-preview]").first.scroll_into_view_if_needed()
    calm.wait_for_timeout(500)
    assert calm.evaluate(PLAYING) == []
    # And of the one who changes her mind it stops at once.
    page.emulate_media(reduced_motion="reduce")
    until(lambda: page.evaluate(PLAYING) == [], what="the end of the preview")
