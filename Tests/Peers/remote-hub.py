"""Publishes to a hub on another machine, a real `chirp serve`, while `kill -9` hits the publisher and the hub in turn, and counts:
one clip and one post for each publication, with the bytes that were sent.

Usage: remote-hub.py [ADDRESSES [RUNS]]; the program is what CHIRP_PROGRAM names, else `chirp` on the path. 12 publications, 200 with
CHIRP_LONG_TESTS=1. Both sides have folders of their own, which are removed in the end. CHIRP_TEST_SEED repeats a run.
"""

import hashlib
import html.parser
import http.cookiejar
import json
import math
import os
import random
import re
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import wave

PROGRAM = os.environ.get("CHIRP_PROGRAM", "chirp")
# The steps of a publication; see FaultPoint.
POINTS = """begun analysed admitted rendered prepared reserved idReserved uploading uploading:2 saved stored linked shared posting
published posted cleaned done""".split()
# Nothing here takes a tenth of this.
PATIENCE = 120


def household(top, **more):
    """The environment of a user with folders below `top`."""
    environment = {"PATH": os.environ["PATH"], "HOME": top, "LANG": "C.UTF-8", "TZ": "UTC", "TMPDIR": f"{top}/tmp"}
    for name in ("config", "data", "state", "cache", "tmp"):
        os.makedirs(f"{top}/{name}", exist_ok=True)
        if name != "tmp":
            environment[f"XDG_{name.upper()}_HOME"] = f"{top}/{name}"
    return environment | {"SWIFT_BACKTRACE": "enable=no"} | more


def eventually(what, condition):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError(f"{what}: not within {PATIENCE} s")


class Hub:
    """A served hub that can be killed and comes back on the same port."""

    def __init__(self, top):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.base = f"http://127.0.0.1:{port}"
        self.environment = household(top, CHIRP_HUB_PORT=str(port), CHIRP_HUB_LIMIT_SCALE="10000")
        self.folder = f"{top}/data/chirp/hub"
        self.process = None
        self.log = open(f"{top}/log", "wb")
        self.serve()

    def serve(self):
        self.process = subprocess.Popen(
            [PROGRAM, "serve"], env=self.environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        eventually("the hub answers", self.answers)

    def answers(self):
        assert self.process.poll() is None, "the hub has ended by itself"
        try:
            return urllib.request.urlopen(self.base + "/health", timeout=5).status == 200
        except OSError:
            return False

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def owner_link(self):
        answer = subprocess.run(
            [PROGRAM, "hub", "open", "--json"], env=self.environment, capture_output=True, check=True, timeout=PATIENCE)
        return json.loads(answer.stdout)["url"]

    def rows(self, sql):
        with sqlite3.connect(f"file:{self.folder}/hub.sqlite?mode=ro", uri=True) as database:
            return database.execute(sql).fetchall()


class FormReader(html.parser.HTMLParser):
    """The forms of a page: where each goes, and its fields."""

    def __init__(self, text):
        super().__init__()
        self.forms = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if tag == "form":
            self.forms.append((found.get("action", ""), {}))
        elif tag == "input" and self.forms and found.get("name"):
            self.forms[-1][1][found["name"]] = found.get("value", "")


class Browser:
    """A person's browser, as far as forms and cookies go."""

    def __init__(self):
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def press(self, address, action):
        """Opens a page and sends its form that goes to `action`; follows where that leads."""
        with self.opener.open(address, timeout=PATIENCE) as page:
            place, text = page.url, page.read().decode()
        fields = next(fields for where, fields in FormReader(text).forms if where.endswith(action))
        origin = "{0.scheme}://{0.netloc}".format(urllib.parse.urlsplit(place))
        request = urllib.request.Request(
            origin + action, urllib.parse.urlencode(fields).encode(), {"Origin": origin})
        with self.opener.open(request, timeout=PATIENCE) as page:
            return page.read().decode()


def sign_in(hub, environment):
    """`chirp login hub`, with the hub's owner at the browser."""
    browser = Browser()
    browser.press(hub.owner_link(), "/signin/owner")
    login = subprocess.Popen(
        [PROGRAM, "login", "hub", hub.base, "--no-browser"], env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    guard = threading.Timer(PATIENCE, login.kill)
    guard.start()
    said = ""
    for line in login.stderr:
        said += line
        if "redirect_uri=" in line and line.startswith("http"):
            browser.press(line.strip(), "/oauth/authorize")
            break
    output, rest = login.communicate()
    guard.cancel()
    assert login.returncode == 0, said + rest
    assert output.startswith("signed in to the hub as @"), output


def record(path):
    """One second of a tone that swells, 44.1 kHz."""
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(44100)
        rate = range(44100)
        samples = (int((2000 + n / 8) * math.sin(2 * math.pi * 440 * n / 44100)) for n in rate)
        file.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))


