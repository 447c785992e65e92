"""The page Record, in a browser with a microphone that plays a file (hub.md 5, 11, 13).

Those who sign up have a name of their own in each test.
"""
import math
import os
import re
import signal
import struct
import subprocess
import tempfile
import time
import wave

CHROMIUM = "/usr/bin/chromium"
MICROPHONE = [
    "--no-sandbox", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
    "--use-file-for-fake-audio-capture={}",
]

# What is told by the page's two places, and when the microphone was asked for, in order.
WATCH = """
window.told = [];
addEventListener("DOMContentLoaded", () => {
  for (const place of document.querySelectorAll("[role=status], [role=alert]")) {
    new MutationObserver(() => told.push([place.getAttribute("role"), place.textContent]))
      .observe(place, { childList: true, characterData: true, subtree: true });
  }
});
const devices = navigator.mediaDevices;
const ask = devices?.getUserMedia.bind(devices);
if (devices) devices.getUserMedia = (wanted) => (told.push(["microphone", JSON.stringify(wanted.audio)]), ask(wanted));
"""


def sound(seconds=20, level=8000):
    """A file with a tone."""
    path = os.path.join(tempfile.mkdtemp(), "tone.wav")
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(48000)
        second = [int(level * math.sin(2 * math.pi * 440 * index / 48000)) for index in range(48000)]
        file.writeframes(struct.pack("<48000h", *second) * seconds)
    return path


def window(hub, person=None, level=8000):
    """A browser whose microphone plays a tone, in which somebody has signed up, or nobody."""
    page = hub.window(hub.browser(fake_microphone=sound(level=level)))
    if person:
        hub.sign_up(person, page)
    return page


def opened(hub, person, level=8000, script=""):
    """The page Record."""
    page = window(hub, person, level)
    page.add_init_script(WATCH + script)
    page.goto(hub.url + "/record")
    return page


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def record(page, seconds):
    button(page, "Record").click()
    button(page, "Stop").wait_for()
    page.wait_for_timeout(seconds * 1000)
    button(page, "Stop").click()
    page.locator("[data-editor] h2").wait_for()


def told(page, role):
    return [text for place, text in page.evaluate("told") if place == role and text.strip()]


def cause(hub, script, *words, press=True, level=8000):
    """What is said when the microphone does not work, within 5 s."""
    page = opened(hub, None, level, script)
    if press:
        button(page, "Record").click()
    place = page.locator("[data-cause]")
    for word in words:
        page.wait_for_function("word => document.querySelector('[data-cause]').innerText.includes(word)", arg=word, timeout=5000 if not level == 0 else 8000)
        assert word in page.get_by_role("alert").text_content(), place.inner_text()
    return page


def refusing(name):
    return f'navigator.mediaDevices.getUserMedia = async () => {{ throw new DOMException("x", "{name}"); }};'


def test_what_is_said_while_recording(hub):
    page = opened(hub, "rita")
    record(page, 3)
    log = page.evaluate("told")
    kinds = [(role, text) for role, text in log if text.strip()]
    assert kinds[0] == ("status", "Recording starts after the tone"), log
    assert kinds[1][0] == "microphone" and '"echoCancellation":false' in kinds[1][1], log
    made = [text for text in told(page, "status") if "recorded" in text]
    # A busy machine loses some of the made sound.
    assert re.fullmatch(r"[2-4] seconds recorded\. Play, trim, publish or delete", made[0]), made
    # Nothing between the tone and the end.
    assert len(told(page, "status")) == 2, log
    assert page.evaluate("document.activeElement.textContent") == made[0]


def test_causes_have_their_cures(hub):
    cause(hub, "Object.defineProperty(window, 'isSecureContext', { value: false });", "https", press=False)
    cause(hub, refusing("NotAllowedError"), "allow")
    cause(hub, refusing("NotFoundError"), "No microphone", "connect")
    cause(hub, refusing("NotReadableError"), "in use by another program", "close")


