"""What the checks in a real browser share: a hub, people with windows of their own, a sound server whose microphone and loudspeaker
are files, and the axe rules.

Everything is on 127.0.0.1, in a temporary folder, and ends with the checks.
"""

import contextlib
import glob
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
import wave

import numpy
import playwright.sync_api

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CHIRP = os.environ.get("CHIRP_PROGRAM", os.path.join(ROOT, ".build/installed/chirp"))
CHROMIUM = os.environ.get("CHIRP_CHROMIUM", "/usr/bin/chromium")
# Names of places, which each new hub makes ready in some seconds of a processor. The first hub that has them lends them to those after it;
# one made from other files or by another version is made anew.
PLACES = os.path.join(ROOT, ".build/browser/places.sqlite")
PASSWORD = "correct horse battery"
RATE = 48_000


def free_port():
    """Letters and links have the port in them, so it must be known before."""
    while True:
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        # Browsers refuse some ports; none of them is this high.
        if port > 10_080:
            return port


def until(found, seconds=10, every=0.02, what="it"):
    """Waits for something to be true of a real program; gives what was found."""
    end = time.monotonic() + seconds
    while True:
        try:
            value = found()
        except playwright.sync_api.Error as error:
            # The page went on by itself while it was loaded anew.
            if "ERR_ABORTED" not in error.message and "Not attached to an active page" not in error.message:
                raise
            value = None
        if value:
            return value
        assert time.monotonic() < end, f"{what() if callable(what) else what} did not happen within {seconds} s"
        time.sleep(every)


class Sound:
    """A PulseAudio daemon of its own. `mouth` is what the microphone hears, `ears` the loudspeaker."""

    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)
        self.address = f"unix:{folder}/native"
        self.environment = {
            "PATH": "/usr/bin:/bin", "HOME": folder, "XDG_RUNTIME_DIR": folder, "PULSE_RUNTIME_PATH": f"{folder}/run",
            "PULSE_STATE_PATH": f"{folder}/state", "PULSE_SERVER": self.address,
        }
        sink = "module-null-sink sink_name={} norewinds=1 format=float32le rate=48000 channels=2"
        starting = {name: value for name, value in self.environment.items() if name != "PULSE_SERVER"}
        subprocess.run(
            ["pulseaudio", "-n", "-F", "/dev/null", "--daemonize=yes", "--use-pid-file=yes", "--exit-idle-time=600",
             "--high-priority=no", "--log-level=error", f"--log-target=newfile:{folder}/log",
             "-L", f"module-native-protocol-unix socket={folder}/native auth-anonymous=1",
             "-L", sink.format("mouth"), "-L", sink.format("ears"),
             # Browsers do not take the monitor of a loudspeaker for a microphone.
             "-L", "module-remap-source master=mouth.monitor source_name=microphone"],
            env=starting, check=True)
        for what, name in [("set-default-sink", "ears"), ("set-default-source", "microphone")]:
            subprocess.run(["pactl", what, name], env=self.environment, check=True)

    def speak(self, path):
        """Plays a WAV into the microphone; gives the running program."""
        return subprocess.Popen(["paplay", "--device=mouth", "--latency-msec=20", path], env=self.environment)

    @contextlib.contextmanager
    def listening(self):
        """Records the loudspeaker meanwhile; gives a function that returns what was heard so far, as mono samples of
        48 kHz from a place on."""
        path = f"{self.folder}/heard-{time.monotonic_ns()}.raw"
        recorder = subprocess.Popen(
            ["parec", "--device=ears.monitor", "--format=float32le", "--rate=48000", "--channels=2", "--latency-msec=20", path],
            env=self.environment)
        until(lambda: os.path.exists(path) and os.path.getsize(path) > 0, what="listening")

        def heard(start=0):
            frames = os.path.getsize(path) // 8 - start
            return numpy.fromfile(path, dtype="<f4", count=frames * 2, offset=start * 8).reshape(-1, 2).mean(axis=1)

        try:
            yield heard
        finally:
            recorder.terminate()
            recorder.wait()

    def end(self):
        subprocess.run(["pactl", "exit"], env=self.environment, check=False, stderr=subprocess.DEVNULL)


