"""A server whose signatures are made and checked by bovine, with one person. What is done is written down here, as bovine leaves it."""

import asyncio
import json
import re
import threading

import aiohttp
from aiohttp import web
from bovine.clients.signed_http import SignedHttpClient, legacy_digest_method_uppercase
from bovine.crypto import generate_rsa_public_private_key
from bovine.crypto.helper import content_digest_sha256, verify_signature

from hub import free_port

ACTIVITY = "application/activity+json"
PUBLIC = "https://www.w3.org/ns/activitystreams#Public"


class BovineServer:
    title = "bovine"

    def __init__(self, tone, handle="bob", also_known_as=()):
        self.url = f"http://127.0.0.1:{free_port()}"
        self.id, self.handle = f"{self.url}/{handle}", handle
        self.name = f"{handle}@{self.url.removeprefix('http://')}"
        self.also_known_as = list(also_known_as)
        self.tone = tone
        self.fetched = 0
        self.unsigned = 0
        self.number = 0
        self.taken = []
        self.public, self.private = generate_rsa_public_private_key()
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.run(self.begin())

    def run(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(60)

    async def begin(self):
        application = web.Application()
        application.add_routes([
            web.get(f"/{self.handle}", self.actor), web.post(f"/{self.handle}/inbox", self.inbox),
            web.get("/.well-known/webfinger", self.finger), web.get("/tone.wav", self.sound)])
        self.runner = web.AppRunner(application)
        await self.runner.setup()
        await web.TCPSite(self.runner, "127.0.0.1", int(self.url.rpartition(":")[2])).start()
        self.session = aiohttp.ClientSession()
        self.client = SignedHttpClient(
            self.session, f"{self.id}#main-key", self.private, digest_method=legacy_digest_method_uppercase)

    async def actor(self, request):
        self.unsigned += "signature" not in request.headers
        return web.json_response({
            "@context": ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"],
            "id": self.id, "type": "Person", "preferredUsername": self.handle, "inbox": f"{self.id}/inbox",
            "alsoKnownAs": self.also_known_as,
            "publicKey": {"id": f"{self.id}#main-key", "owner": self.id, "publicKeyPem": self.public},
        }, content_type=ACTIVITY)

    async def finger(self, request):
        return web.json_response({
            "subject": request.query["resource"], "links": [{"rel": "self", "type": ACTIVITY, "href": self.id}],
        }, content_type="application/jrd+json")

    async def sound(self, _):
        self.fetched += 1
        return web.FileResponse(self.tone, headers={"Content-Type": "audio/wav"})

    async def inbox(self, request):
        body = await request.read()
        fields = dict(re.findall(r'(\w+)="([^"]*)"', request.headers["Signature"]))
        answer = await self.client.get(fields["keyId"].partition("#")[0], headers={"accept": ACTIVITY})
        actor = await answer.json(content_type=None)
        names = fields["headers"].split()
        assert {"(request-target)", "host", "date", "digest"} <= set(names), names
        message = "\n".join(
            f"{name}: post {request.path}" if name == "(request-target)" else f"{name}: {request.headers[name]}"
            for name in names)
        assert verify_signature(actor["publicKey"]["publicKeyPem"], message, fields["signature"])
        assert request.headers["digest"].lower() == content_digest_sha256(body).lower()
        activity = json.loads(body)
        assert activity["actor"] == actor["id"], activity
        self.taken.append(activity)
        return web.Response(status=202)

    def read(self, address):
        async def ask():
            return await (await self.client.get(address, headers={"accept": ACTIVITY})).json(content_type=None)
        return self.run(ask())

    # What this person does. Each is sent three times, as servers do that were killed.

    def tell(self, inbox, type, object, times=3, **more):
        self.number += 1
        activity = {
            "@context": "https://www.w3.org/ns/activitystreams", "id": f"{self.id}/{self.number}", "type": type,
            "actor": self.id, "object": object, **more}

        async def send():
            for _ in range(times):
                answer = await self.client.post(inbox, json.dumps(activity), content_type=ACTIVITY)
                assert answer.status == 202, (type, answer.status, await answer.text())
        self.run(send())
        return activity

    def forge(self, inbox, type, object):
        """Unsigned. Gives what is answered."""
        async def send():
            answer = await self.session.post(
                inbox, data=json.dumps({"id": f"{self.id}/0", "type": type, "actor": self.id, "object": object}),
                headers={"content-type": ACTIVITY})
            return answer.status
        return self.run(send())

    def follow(self, actor):
        return self.tell(actor["inbox"], "Follow", actor["id"])

    def like(self, note, author):
        return self.tell(author["inbox"], "Like", note)

    def share(self, note, author):
        return self.tell(author["endpoints"]["sharedInbox"], "Announce", note, to=[PUBLIC])

    def undo(self, activity, author):
        self.tell(author["inbox"], "Undo", activity)

    def reply(self, note, author, words):
        self.number += 1
        answer = {
            "id": f"{self.id}/notes/{self.number}", "type": "Note", "attributedTo": self.id, "to": [PUBLIC],
            "cc": [author["id"]], "inReplyTo": note, "content": f"<p>{words}</p>"}
        self.tell(author["inbox"], "Create", answer)
        return answer["id"]

    def publish(self, title, author):
        self.number += 1
        note = {
            "id": f"{self.id}/notes/{self.number}", "type": "Note", "attributedTo": self.id, "to": [PUBLIC],
            "content": f"<p>{title} <b>of</b> mine</p>", "tag": [{"type": "Hashtag", "name": "#Chirp"}],
            "attachment": [
                {"type": "Document", "mediaType": "audio/wav", "url": f"{self.url}/tone.wav", "name": title}]}
        self.tell(author["endpoints"]["sharedInbox"], "Create", note)
        return note["id"]

    def delete(self, note, author):
        self.tell(author["endpoints"]["sharedInbox"], "Delete", {"id": note, "type": "Tombstone"})

    def accept(self, author):
        (follow,) = self.of("Follow")
        self.tell(author["inbox"], "Accept", follow)

    def move(self, target, author):
        self.tell(author["endpoints"]["sharedInbox"], "Move", self.id, target=target)

    # What has come.

    def of(self, type):
        return [activity for activity in self.taken if activity["type"] == type]

    def undone(self, type):
        return [activity["object"]["id"] for activity in self.of("Undo") if activity["object"]["type"] == type]

    def is_accepted(self):
        return bool(self.of("Accept"))

    def is_followed(self):
        return len(self.of("Follow")) > len(self.undone("Follow"))

    def clips(self):
        return [activity["object"] for activity in self.of("Create") if not activity["object"].get("inReplyTo")]

    def marks(self, note):
        return sorted(
            activity["type"] for type in ("Like", "Announce") for activity in self.of(type)
            if activity["object"] == note and activity["id"] not in self.undone(type))

    def replies(self, note):
        gone = [activity["object"]["id"] for activity in self.of("Delete")]
        return [
            activity["object"]["content"] for activity in self.of("Create")
            if activity["object"].get("inReplyTo") == note and activity["object"]["id"] not in gone]

    def deleted(self):
        return [activity["object"]["id"] for activity in self.of("Delete")]

    def end(self):
        async def close():
            await self.session.close()
            await self.runner.cleanup()
        self.run(close())
        self.loop.call_soon_threadsafe(self.loop.stop)