def test_presses_and_errors_are_counted_without_a_person(hub):
    page = window(hub)
    counted = []
    page.on("request", lambda request: counted.append(request.post_data) if request.url.endswith("/count") else None)
    page.add_init_script(refusing("NotFoundError"))
    page.goto(hub.url + "/record")
    with page.expect_response(lambda answer: "error.record" in (answer.request.post_data or "")) as told:
        button(page, "Record").click()
    assert told.value.status == 204
    assert counted == [f'{{"name":"{name}"}}' for name in ("screen.record", "press.record.record", "error.record.microphone")], counted


def test_a_flat_signal_is_said(hub):
    page = cause(hub, "", "silent", "muted", level=0)
    button(page, "Stop").click()
    page.locator("[data-editor] h2").wait_for()


def test_noise_is_reduced_on_wish(hub):
    page = opened(hub, None)
    page.get_by_label("Reduce noise and echo").check()
    record(page, 1)
    assert '"noiseSuppression":true' in told(page, "microphone")[0]


# Whether a recording was locked when it came into the list. The question stands behind what the page has asked for before.
LOCKED = """
window.locked = [];
const put = IDBObjectStore.prototype.put;
IDBObjectStore.prototype.put = function (facts) {
  navigator.locks.query().then(({ held }) => locked.push(held.some((lock) => lock.name === `take-${facts.id}`)));
  return put.call(this, facts);
};
"""

# The first worker is none.
BROKEN = """
const Real = Worker;
let count = 0;
window.Worker = class extends Real {
  constructor(address, options) {
    super(count++ === 0 ? "/nothing.js" : address, options);
  }
};
"""


def test_a_recording_is_its_tabs_before_another_can_find_it(hub):
    page = opened(hub, None, script=LOCKED)
    record(page, 0.5)
    page.wait_for_function("() => locked.length > 0")
    assert all(page.evaluate("locked")), page.evaluate("locked")


def test_a_worker_that_did_not_come_is_asked_for_again(hub):
    page = opened(hub, None, script=BROKEN)
    record(page, 0.5)
    button(page, "Record").click()
    button(page, "Stop").wait_for(timeout=5000)
    button(page, "Stop").click()


CONTEXTS = """
window.contexts = [];
const Made = AudioContext;
window.AudioContext = class extends Made {
  constructor(...options) {
    super(...options);
    contexts.push(this);
  }
};
AudioWorklet.prototype.addModule = async () => { throw new Error("no such file"); };
"""


def test_a_microphone_that_fails_leaves_nothing_open(hub):
    page = opened(hub, None, script=CONTEXTS)
    for _ in range(2):
        button(page, "Record").click()
        page.wait_for_function("() => document.querySelector('[data-cause]').innerText.includes('no such file')")
        page.locator("[data-record]:not([aria-busy])").wait_for()
    page.wait_for_function("() => contexts.length === 2 && contexts.every((context) => context.state === 'closed')", timeout=5000)


def test_trimming_by_keys_and_numbers(hub):
    page = opened(hub, None)
    record(page, 4)
    begin, end = page.get_by_label("Begins at", exact=True), page.get_by_label("Ends at", exact=True)
    begin.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("PageUp")
    assert page.input_value("[name=from]") == "1.1"
    assert begin.get_attribute("aria-valuetext") == "1.1 seconds"
    page.keyboard.press("Home")
    assert page.input_value("[name=from]") == "0.0"
    page.fill("[name=to]", "2.5")
    page.keyboard.press("Tab")
    assert end.input_value() == "2.5"
    # The ends do not pass each other.
    page.fill("[name=from]", "9")
    page.keyboard.press("Tab")
    assert page.input_value("[name=from]") == "2.4"
    box = page.locator("[data-wave] canvas").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 1, box["y"] + 20)
    page.mouse.up()
    # As far as the recording goes, which on a busy machine may be less than the seconds waited.
    assert float(page.input_value("[name=to]")) > float(end.get_attribute("max")) - 0.1
    page.evaluate("""() => {
      window.played = [];
      const play = HTMLMediaElement.prototype.play;
      HTMLMediaElement.prototype.play = function () { played.push(this); return play.call(this); };
    }""")
    page.fill("[name=from]", "1")
    page.fill("[name=to]", "2")
    page.keyboard.press("Tab")
    button(page, "Play").click()
    page.wait_for_function("() => played.length > 0 && played[0].duration > 0")
    assert abs(page.evaluate("played[0].duration") - 1) < 0.02


