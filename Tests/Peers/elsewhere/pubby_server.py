"""A server that pubby makes: its routes, its signatures, and what its storage says has happened.

Of its own interface three things are missing. It has no builder for a Follow: `publish_activity` delivers one that is written down here. It
keeps nothing of whom its person follows but the answer, so clips that arrive are heard of by its hook `on_activity`; and it knows no Move, neither
as one who goes nor as one who follows, so that is bovine's alone.
"""

import logging
import os
import tempfile
import threading
import uuid

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from flask import Flask, send_file
from pubby import (
    ActivityPubHandler, InteractionType, Object, build_announce_activity, build_delete_activity, build_like_activity,
    build_undo_activity)
from pubby.server.adapters.flask import bind_activitypub
from pubby.storage.adapters.file import FileActivityPubStorage
from werkzeug.serving import make_server

from hub import free_port

PUBLIC = "https://www.w3.org/ns/activitystreams#Public"
MARKS = {InteractionType.LIKE: "Like", InteractionType.BOOST: "Announce"}


class PubbyServer:
    title = "pubby"

    def __init__(self, tone):
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.id = f"{self.url}/ap/actor"
        self.name = f"bob@127.0.0.1:{port}"
        self.fetched = 0
        self.unsigned = 0
        self.taken, self.answers = [], {}
        self.kept = tempfile.TemporaryDirectory()
        self.storage = FileActivityPubStorage(self.kept.name)
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        self.handler = ActivityPubHandler(
            self.storage, {"base_url": self.url, "username": "bob", "name": "Bob"}, private_key=key.decode(),
            webfinger_domain=f"127.0.0.1:{port}", async_delivery=False, allow_private_targets=True, max_retries=1,
            on_activity=lambda _, raw: self.taken.append(raw),
            on_follow_response=lambda target, accepted: self.answers.update({target: accepted}))
        application = Flask("pubby-peer")
        bind_activitypub(application, self.handler)

        @application.route("/tone.wav")
        def sound():
            self.fetched += 1
            return send_file(tone, mimetype="audio/wav")

        @application.before_request
        def look():
            from flask import request
            if request.path == "/ap/actor":
                self.unsigned += "Signature" not in request.headers

        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self.server = make_server("127.0.0.1", port, application, threaded=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def read(self, address):
        """An actor or a note, as pubby asks for one before it believes or delivers."""
        return self.handler.inbox._fetch_actor(address)

    # What this person does.

    def tell(self, activity):
        self.handler.publish_activity(activity)
        return activity

    def follow(self, actor):
        return self.tell({
            "@context": "https://www.w3.org/ns/activitystreams", "id": f"{self.id}/activities/{uuid.uuid4()}",
            "type": "Follow", "actor": self.id, "object": actor["id"], "to": [actor["id"]], "cc": []})

    def like(self, note, author):
        return self.tell(build_like_activity(self.id, note, to=[PUBLIC], cc=[author["id"]]))

    def share(self, note, author):
        return self.tell(build_announce_activity(self.id, note, to=[PUBLIC], cc=[author["id"]]))

    def undo(self, activity, author):
        self.tell(build_undo_activity(activity, self.id, to=[author["id"]], cc=[]))

    def reply(self, note, author, words):
        answer = Object(
            id=f"{self.url}/notes/{uuid.uuid4()}", content=f"<p>{words}</p>", attributed_to=self.id, in_reply_to=note,
            to=[PUBLIC], cc=[author["id"]])
        self.handler.publish_object(answer)
        return answer.id

    def publish(self, title, author):
        note = Object(
            id=f"{self.url}/notes/{uuid.uuid4()}", content=f"<p>{title} <b>of</b> mine</p>", attributed_to=self.id,
            to=[PUBLIC], cc=[self.handler.followers_url],
            tag=[{"type": "Hashtag", "name": "#Chirp"}],
            attachment=[{"type": "Document", "mediaType": "audio/wav", "url": f"{self.url}/tone.wav", "name": title}])
        self.handler.publish_object(note)
        return note.id

    def delete(self, note, author):
        self.tell(build_delete_activity(self.id, note, to=[PUBLIC], cc=[author["id"]]))

    def accept(self, author):
        """It has, by itself."""

    # What has come.

    def is_accepted(self):
        return True in self.answers.values()

    def is_followed(self):
        return bool(self.storage.get_followers(actor_id=self.id))

    def clips(self):
        return [
            activity["object"] for activity in self.taken
            if activity["type"] == "Create" and not activity["object"].get("inReplyTo")]

    def marks(self, note):
        found = self.storage.get_interactions(note)
        return sorted(MARKS[mark.interaction_type] for mark in found if mark.interaction_type in MARKS)

    def replies(self, note):
        return [answer.content for answer in self.storage.get_interactions(note, InteractionType.REPLY)]

    def deleted(self):
        return [activity["object"]["id"] for activity in self.taken if activity["type"] == "Delete"]

    def end(self):
        self.server.shutdown()
        self.kept.cleanup()
