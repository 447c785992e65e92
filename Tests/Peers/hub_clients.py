"""Uses a served hub by Mastodon's client API with Mastodon.py and toot: two people sign up in a browser, let the programs in, send
sound, publish, follow, read, mark, answer, search and remove.

Usage: hub_clients.py ADDRESSES; the program is what CHIRP_PROGRAM names. The hub is one of its own, in a temporary folder.
"""

import html
import json
import math
import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
import wave
from http.cookiejar import CookieJar

from mastodon import Mastodon, MastodonNotFoundError

PASSWORD = "correct horse battery"
OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob"


class Browser:
    """A browser without script: keeps cookies and sends forms with their hidden fields."""

    def __init__(self, url):
        self.url = url
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def read(self, path, fields=None):
        body = urllib.parse.urlencode(fields).encode() if fields is not None else None
        with self.opener.open(self.url + path, body) as answer:
            return answer.read().decode()

    def submit(self, page, fields, action=None):
        text = self.read(page)
        hidden = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', text)
        hidden = [(name, html.unescape(value)) for name, value in hidden]
        return self.read(action or page.split("?")[0], hidden + fields)

    def join(self, name, mail):
        """Signs up, confirms by the letter in the folder, signs in."""
        self.submit("/signup", [("email", f"{name}@example.org"), ("username", name), ("password", PASSWORD)])
        letters = [open(os.path.join(mail, file), encoding="utf-8").read() for file in os.listdir(mail)]
        letter = next(letter for letter in letters if f"To: {name}@example.org" in letter)
        link = re.search(r"https?://[^/]+(/confirm\?token=\S+)", letter)[1]
        self.submit(link, [])
        self.submit("/signin", [("username", name), ("password", PASSWORD)])


