"""Follows somebody at a served hub with bovine, as another server does: finds her, is accepted, and gets her clip once, with signatures that
bovine makes and checks. Then she follows somebody there, by forms: he is asked, posts a clip, which is heard at the hub once, and is told that she likes it and
what she answers.

Usage: federation.py ADDRESSES; the program is what CHIRP_PROGRAM names. The hub is one of its own, in a temporary folder.
"""

import asyncio
import http.cookiejar
import json
import math
import os
import re
import socket
import struct
import subprocess
import tempfile
import threading
import urllib.parse
import urllib.request
import wave

import aiohttp
from aiohttp import web
from bovine.clients.signed_http import SignedHttpClient, legacy_digest_method_uppercase
from bovine.crypto import generate_rsa_public_private_key
from bovine.crypto.helper import content_digest_sha256, verify_signature

ACTIVITY = "application/activity+json"


class Browser:
    """Somebody who is signed in, without script."""

    def __init__(self, url):
        self.url = url
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def page(self, path, fields=None):
        body = urllib.parse.urlencode(fields).encode() if fields is not None else None
        with self.opener.open(urllib.request.Request(self.url + path, body, {"Origin": self.url}), timeout=20) as answer:
            return answer.read().decode()

    def submit(self, page, action, fields):
        hidden = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', self.page(page)))
        return self.page(action, {**hidden, **fields})


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def sound(path):
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes(b"".join(
            struct.pack("<h", int(9000 * math.sin(number * 0.17))) for number in range(32_000)))


class Server:
    """Another server, with one person."""

    def __init__(self, port):
        self.url = f"http://127.0.0.1:{port}"
        self.id = f"{self.url}/bob"
        self.public, self.private = generate_rsa_public_private_key()
        self.taken = asyncio.Queue()
        self.asked = []
        self.path = None
        self.fetched = 0

    async def actor(self, request):
        self.asked.append("signature" in request.headers or "Signature" in request.headers)
        return web.json_response({
            "@context": ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"],
            "id": self.id, "type": "Person", "preferredUsername": "bob", "inbox": f"{self.id}/inbox",
            "publicKey": {"id": f"{self.id}#main-key", "owner": self.id, "publicKeyPem": self.public},
        }, content_type=ACTIVITY)

    async def finger(self, request):
        return web.json_response({
            "subject": request.query["resource"],
            "links": [{"rel": "self", "type": ACTIVITY, "href": self.id}],
        }, content_type="application/jrd+json")

    async def sound(self, _):
        self.fetched += 1
        return web.FileResponse(self.path, headers={"Content-Type": "audio/wav"})

    async def inbox(self, request):
        body = await request.read()
        fields = dict(re.findall(r'(\w+)="([^"]*)"', request.headers["Signature"]))
        async with aiohttp.ClientSession() as session:
            client = SignedHttpClient(session, f"{self.id}#main-key", self.private)
            answer = await client.get(fields["keyId"].partition("#")[0], headers={"accept": ACTIVITY})
            actor = await answer.json(content_type=None)
        names = fields["headers"].split()
        assert {"(request-target)", "host", "date", "digest"} <= set(names), names
        message = "\n".join(
            f"{name}: post {request.path}" if name == "(request-target)" else f"{name}: {request.headers[name]}"
            for name in names)
        assert verify_signature(actor["publicKey"]["publicKeyPem"], message, fields["signature"])
        assert request.headers["digest"].lower() == content_digest_sha256(body).lower()
        await self.taken.put(json.loads(body))
        return web.Response(status=202)


async def follow(hub, server, program, environment, folder):
    async with aiohttp.ClientSession() as session:
        client = SignedHttpClient(
            session, f"{server.id}#main-key", server.private, digest_method=legacy_digest_method_uppercase)
        host = hub.removeprefix("http://")
        finger = await session.get(f"{hub}/.well-known/webfinger", params={"resource": f"acct:me@{host}"})
        assert finger.status == 200, finger.status
        links = (await finger.json(content_type=None))["links"]
        address = next(link["href"] for link in links if link["rel"] == "self")
        actor = await (await client.get(address, headers={"accept": ACTIVITY})).json(content_type=None)
        assert actor["id"] == address and actor["type"] == "Person", actor

        activity = {
            "@context": "https://www.w3.org/ns/activitystreams", "id": f"{server.id}/follow", "type": "Follow",
            "actor": server.id, "object": address,
        }
        forged = await session.post(actor["inbox"], data=json.dumps(activity), headers={"content-type": ACTIVITY})
        assert forged.status in (401, 403), forged.status
        answer = await client.post(
            actor["endpoints"]["sharedInbox"], json.dumps(activity), content_type=ACTIVITY)
        assert answer.status == 202, (answer.status, await answer.text())
        accept = await asyncio.wait_for(server.taken.get(), 30)
        assert accept["type"] == "Accept" and accept["object"]["id"] == activity["id"], accept
        assert server.asked and all(server.asked), "each question is signed"

        sound(os.path.join(folder, "take.wav"))
        published = await asyncio.to_thread(
            subprocess.run, [program, "publish", os.path.join(folder, "take.wav"), "--title", "Tone"], env=environment,
            capture_output=True, text=True)
        assert published.returncode == 0, published.stderr
        create = await asyncio.wait_for(server.taken.get(), 60)
        note = create["object"]
        assert create["type"] == "Create" and note["type"] == "Note" and note["attributedTo"] == address, create
        (clip,) = note["attachment"]
        assert clip["type"] == "Document" and clip["mediaType"] == "audio/mpeg", clip
        heard = await session.get(clip["url"])
        assert heard.status == 200 and heard.content_type == "audio/mpeg" and len(await heard.read()) > 1000
        again = await (await client.get(note["id"], headers={"accept": ACTIVITY})).json(content_type=None)
        assert again["id"] == note["id"], again
        await asyncio.sleep(3)
        assert server.taken.empty(), "it came once"