def test_deleting_asks(hub):
    page = opened(hub, "dora")
    record(page, 2)
    button(page, "Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Keep").click()
    assert page.locator("[data-editor]").is_visible()
    button(page, "Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.locator("[data-editor]").wait_for(state="hidden")
    # The editor goes at once; that the recording has gone is said.
    page.wait_for_function("() => told.some(([, text]) => text.includes('The recording is deleted'))")
    page.reload()
    page.wait_for_timeout(500)
    assert not page.locator("[data-found]").is_visible()


def test_a_visitor_keeps_the_recording_and_is_told_to_sign_in(hub):
    page = opened(hub, None)
    record(page, 2)
    # However long a busy machine took over it.
    length = re.match(r"\d+ seconds? recorded", page.locator("[data-editor] h2").inner_text())[0]
    button(page, "Publish").click()
    assert "Sign in" in page.locator("[data-trouble]").inner_text()
    page.reload()
    button(page, "Open recording").click()
    page.locator("[data-editor] h2", has_text=length).wait_for()


def test_publishing_leads_to_the_clip(hub):
    page = opened(hub, "petra")
    record(page, 3)
    page.fill("[name=title]", "My first clip")
    said = []
    page.expose_function("heard", lambda text: said.append(text))
    page.evaluate("new MutationObserver(() => heard(document.querySelector('[role=status]').textContent)).observe(document.querySelector('[role=status]'), { childList: true })")
    button(page, "Publish").click()
    page.wait_for_url(re.compile(r"/c/[^/]+$"), timeout=35000)
    assert said[-1] == "Published", said


def test_what_is_left_is_counted_as_the_network_counts(hub):
    page = opened(hub, "lena")
    record(page, 1)
    left = lambda: int(re.match(r"-?\d+", page.locator("[data-remaining=hub]").inner_text())[0])
    empty = left()
    page.fill("[name=text]", "four")
    # And the space before the tag.
    assert left() == empty - 5
    page.fill("[name=text]", "👨‍👩‍👧‍👦")
    assert left() == empty - 2
    page.fill("[name=text]", "x" * (empty + 5))
    button(page, "Publish").click()
    assert "too many" in page.locator("[data-trouble]").inner_text()
    assert page.evaluate("document.activeElement.name") == "text"


def test_what_was_published_without_a_network_goes_out_later_once(hub):
    page = opened(hub, "olga")
    record(page, 2)
    page.context.set_offline(True)
    button(page, "Publish").click()
    page.wait_for_function("() => document.querySelector('[data-progress]').innerText.includes('No connection')")
    asked = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/publication") else None)
    page.context.set_offline(False)
    page.wait_for_url(re.compile(r"/c/[^/]+$"), timeout=35000)
    assert len(set(asked)) == 1, asked


def test_an_upload_goes_on_after_cuts_and_sends_no_byte_twice(hub):
    page = opened(hub, "cora")
    sent, answered = [], []
    page.on("request", lambda request: request.method == "PATCH" and sent.append(
        (int(request.headers["upload-offset"]), len(request.post_data_buffer or b""))))
    page.on("response", lambda answer: answer.request.method == "PATCH" and answered.append(int(answer.headers["upload-offset"])))
    button(page, "Record").click()
    button(page, "Stop").wait_for()
    for _ in range(3):
        page.wait_for_timeout(1500)
        page.context.set_offline(True)
        page.wait_for_timeout(700)
        page.context.set_offline(False)
    button(page, "Stop").click()
    page.wait_for_function("() => document.querySelector('[data-progress]').innerText === 'Sent'", timeout=30000)
    assert answered == sorted(answered), answered
    # A chunk begins where the server had got to.
    assert all(start in [0] + answered for start, _ in sent), (sent, answered)


class KilledBrowser:
    """A browser of its own that can be killed as a power cut does it."""

    def __init__(self, hub, folder, cookies, microphone):
        arguments = [argument.format(microphone) for argument in MICROPHONE]
        self.process = subprocess.Popen(
            [CHROMIUM, "--headless=new", "--remote-debugging-port=0", f"--user-data-dir={folder}", "--no-first-run", *arguments, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        told = os.path.join(folder, "DevToolsActivePort")
        for _ in range(200):
            if os.path.exists(told) and open(told).read().strip():
                break
            time.sleep(0.05)
        port = open(told).read().split()[0]
        self.browser = hub.player.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
        self.context = self.browser.contexts[0]
        self.context.add_cookies(cookies)
        os.remove(told)

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def test_a_killed_browser_offers_what_was_said(hub):
    microphone = sound()
    cookies = hub.sign_up("kim", hub.window()).context.cookies()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        first = KilledBrowser(hub, folder, cookies, microphone)
        page = first.context.new_page()
        page.goto(hub.url + "/record")
        button(page, "Record").click()
        button(page, "Stop").wait_for()
        page.wait_for_timeout(6000)
        minutes, seconds = page.locator("[data-clock]").inner_text().split(":")
        spoken = int(minutes) * 60 + int(seconds)
        first.kill()
        second = KilledBrowser(hub, folder, cookies, microphone)
        try:
            page = second.context.new_page()
            page.goto(hub.url + "/record")
            button(page, "Open recording").click()
            page.wait_for_function("() => Number(document.querySelector('[name=to]').value) > 0")
            kept = float(page.input_value("[name=to]"))
            assert spoken - 2 <= kept <= spoken + 2, (spoken, kept)
            # The upload goes on too.
            page.wait_for_function("() => document.querySelector('[data-progress]').innerText === 'Sent'", timeout=15000)
            button(page, "Delete").click()
            page.get_by_role("dialog").get_by_role("button", name="Delete").click()
            page.locator("[data-editor]").wait_for(state="hidden")
            return f"{spoken} s were said before the kill, {kept} s are kept"
        finally:
            second.kill()


def test_a_restarted_server_and_a_closed_tab_lose_nothing(own_hub):
    """The server is killed while somebody speaks, then the tab is closed: what was said is offered, and published."""
    hub = own_hub
    page = window(hub, "restarted")
    context = page.context
    page.goto(hub.url + "/record")
    button(page, "Record").click()
    button(page, "Stop").wait_for()
    page.wait_for_timeout(2500)
    hub.restart(signal.SIGKILL)
    page.wait_for_timeout(3500)
    page.close()
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.goto(hub.url + "/record")
    button(page, "Open recording").click()
    page.wait_for_function("() => Number(document.querySelector('[name=to]').value) > 0")
    kept = float(page.locator("[name=to]").input_value())
    assert kept > 4, kept
    page.fill("[name=title]", "After a restart")
    button(page, "Publish").click()
    page.wait_for_url(re.compile("/c/"), timeout=30_000)
    return f"6 s were said, {kept:.1f} s are kept and published"


def test_it_stops_by_itself_at_the_longest_clip(hub):
    page = window(hub)
    page.add_init_script(WATCH)

    def short(route):
        answer = route.fetch()
        route.fulfill(response=answer, body=re.sub(r'("longest":\s*)"\d+"', r'\1"3"', answer.text()))

    page.route("**/record", short)
    page.goto(hub.url + "/record")
    button(page, "Record").click()
    page.locator("[data-editor] h2").wait_for()
    assert "That is the longest clip there may be. 3 seconds recorded" in told(page, "status")[-1]


def test_a_narrow_page_is_not_wider_than_its_window(hub):
    page = opened(hub, None)
    page.set_viewport_size({"width": 320, "height": 700})
    record(page, 1)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    small = page.evaluate("""
        [...document.querySelectorAll("main button, main input:not([type=checkbox]), main select, main textarea, main label:has(input), main summary")]
          .filter((element) => element.checkVisibility() && Math.min(element.offsetWidth, element.offsetHeight) < 44)
          .map((element) => element.outerHTML)""")
    assert small == [], small