def chirps(path, seconds, seed=1):
    """Writes a sound that is like nothing but itself: pulses of tones that go up and down. Gives its samples."""
    random = numpy.random.default_rng(seed)
    samples = numpy.zeros(int(seconds * RATE))
    start = 0
    while start < len(samples):
        length = min(int(random.uniform(0.08, 0.3) * RATE), len(samples) - start)
        times = numpy.arange(length) / RATE
        low, high, level = random.uniform(300, 900), random.uniform(1000, 3000), random.uniform(0.08, 0.35)
        window = numpy.sin(numpy.pi * numpy.arange(length) / length) ** 0.5
        samples[start:start + length] += level * window * numpy.sin(2 * numpy.pi * (low * times + (high - low) * times**2 * 3))
        start += length + int(random.uniform(0.01, 0.1) * RATE)
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((samples * 32767).astype("<i2").tobytes())
    return samples


def likenesses(heard, sound):
    """The normalised correlation of a sound with each place of what was heard."""
    if len(heard) < len(sound):
        return numpy.zeros(1)
    size = 1 << (len(heard) + len(sound)).bit_length()
    product = numpy.fft.rfft(heard, size) * numpy.conj(numpy.fft.rfft(sound, size))
    cross = numpy.fft.irfft(product, size)[: len(heard) - len(sound) + 1]
    energy = numpy.concatenate([[0], numpy.cumsum(heard.astype(float) ** 2)])
    norm = numpy.sqrt(numpy.maximum(energy[len(sound):] - energy[: -len(sound)], 1e-9) * numpy.sum(sound**2))
    return cross / norm[: len(cross)]


def likeness(heard, sound):
    """The highest of them, and where that begins, in seconds."""
    scores = likenesses(heard, sound)
    best = int(numpy.argmax(scores))
    return float(scores[best]), best / RATE


