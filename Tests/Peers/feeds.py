"""Checks the feeds of a served hub with feedparser and podcastparser: both find every clip with what was typed about it, each
enclosure is what its address answers with, and what a reader has is not sent again.

Usage: feeds.py ADDRESSES; the program is what CHIRP_PROGRAM names. The hub is one of its own, in a temporary folder.
"""

import html
import io
import json
import math
import os
import struct
import subprocess
import tempfile
import urllib.error
import urllib.request
import wave

import feedparser
import podcastparser

PUBLIC = "https://clips.example.org"
TITLES = ["Rain", "Rain & <b>wind</b>", "]]> \"quoted\" &amp; 5 < 6", "Grüße 🎧"]


def record(path, pitch):
    """Two seconds of a tone."""
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(44100)
        samples = (int(9000 * math.sin(2 * math.pi * pitch * n / 44100)) for n in range(2 * 44100))
        file.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))


def read(address):
    with urllib.request.urlopen(address) as answer:
        return answer.headers, answer.read()


def check(url, path):
    """Both readers over one feed; returns the enclosures."""
    address = url + path
    feed = feedparser.parse(address)
    assert not feed.bozo and feed.version == "rss20", feed
    assert feed.feed.links[1].href == PUBLIC + path, feed.feed.links
    assert feed.feed.podcast_guid, feed.feed
    assert len(feed.entries) == len(TITLES), feed.entries
    assert len({entry.id for entry in feed.entries}) == len(TITLES), feed.entries
    again = feedparser.parse(address, etag=feed.etag)
    assert again.status == 304 and not again.entries, again

    headers, document = read(address)
    assert headers["Content-Type"] == "application/rss+xml; charset=utf-8", headers
    podcast = podcastparser.parse(address, io.BytesIO(document))
    assert podcast["explicit"] is False and podcast["link"].startswith(PUBLIC), podcast
    episodes = podcast["episodes"]
    assert [episode["title"] for episode in episodes] == TITLES[::-1], episodes
    for entry, episode, title in zip(feed.entries, episodes, TITLES[::-1]):
        # Readers take a description as HTML: what was typed is there as text.
        assert title in html.unescape(entry.description), entry.description
        enclosure = episode["enclosures"][0]
        assert entry.enclosures[0].href == enclosure["url"], (entry, episode)
        assert enclosure["mime_type"] == "audio/mpeg" and episode["total_time"] == 2, episode
        assert episode["link"].startswith(PUBLIC + "/c/") and episode["published"] > 0, episode
        headers, sound = read(enclosure["url"].replace(PUBLIC, url))
        assert len(sound) == enclosure["file_size"] == int(headers["Content-Length"]), enclosure
        assert headers["Content-Type"] == enclosure["mime_type"], headers
        assert headers["Access-Control-Allow-Origin"] == "*", headers
    return [episode["enclosures"][0] for episode in episodes]


def main():
    chirp = os.environ["CHIRP_PROGRAM"]
    with tempfile.TemporaryDirectory() as home:
        places = ["CONFIG", "DATA", "STATE", "CACHE"]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CHIRP_")}
        environment |= {f"XDG_{name}_HOME": os.path.join(home, name) for name in places}
        environment |= {"HOME": home, "CHIRP_HUB_PUBLIC_URL": PUBLIC}
        for number, title in enumerate(TITLES):
            take = os.path.join(home, f"take-{number}.wav")
            record(take, 440 * (number + 1))
            subprocess.run(
                [chirp, "publish", take, "--title", title, "--text", title],
                env=environment, stdout=subprocess.DEVNULL, check=True)
        server = subprocess.Popen(
            [chirp, "serve", "--port", "0", "--json"], env=environment, stdout=subprocess.PIPE, text=True)
        try:
            url = json.loads(server.stdout.readline())["url"]
            everybody = check(url, "/feed.xml")
            assert check(url, "/@me/feed.xml") == everybody
            for path in ["/feed.json", "/@me/feed.json"]:
                items = json.loads(read(url + path)[1])["items"]
                found = [(item["attachments"][0]["url"], item["attachments"][0]["size_in_bytes"]) for item in items]
                assert found == [(sound["url"], sound["file_size"]) for sound in everybody], found
            try:
                read(url + "/@nobody/feed.xml")
                raise AssertionError("an unknown handle has a feed")
            except urllib.error.HTTPError as error:
                assert error.code == 404, error
        finally:
            server.terminate()
            server.wait()
    print("feeds of a hub: feedparser and podcastparser agree")


main()