def run(arguments, environment, kill_after=None):
    """Runs the program to its end, or to its death after so many seconds; gives the status and what it said."""
    process = subprocess.Popen(
        [PROGRAM, *arguments], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    try:
        _, errors = process.communicate(timeout=kill_after or PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        _, errors = process.communicate()
        assert kill_after, f"{arguments} takes too long: {errors}"
    return process.returncode, errors


def disturb(hub, chance, done):
    """Kills the hub after a moment and serves it again, in a thread of its own."""

    def work():
        if not done.wait(chance):
            hub.kill()
            hub.serve()

    thread = threading.Thread(target=work)
    thread.start()
    return thread


def publish(hub, environment, take, number, dice):
    """One publication, disturbed by one side or both, and gone on with until it is done."""
    arguments = ["publish", take, "--store", "hub", "--network", "hub", "--again", "--title", f"Number {number}"]
    kind = dice.choice(["point", "moment", "hub", "hub", "both"])
    told = dict(environment)
    kill_after = None
    if kind in ("point", "both"):
        told["CHIRP_FAULT"] = dice.choice(POINTS)
    elif kind == "moment":
        kill_after = dice.uniform(0.01, 0.8)
    done = threading.Event()
    thread = disturb(hub, dice.uniform(0, 0.8), done) if kind in ("hub", "both") else None
    status, errors = run(arguments, told, kill_after)
    done.set()
    if thread:
        thread.join()
    begun = True
    for _ in range(12):
        waiting = json.loads(
            subprocess.run(
                [PROGRAM, "outbox", "--json"], env=environment, capture_output=True, check=True, timeout=PATIENCE
            ).stdout)["items"]
        if not waiting:
            break
        status, errors = run(["outbox", "resume"], environment)
    else:
        raise AssertionError(f"publication {number} ({kind}, {told.get('CHIRP_FAULT')}): {errors}")
    # Killed before it was written down: nobody has promised anything.
    if not hub.rows(f"SELECT 1 FROM clips WHERE title = 'Number {number}'"):
        assert kind == "moment", f"publication {number} ({kind}, {told.get('CHIRP_FAULT')}) is lost: {errors}"
        begun = False
        status, errors = run(arguments, environment)
        assert status == 0, errors
    return kind, begun


def count(hub, runs):
    """One clip and one post each, and each clip's file is what its row says."""
    clips = hub.rows("SELECT id, title, sha256, bytes FROM clips")
    titles = sorted(title for _, title, _, _ in clips)
    assert titles == sorted(f"Number {n}" for n in range(runs)), f"{len(titles)} clips: {titles}"
    posts = [link for (link,) in hub.rows("SELECT link FROM posts")]
    for clip, title, digest, size in clips:
        assert posts.count(f"{hub.base}/c/{clip}") == 1, f"{title}: {posts.count(f'{hub.base}/c/{clip}')} posts"
        with urllib.request.urlopen(f"{hub.base}/media/{clip}.mp3", timeout=PATIENCE) as answer:
            sound = answer.read()
        assert (len(sound), hashlib.sha256(sound).hexdigest()) == (size, digest), title
    assert len(posts) == runs, f"{len(posts)} posts"


def main():
    usual = 200 if os.environ.get("CHIRP_LONG_TESTS") else 12
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else usual
    seed = int(os.environ.get("CHIRP_TEST_SEED") or random.randrange(1 << 30))
    dice = random.Random(seed)
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as top:
        os.makedirs(f"{top}/there")
        hub = Hub(f"{top}/there")
        try:
            environment = household(f"{top}/here")
            sign_in(hub, environment)
            take = f"{top}/take.wav"
            record(take)
            kinds = {}
            for number in range(runs):
                kind, _ = publish(hub, environment, take, number, dice)
                kinds[kind] = kinds.get(kind, 0) + 1
            count(hub, runs)
            left = [name for _, _, names in os.walk(f"{top}/here") for name in names if re.search(r"\.mp3$", name)]
            assert not left, f"left in the outbox: {left}"
        finally:
            hub.kill()
            hub.log.close()
    took = time.monotonic() - begin
    print(f"remote hub: {runs} publications, {kinds}, one clip and one post each, {took:.0f} s (seed {seed})")


try:
    main()
except urllib.error.HTTPError as error:
    raise SystemExit(f"remote hub: {error.url} answered {error.code}: {error.read()[:500]}") from error