def likeness_by_pieces(heard, sound, piece=0.15, cost=0.5):
    """The mean likeness of a sound's pieces with what was heard, each where the one before it ends. Microphones run by a clock of their own, so
    each may be up to 5 ms from there; a player that gets no processor leaves gaps, and each gap costs as much as half a piece."""
    length, grain = int(piece * RATE), RATE // 1000
    parts = [start for start in range(0, len(sound) - length, length) if numpy.sum(sound[start:start + length]**2) > 1e-4 * length]
    best = numpy.zeros(0)
    for start in parts:
        # The best of each millisecond, by when the whole sound would have begun.
        scores = likenesses(heard, sound[start:start + length])[start:]
        scores = scores[: len(scores) // grain * grain].reshape(-1, grain).max(axis=1)
        if len(scores) == 0:
            break
        if len(best):
            size = min(len(best), len(scores))
            near = numpy.lib.stride_tricks.sliding_window_view(numpy.pad(best, 5, constant_values=-numpy.inf), 11).max(axis=1)
            scores = scores[:size] + numpy.maximum(near, numpy.maximum.accumulate(best) - cost)[:size]
        best = scores
    return float(best.max(initial=0)) / len(parts)


def times_heard(heard, sound, least=0.5):
    """How often a sound is in what was heard."""
    found, rest = 0, heard.copy()
    while True:
        score, place = likeness(rest, sound)
        if score < least:
            return found
        found += 1
        start = int(place * RATE)
        rest[start:start + len(sound)] = 0


def decoded(path, folder):
    """The samples of a clip, mono at 48 kHz, by ffmpeg."""
    out = os.path.join(folder, f"decoded-{time.monotonic_ns()}.f32")
    subprocess.run(
        ["ffmpeg", "-loglevel", "error", "-i", path, "-f", "f32le", "-ar", str(RATE), "-ac", "1", out], check=True)
    return numpy.fromfile(out, dtype="<f4")


def loudness(samples, folder):
    """Integrated loudness in LUFS, as ffmpeg measures it (EBU R 128)."""
    path = os.path.join(folder, f"loudness-{time.monotonic_ns()}.f32")
    samples.astype("<f4").tofile(path)
    told = subprocess.run(
        ["ffmpeg", "-hide_banner", "-nostats", "-f", "f32le", "-ar", str(RATE), "-ac", "1", "-i", path, "-af", "ebur128", "-f", "null", "-"],
        capture_output=True, text=True, check=True).stderr
    return float(re.findall(r"I:\s+(-?[\d.]+) LUFS", told)[-1])


class Wire:
    """The network between a browser and the hub: a SOCKS server (RFC 1928) that can be cut and mended."""

    def __init__(self):
        self.is_cut = False
        self.ends = set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.arguments = [
            f"--proxy-server=socks5://127.0.0.1:{self.listener.getsockname()[1]}", "--proxy-bypass-list=<-loopback>"]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                threading.Thread(target=self.serve, args=(near,), daemon=True).start()

    def serve(self, near):
        with contextlib.suppress(OSError, IndexError), near:
            near.recv(near.recv(2)[1])
            near.sendall(b"\x05\x00")
            _, _, _, kind = near.recv(4)
            host = socket.inet_ntoa(near.recv(4)) if kind == 1 else near.recv(near.recv(1)[0]).decode()
            port = int.from_bytes(near.recv(2), "big")
            # Nothing but this machine is reached, whatever a browser wants to know of its maker.
            if self.is_cut or host != "127.0.0.1":
                near.sendall(b"\x05\x03\x00\x01" + bytes(6))
                return
            with socket.create_connection((host, port)) as far:
                near.sendall(b"\x05\x00\x00\x01" + bytes(6))
                self.ends |= {near, far}
                back = threading.Thread(target=self.carry, args=(far, near), daemon=True)
                back.start()
                self.carry(near, far)
                back.join()
                self.ends -= {near, far}

    @staticmethod
    def carry(start, end):
        with contextlib.suppress(OSError):
            while piece := start.recv(65536):
                end.sendall(piece)
        for side in [start, end]:
            with contextlib.suppress(OSError):
                side.shutdown(socket.SHUT_RDWR)

    def cut(self):
        self.is_cut = True
        for end in list(self.ends):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self):
        self.is_cut = False