def free_port():
    """What a client is told of other addresses has the port in it, so it must be known before."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def record(path, seconds=2):
    """A tone."""
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(44100)
        samples = (int(9000 * math.sin(2 * math.pi * 440 * n / 44100)) for n in range(seconds * 44100))
        file.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))


def let_in(url, browser, name):
    """Mastodon.py for somebody, let in as a program is."""
    identity, secret = Mastodon.create_app(
        "Checks", api_base_url=url, redirect_uris=OUT_OF_BAND, scopes=["read", "write", "follow"])
    client = Mastodon(client_id=identity, client_secret=secret, api_base_url=url)
    # Plain http is for loopback alone.
    address = client.auth_request_url(
        redirect_uris=OUT_OF_BAND, scopes=["read", "write", "follow"], allow_http=True)
    page = browser.submit(address[len(url):], [], "/oauth/authorize")
    code = re.search(r"<code[^>]*>([^<]{20,})</code>", page)[1]
    client.log_in(code=code, redirect_uri=OUT_OF_BAND, scopes=["read", "write", "follow"], allow_http=True)
    assert client.account_verify_credentials().acct == name
    return client


def settled(client, medium):
    for _ in range(600):
        found = client.media(medium.id)
        if found.url:
            return found
        time.sleep(0.05)
    raise AssertionError("sound is not taken in")


def with_library(ann, bob, home):
    """Mastodon.py, call by call."""
    assert ann.instance().configuration.statuses.max_characters == 1000
    sound = os.path.join(home, "tone.wav")
    record(sound)
    medium = settled(ann, ann.media_post(sound, mime_type="audio/wav", description="A tone"))
    assert medium.type == "audio", medium
    first = ann.status_post("Listen #Chirp", media_ids=[medium], visibility="public", language="en", idempotency_key="1")
    assert ann.status_post(
        "Listen #Chirp", media_ids=[medium], visibility="public", language="en", idempotency_key="1").id == first.id
    assert first.media_attachments[0].meta.duration > 1.5, first.media_attachments
    quiet = ann.status_post("For those who follow", visibility="private")

    her = bob.account_lookup("ann")
    assert [found.acct for found in bob.account_search("an")] == ["ann"]
    assert [status.id for status in bob.account_statuses(her)] == [first.id]
    assert bob.account_follow(her).following
    assert [account.acct for account in bob.account_following(bob.me())] == ["ann"]
    assert [account.acct for account in ann.account_followers(ann.me())] == ["bob"]
    assert [status.id for status in bob.timeline_home()] == [quiet.id, first.id]
    assert [status.id for status in bob.timeline_hashtag("chirp")] == [first.id]
    assert [status.id for status in bob.timeline_public()] == [first.id]
    page = bob.timeline_home(limit=1)
    assert [status.id for status in bob.fetch_next(page)] == [first.id]
    assert bob.account_relationships([her])[0].following

    assert bob.status_favourite(first).favourited and bob.status_bookmark(first).bookmarked
    assert [status.id for status in bob.favourites()] == [first.id]
    assert [status.id for status in bob.bookmarks()] == [first.id]
    assert not bob.status_unfavourite(first).favourited and not bob.status_unbookmark(first).bookmarked
    answer = bob.status_reply(first, "Heard")
    thread = ann.status_context(first)
    assert [status.id for status in thread.descendants] == [answer.id] and not thread.ancestors
    assert [status.id for status in bob.status_context(answer).ancestors] == [first.id]
    kinds = [notice.type for notice in ann.notifications()]
    assert sorted(kinds) == ["favourite", "follow", "mention"], kinds
    whisper = bob.status_post("@ann only you", visibility="direct")
    assert [talk.last_status.id for talk in ann.conversations()] == [whisper.id]
    assert whisper.id not in [status.id for status in ann.timeline_public()]
    found = ann.search_v2("bob")
    assert [account.acct for account in found.accounts] == ["bob"], found
    ann.report(bob.me(), status_ids=[answer.id], comment="a try", category="other")

    ann.status_delete(first)
    try:
        bob.status(first)
        raise AssertionError("a removed post is there")
    except MastodonNotFoundError:
        pass
    assert not bob.account_unfollow(her).following


def with_toot(url, browser, home):
    """The same hub from toot's command line."""
    toot = os.path.join(os.path.dirname(sys.executable), "toot")
    environment = os.environ | {"HOME": home, "XDG_CONFIG_HOME": os.path.join(home, "toot"), "NO_COLOR": "1"}

    def run(*words, typed=""):
        done = subprocess.run([toot, *words], env=environment, input=typed, text=True, capture_output=True, timeout=60)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    # It tells an address and asks for the code that the page there shows.
    process = subprocess.Popen(
        [toot, "login", "--instance", url], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)
    process.stdin.write("n\n")
    process.stdin.flush()
    said = ""
    while "Authorization code" not in said:
        piece = process.stdout.read(1)
        assert piece, said
        said += piece
    address = re.search(r"https?://\S+/oauth/authorize\S*", said)
    page = browser.submit(address[0][len(url):], [], "/oauth/authorize")
    code = re.search(r"<code[^>]*>([^<]{20,})</code>", page)[1]
    rest, _ = process.communicate(code + "\n", timeout=60)
    assert process.returncode == 0, said + rest

    assert "@ann" in run("whoami")
    run("post", "From a terminal #Chirp")
    assert "From a terminal" in run("timelines", "public", "--json")
    assert "bob" in run("search", "bob")


def main():
    chirp = os.environ["CHIRP_PROGRAM"]
    with tempfile.TemporaryDirectory() as home:
        places = ["CONFIG", "DATA", "STATE", "CACHE"]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CHIRP_")}
        environment |= {f"XDG_{name}_HOME": os.path.join(home, name) for name in places}
        environment |= {"HOME": home, "CHIRP_HUB_REGISTRATION": "open", "CHIRP_HUB_LIMIT_SCALE": "10000"}
        server = subprocess.Popen(
            [chirp, "serve", "--port", str(free_port()), "--json"], env=environment, stdout=subprocess.PIPE, text=True)
        try:
            url = json.loads(server.stdout.readline())["url"].rstrip("/")
            mail = os.path.join(home, "DATA", "chirp", "hub", "mail")
            people = {name: Browser(url) for name in ["ann", "bob"]}
            for name, browser in people.items():
                browser.join(name, mail)
            with_library(let_in(url, people["ann"], "ann"), let_in(url, people["bob"], "bob"), home)
            with_toot(url, people["ann"], home)
        finally:
            server.terminate()
            server.wait()
    print("hub: Mastodon.py and toot do what they came for")


main()
