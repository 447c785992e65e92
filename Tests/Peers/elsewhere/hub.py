"""A served hub of its own in a temporary folder, its owner in a browser without script, and what lies in its tables."""

import http.cookiejar
import math
import os
import re
import socket
import sqlite3
import struct
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import wave

PATIENCE = 60


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def eventually(what, found):
    """Asks until it is so; what is never so says what."""
    end = time.monotonic() + PATIENCE
    while True:
        value = found()
        if value:
            return value
        assert time.monotonic() < end, f"{what}: not within {PATIENCE} s"
        time.sleep(0.1)


class Browser:
    """Somebody who is signed in, without script."""

    def __init__(self, url):
        self.url = url
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def page(self, path, fields=None):
        body = urllib.parse.urlencode(fields).encode() if fields is not None else None
        with self.opener.open(urllib.request.Request(self.url + path, body, {"Origin": self.url}), timeout=20) as answer:
            return answer.read().decode()

    def submit(self, page, action, fields=None):
        hidden = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', self.page(page)))
        return self.page(action, {**hidden, **(fields or {})})


class Hub:
    def __init__(self):
        self.program = os.environ["CHIRP_PROGRAM"]
        self.kept = tempfile.TemporaryDirectory()
        self.folder = self.kept.name
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.environment = {
            **os.environ, "HOME": self.folder, "XDG_DATA_HOME": self.folder, "XDG_STATE_HOME": self.folder,
            "XDG_CONFIG_HOME": self.folder, "XDG_CACHE_HOME": self.folder, "CHIRP_HUB_PUBLIC_URL": self.url,
            "CHIRP_HUB_FEDERATION": "on", "CHIRP_HUB_FEDERATION_INSECURE_LOOPBACK": "true",
        }
        self.process = subprocess.Popen(
            [self.program, "serve", "--port", str(port), "--json"], env=self.environment, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        self.process.stdout.readline()
        link = None
        while not link:
            link = re.search(r"/signin/owner\?token=\S+", self.process.stderr.readline())
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.owner = Browser(self.url)
        self.owner.submit(link.group(0), "/signin/owner")
        self.owner.submit("/settings/privacy", "/settings/privacy/federation", {"federation": "on"})

    def rows(self, sql, *values):
        database = sqlite3.connect(f"file:{self.folder}/chirp/hub/hub.sqlite?mode=ro", uri=True, timeout=PATIENCE)
        try:
            return database.execute(sql, values).fetchall()
        finally:
            database.close()

    def publish(self, title):
        """Publishes a tone as a clip, by the command line."""
        file = os.path.join(self.folder, f"{title}.wav")
        sound(file)
        done = subprocess.run([self.program, "publish", file, "--title", title], env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    def status(self, path):
        """What a stranger is answered."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=20) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    def end(self):
        self.process.terminate()
        self.process.wait(20)
        self.kept.cleanup()


def sound(path):
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes(b"".join(
            struct.pack("<h", int(9000 * math.sin(number * 0.17))) for number in range(32_000)))
