"""Checks uploads to a served hub with tuspy: a recording that is cut off fifty times on its way arrives byte for byte, a server that is
killed in the middle loses nothing that it acknowledged, and the clip is the one that `publish` makes of the same recording.

Usage: uploads.py ADDRESSES; the program is what CHIRP_PROGRAM names. The hub is one of its own, in a temporary folder.
"""

import hashlib
import html
import http.cookiejar
import json
import math
import os
import random
import re
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import wave

import requests
from tusclient import client, exceptions

CUTS = 50


def record(path, seconds):
    """A tone."""
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(44100)
        samples = (int(9000 * math.sin(2 * math.pi * 440 * n / 44100)) for n in range(seconds * 44100))
        file.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))


class Hub:
    """A hub in a folder, and its owner's session."""

    def __init__(self, chirp, environment):
        self.chirp, self.environment = chirp, environment
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [self.chirp, "serve", "--port", "0", "--json"], env=self.environment, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)
        self.port = str(json.loads(self.process.stdout.readline())["port"])
        self.url = "http://127.0.0.1:" + self.port

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def end(self):
        self.process.terminate()
        self.process.wait()

    def page(self, path, fields=None):
        data = urllib.parse.urlencode(fields).encode() if fields else None
        with self.opener.open(self.url + path, data) as answer:
            return answer.read().decode()

    def sign_in(self, link):
        """By the owner's link: opens the page and sends its form."""
        path = urllib.parse.urlsplit(link)
        hidden = self.hidden(self.page(f"{path.path}?{path.query}"))
        self.page(path.path, hidden)

    @staticmethod
    def hidden(page):
        fields = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', page)
        return {name: html.unescape(value) for name, value in fields}

    def headers(self):
        """What the pages' own scripts send: the session, and the token of a form."""
        token = self.hidden(self.page("/settings/profile"))["token"]
        return {"X-Chirp-Form": token, "Cookie": "; ".join(f"{c.name}={c.value}" for c in self.cookies)}

    def ask(self, path):
        request = urllib.request.Request(self.url + path, headers=self.headers())
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def settled(self, upload):
        """What has become of an upload, once that is known."""
        for _ in range(600):
            found = self.ask("/api/hub/v1/uploads/" + upload)
            if found["state"] not in ("receiving", "checking"):
                return found
            time.sleep(0.05)
        raise AssertionError("an upload is not taken in")


class Wire:
    """A connection to a hub that can be cut: it forwards bytes, and of some requests only the first ones."""

    def __init__(self, port):
        self.port, self.cuts, self.made = port, [], 0
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            here, _ = self.socket.accept()
            there = socket.create_connection(("127.0.0.1", self.port))
            threading.Thread(target=self.pump, args=(here, there, True), daemon=True).start()
            threading.Thread(target=self.pump, args=(there, here, False), daemon=True).start()

    def pump(self, source, goal, is_request):
        left = None
        try:
            while piece := source.recv(4096):
                if is_request and left is None and piece.startswith(b"PATCH ") and self.cuts:
                    left = self.cuts.pop()
                if left is not None:
                    piece = piece[:left]
                    left -= len(piece)
                goal.sendall(piece)
                if left == 0:
                    self.made += 1
                    break
        except OSError:
            pass
        for end in (source, goal):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def send(hub, path, metadata, cuts=0, kills=0):
    """Sends a file in chunks, coming back after each cut to where the server says it is."""
    size = os.path.getsize(path)
    wire = Wire(int(hub.port))
    choice = random.Random(7)
    wire.cuts = [choice.randint(600, max(size // 100, 700)) for _ in range(cuts)]
    address, tries = None, 0
    while True:
        tries += 1
        assert tries < 4 * cuts + 10, "no progress"
        tus = client.TusClient(wire.url + "/api/uploads", headers=hub.headers())
        uploader = None
        try:
            own = urllib.parse.urljoin(wire.url, urllib.parse.urlsplit(address).path) if address else None
            # A chunk with a checksum counts as a whole or not at all; without one every byte counts.
            uploader = tus.uploader(
                path, chunk_size=max(size // 20, 1), url=own, metadata=metadata, upload_checksum=tries % 5 == 0)
            while uploader.offset < size or not uploader.url:
                uploader.upload_chunk()
                address = uploader.url
                if kills and uploader.offset > size // 2:
                    kills -= 1
                    known = uploader.offset
                    hub.kill()
                    hub.start()
                    wire.port = int(hub.port)
                    assert uploader.get_offset() == known, known
            assert wire.made == cuts, wire.made
            return uploader.url.rsplit("/", 1)[1]
        except (exceptions.TusCommunicationError, requests.RequestException):
            address = (uploader.url if uploader else None) or address


def main():
    chirp = os.environ["CHIRP_PROGRAM"]
    with tempfile.TemporaryDirectory() as home:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CHIRP_")}
        environment |= {f"XDG_{name}_HOME": os.path.join(home, name) for name in ["CONFIG", "DATA", "STATE", "CACHE"]}
        environment |= {"HOME": home}
        hub = Hub(chirp, environment)
        try:
            shown = subprocess.run(
                [chirp, "hub", "open", "--json"], env=environment, stdout=subprocess.PIPE, check=True)
            hub.sign_in(json.loads(shown.stdout)["url"])

            path = os.path.join(home, "take.wav")
            record(path, 20)
            with open(path, "rb") as file:
                sound = file.read()
            upload = send(hub, path, {"filename": "take.wav", "title": "A take"}, cuts=CUTS, kills=1)
            found = hub.settled(upload)
            assert found["state"] == "ready" and found["bytes"] == len(sound), found
            assert found["sha256"] == hashlib.sha256(sound).hexdigest(), found
            clip = hub.ask("/api/hub/v1/clips/" + found["clip"])
            published = subprocess.run(
                [chirp, "publish", "--json", "--title", "A take", path], env=environment, capture_output=True, check=True)
            receipt = json.loads(published.stdout)
            assert clip["sha256"] == receipt["clip"]["sha256"], (clip, receipt)

            # An MP3 that is kept, and something that is no sound.
            mp3 = os.path.join(home, "clip.mp3")
            subprocess.run([chirp, "encode", path, "-o", mp3], env=environment, check=True, capture_output=True)
            with open(mp3, "rb") as file:
                digest = hashlib.sha256(file.read()).hexdigest()
            upload = send(hub, mp3, {"use": "keep", "title": "Kept", "sha256": digest}, cuts=3)
            kept = hub.ask("/api/hub/v1/clips/" + hub.settled(upload)["clip"])
            assert kept["sha256"] == digest, kept
            odd = os.path.join(home, "odd.bin")
            with open(odd, "wb") as file:
                file.write(random.Random(3).randbytes(3_000_000))
            upload = send(hub, odd, {"filename": "odd.bin"})
            found = hub.settled(upload)
            assert found["state"] == "refused" and found["why"], found
            try:
                tus = client.TusClient(hub.url + "/api/uploads", headers=hub.headers() | {"X-Chirp-Form": "wrong"})
                tus.uploader(file_path=odd).create_url()
                raise AssertionError("a stranger could begin an upload")
            except exceptions.TusCommunicationError as error:
                assert error.status_code == 401, error.status_code
        finally:
            hub.end()
    print("uploads: tuspy agrees")


main()