async def followed(hub, server, browser):
    """The other way round."""
    name = f"bob@{server.url.removeprefix('http://')}"
    await asyncio.to_thread(browser.submit, "/follow", "/follow/elsewhere", {"name": f"@{name}"})
    await asyncio.to_thread(browser.submit, f"/@{name}", "/follow", {})
    asked = await asyncio.wait_for(server.taken.get(), 30)
    assert asked["type"] == "Follow" and asked["object"] == server.id, asked
    async with aiohttp.ClientSession() as session:
        client = SignedHttpClient(
            session, f"{server.id}#main-key", server.private, digest_method=legacy_digest_method_uppercase)

        async def tell(type, object, number):
            for _ in range(3):
                answer = await client.post(f"{hub}/ap/inbox", json.dumps({
                    "@context": "https://www.w3.org/ns/activitystreams", "id": f"{server.id}/{number}", "type": type,
                    "actor": server.id, "object": object,
                }), content_type=ACTIVITY)
                assert answer.status == 202, (type, answer.status, await answer.text())

        await tell("Accept", asked, 1)
        note = {
            "id": f"{server.id}/note", "type": "Note", "attributedTo": server.id,
            "to": ["https://www.w3.org/ns/activitystreams#Public"], "content": "<p>A tone <b>of</b> mine</p>",
            "tag": [{"type": "Hashtag", "name": "#Chirp"}],
            "attachment": [{"type": "Document", "mediaType": "audio/wav", "url": f"{server.url}/tone.wav", "name": "Far"}],
        }
        await tell("Create", note, 2)
        for _ in range(60):
            await asyncio.sleep(0.5)
            page = await asyncio.to_thread(browser.page, "/")
            if f"@{name}" in page:
                break
        clip = re.search(r"/c/([0-9A-Za-z]+)\">Far<", page)
        assert clip and page.count(f"/c/{clip.group(1)}\">Far<") == 1, "it is heard at the hub once"
        heard = await session.get(f"{hub}/media/{clip.group(1)}.mp3")
        assert heard.status == 200 and len(await heard.read()) > 1000
        assert server.fetched == 1, "its sound is fetched once"
        stranger = await session.get(f"{hub}/c/{clip.group(1)}")
        assert stranger.status == 404, "those who do not follow do not see it"

        place = re.search(r"/posts/(\d+)/share", page).group(1)
        shown = f"/c/{clip.group(1)}"
        await asyncio.to_thread(browser.submit, shown, f"/posts/{place}/like", {"back": shown})
        like = await asyncio.wait_for(server.taken.get(), 30)
        assert like["type"] == "Like" and like["object"] == note["id"], like
        await asyncio.to_thread(browser.submit, shown, f"/posts/{place}/reply", {"text": "Lovely"})
        answer = (await asyncio.wait_for(server.taken.get(), 30))["object"]
        assert answer["inReplyTo"] == note["id"] and "Lovely" in answer["content"], answer
        assert any(tag["type"] == "Mention" and tag["href"] == server.id for tag in answer["tag"]), answer
        await tell("Delete", {"id": note["id"], "type": "Tombstone"}, 3)
        assert f"@{name}" not in await asyncio.to_thread(browser.page, "/")


async def main():
    program, port = os.environ["CHIRP_PROGRAM"], free_port()
    server = Server(free_port())
    application = web.Application()
    application.add_routes([web.get("/bob", server.actor), web.post("/bob/inbox", server.inbox)])
    application.add_routes([
        web.get("/.well-known/webfinger", server.finger), web.get("/tone.wav", server.sound)])
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", int(server.url.rpartition(":")[2])).start()
    with tempfile.TemporaryDirectory() as folder:
        hub = f"http://127.0.0.1:{port}"
        environment = {
            **os.environ, "HOME": folder, "XDG_DATA_HOME": folder, "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder,
            "XDG_CACHE_HOME": folder, "CHIRP_HUB_PUBLIC_URL": hub, "CHIRP_HUB_FEDERATION": "on",
            "CHIRP_HUB_FEDERATION_INSECURE_LOOPBACK": "true",
        }
        process = subprocess.Popen(
            [program, "serve", "--port", str(port), "--json"], env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        try:
            await asyncio.to_thread(process.stdout.readline)
            link = None
            while not link:
                line = await asyncio.to_thread(process.stderr.readline)
                link = re.search(r"/signin/owner\?token=\S+", line)
            threading.Thread(target=process.stderr.read, daemon=True).start()
            browser = Browser(hub)
            await asyncio.to_thread(browser.submit, link.group(0), "/signin/owner", {})
            await asyncio.to_thread(
                browser.submit, "/settings/privacy", "/settings/privacy/federation", {"federation": "on"})
            server.path = os.path.join(folder, "take.wav")
            await follow(hub, server, program, environment, folder)
            await followed(hub, server, browser)
        finally:
            process.terminate()
            process.wait(20)
    await runner.cleanup()
    print("federation: bovine follows, is accepted, and gets a clip once; is followed, heard once, liked and answered")


asyncio.run(main())