class Hub:
    """A served hub in a folder of its own."""

    def __init__(self, player, folder, sound=None, **settings):
        self.player, self.folder, self.sound = player, folder, sound
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.settings = {"CHIRP_HUB_REGISTRATION": "open", "CHIRP_HUB_LIMIT_SCALE": "1000"} | settings
        self.browsers = []
        self.server = None
        self.places = f"{folder}/hub/data/chirp/hub/places.sqlite"
        if os.path.exists(PLACES):
            os.makedirs(os.path.dirname(self.places), mode=0o700)
            shutil.copyfile(PLACES, self.places)
        self.start()

    def environment(self, name="hub"):
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("CHIRP_", "XDG_"))}
        home = f"{self.folder}/{name}"
        kept |= {f"XDG_{part}_HOME": f"{home}/{part.lower()}" for part in ["CONFIG", "DATA", "STATE", "CACHE"]}
        if self.sound:
            kept["PULSE_SERVER"] = self.sound.address
        return kept | {"HOME": home, "SWIFT_BACKTRACE": "enable=no"} | self.settings

    def start(self):
        log = open(f"{self.folder}/serve.log", "a")
        self.server = subprocess.Popen(
            [CHIRP, "serve", "--port", str(self.port), "--json"], env=self.environment(), stdout=subprocess.PIPE, stderr=log,
            text=True)
        assert self.server.stdout.readline(), open(f"{self.folder}/serve.log").read()

    def stop(self, how=signal.SIGTERM):
        self.server.send_signal(how)
        self.server.wait(20)

    def restart(self, how=signal.SIGTERM):
        self.stop(how)
        self.start()

    def run(self, *arguments, name="hub", **more):
        """Runs the program beside the hub."""
        return subprocess.run(
            [CHIRP, *arguments], env=self.environment(name), capture_output=True, text=True, check=True, **more)

    @property
    def mail(self):
        return f"{self.folder}/hub/data/chirp/hub/mail"

    def letter(self, name, path):
        """The newest link to a page in letters to somebody."""
        def found():
            if not os.path.isdir(self.mail):
                return None
            files = sorted((os.path.join(self.mail, file) for file in os.listdir(self.mail)), key=os.path.getmtime)
            texts = [open(file, encoding="utf-8").read() for file in files if file.endswith(".eml")]
            links = [re.search(rf"https?://\S+{path}\S+", text) for text in texts if f"To: {name}@example.org" in text]
            return [link[0] for link in links if link]

        # Letters are sent after the page was answered.
        return until(found, what=f"a letter to {name}")[-1]

    def browser(self, fake_microphone=None, arguments=(), folder=None):
        """Starts a browser. With a sound server it speaks and hears through that; `fake_microphone` is a WAV instead of it. With a
        folder it keeps there what it knows, and is its own window."""
        # The address bar of each new window is a page of its own, which would load beside the one that is looked at.
        bar = "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup"
        options = ["--no-sandbox", "--use-fake-ui-for-media-stream", bar, *arguments]
        if fake_microphone:
            options += ["--use-fake-device-for-media-stream", f"--use-file-for-fake-audio-capture={fake_microphone}"]
        started = dict(
            executable_path=CHROMIUM, args=options, ignore_default_args=["--mute-audio"],
            env=self.environment("browser"))
        if folder:
            browser = self.player.chromium.launch_persistent_context(folder, viewport={"width": 1280, "height": 800}, **started)
        else:
            browser = self.player.chromium.launch(**started)
        self.browsers.append(browser)
        return browser

    def window(self, browser=None, width=1280, height=800, **more):
        """A window of somebody new."""
        if browser is None:
            self.shared = getattr(self, "shared", None) or self.browser()
            browser = self.shared
        if SOURCES:
            more["service_workers"] = "block"
        context = browser.new_context(viewport={"width": width, "height": height}, **more)
        if SOURCES:
            context.route(re.compile("/assets/"), from_sources)
        page = context.new_page()
        page.set_default_timeout(15_000)
        watch(page)
        return page

    def sign_up(self, name, page=None):
        """Signs somebody up as people do, confirms by the letter, and is signed in afterwards; gives the window."""
        page = page or self.window()
        page.goto(f"{self.url}/signup")
        fill(page, email=f"{name}@example.org", username=name, password=PASSWORD)
        press(page, "Sign up")
        page.goto(self.letter(name, "/confirm"))
        press(page, "Confirm")
        self.sign_in(name, page)
        return page

    def sign_in(self, name, page):
        page.goto(f"{self.url}/signin")
        fill(page, username=name, password=PASSWORD)
        press(page, "Sign in")
        return page

    def owner(self, **more):
        """Whoever set the hub up and looks after it, in a window of hers."""
        page = self.window(**more)
        # The command knows the port of the settings, not the one that this hub was given.
        link = json.loads(self.run("hub", "open", "--json").stdout)["url"]
        page.goto(self.url + "/" + link.split("/", 3)[3])
        buttons = page.locator("main button.main")
        if "/signin" in page.url and buttons.count():
            buttons.first.click()
            page.wait_for_load_state()
        return page

    def follow(self, page, handle):
        page.goto(f"{self.url}/@{handle}")
        press(page, "Follow")

    def api(self, page, method, path, body=None):
        """A call of the own API as the page's person; gives status and JSON."""
        token = page.evaluate("JSON.parse(document.getElementById('facts')?.textContent ?? '{}').facts?.token ?? document.querySelector('input[name=token]')?.value ?? ''")
        return page.evaluate(
            """async ([method, path, body, token]) => {
                const answer = await fetch(path, { method, headers: { "Content-Type": "application/json", "X-Chirp-Form": token },
                    body: body === null ? undefined : JSON.stringify(body) });
                const text = await answer.text();
                let json = null;
                try { json = JSON.parse(text); } catch {}
                return [answer.status, json];
            }""", [method, path, body, token])

    def publish(self, name, path, words):
        """Publishes a file as somebody by the command line, signed in to the hub; gives the share text's link. The sign-in is done once."""
        page = self.window()
        if not os.path.isdir(f"{self.folder}/{name}/config/chirp"):
            self.sign_in(name, page)
            login = subprocess.Popen(
                [CHIRP, "login", "hub", self.url], env=self.environment(name), stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            said = ""
            while "/oauth/authorize" not in said or not said.endswith("\n"):
                piece = login.stderr.read(1)
                assert piece, said
                said += piece
            page.goto(re.search(r"https?://\S+/oauth/authorize\S*", said)[0])
            press(page, "Authorise")
            assert login.wait(30) == 0, login.stderr.read()
        page.context.close()
        done = self.run("publish", path, "--store", "hub", "--network", "hub", "--text", words, name=name)
        return done.stdout.strip().splitlines()[-1]

    def end(self):
        for browser in self.browsers:
            with contextlib.suppress(Exception):
                browser.close()
        if self.server.poll() is None:
            self.stop()
        if os.path.exists(self.places) and not os.path.exists(PLACES):
            # Another check may do the same at this moment.
            mine = f"{PLACES}.{os.getpid()}"
            shutil.copyfile(self.places, mine)
            os.replace(mine, PLACES)


# CHIRP_SOURCES=1 takes scripts and styles from the sources, so that they can be changed and tried without building.
SOURCES = os.environ.get("CHIRP_SOURCES")


def from_sources(route):
    name = route.request.url.rsplit("/", 1)[-1]
    stem, ending = name.split(".")[0], name.rsplit(".", 1)[-1]
    # Each module has its own; their names are unlike each other.
    found = glob.glob(os.path.join(ROOT, f"Sources/*/Resources/{stem}.{ending}"))
    kinds = {"js": "text/javascript", "css": "text/css"}
    if ending not in kinds or not found:
        return route.continue_()
    return route.fulfill(body=open(found[0], encoding="utf-8").read(), content_type=kinds[ending])


def watch(page):
    """What scripts complain of, and what the page would not do, is kept in `page.complaints`."""
    page.complaints = []
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("console", lambda line: page.complaints.append(f"{line.text} {line.location.get('url', '')}".strip()) if line.type == "error" else None)


def fill(page, **fields):
    for name, value in fields.items():
        page.fill(f"[name={name}]", value)


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()
    page.wait_for_load_state()


# Keeps what the two places of a page were told, for those who do not look, also over navigation within the test.
SPOKEN = """
(() => {
  const told = (window.told = []);
  const begin = () => {
    for (const place of document.querySelectorAll("[role=status], [role=alert], [aria-live]")) {
      new MutationObserver(() => {
        const text = place.textContent.replace(/\\u00a0/g, " ").trim();
        if (text) told.push([place.getAttribute("role") ?? place.getAttribute("aria-live"), text]);
      }).observe(place, { childList: true, characterData: true, subtree: true });
    }
  };
  document.readyState === "loading" ? document.addEventListener("DOMContentLoaded", begin) : begin();
})();
"""


def spoken(page):
    """What a screen reader was told on this page so far, in order."""
    return [text for _, text in page.evaluate("window.told ?? []")]
