"""A server that speaks ActivityPub, on 127.0.0.1, with several people and a key that openssl made. It believes no signature that it cannot check,
writes down what it takes, and says everything again until it is taken."""

import base64
import email.utils
import hashlib
import http.client
import http.server
import io
import json
import math
import re
import struct
import subprocess
import tempfile
import threading
import time
import urllib.parse
import wave

ACTIVITY, PUBLIC = "application/activity+json", "https://www.w3.org/ns/activitystreams#Public"


def openssl(*words, given=None):
    return subprocess.run(["openssl", *words], input=given, check=True, capture_output=True).stdout


def tone():
    """A WAV of half a second: silence is no clip."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(b"".join(struct.pack("<h", int(9000 * math.sin(number * 0.3))) for number in range(4000)))
    return file.getvalue()


class Elsewhere:
    def __init__(self, folder, handles):
        self.key = f"{folder}/elsewhere.pem"
        openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", self.key)
        self.pem = openssl("pkey", "-in", self.key, "-pubout").decode()
        self.handles, self.sound, self.fetched = handles, tone(), 0
        self.lock, self.taken, self.bodies, self.again, self.keys, self.faults = threading.Lock(), {}, {}, 0, {}, []
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.server.daemon_threads = True
        # Who asks dies now and then.
        self.server.handle_error = lambda *_: None
        self.host = f"127.0.0.1:{self.server.server_port}"
        self.url = f"http://{self.host}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def id(self, handle):
        return f"{self.url}/{handle}"

    def end(self):
        self.server.shutdown()
        self.server.server_close()

    def handler(elsewhere):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def answer(self, status, kind="text/plain", body=b""):
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                path = urllib.parse.urlsplit(self.path)
                if path.path == "/.well-known/webfinger":
                    handle = urllib.parse.parse_qs(path.query)["resource"][0].removeprefix("acct:").partition("@")[0]
                    links = [{"rel": "self", "type": ACTIVITY, "href": elsewhere.id(handle)}]
                    self.answer(200, "application/jrd+json", json.dumps({"links": links}).encode())
                elif path.path[1:] in elsewhere.handles:
                    self.answer(200, ACTIVITY, json.dumps(elsewhere.actor(path.path[1:])).encode())
                elif path.path.endswith(".wav"):
                    with elsewhere.lock:
                        elsewhere.fetched += 1
                    self.answer(200, "audio/wav", elsewhere.sound)
                else:
                    self.answer(404)

            def do_POST(self):
                length = int(self.headers["Content-Length"])
                body = self.rfile.read(length)
                if len(body) < length:
                    # The hub died in the middle of it; it comes again.
                    self.close_connection = True
                    return
                try:
                    elsewhere.believe(self, body)
                    elsewhere.take(body)
                    status = 202
                except OSError:
                    # The hub died meanwhile, so its key is not to be had.
                    status = 503
                except Exception as error:
                    elsewhere.faults.append(error)
                    status = 401
                self.answer(status)
        return Handler

    def actor(self, handle):
        id = self.id(handle)
        return {
            "id": id, "type": "Person", "preferredUsername": handle, "inbox": f"{id}/inbox",
            "endpoints": {"sharedInbox": f"{self.url}/inbox"},
            "publicKey": {"id": f"{id}#main-key", "owner": id, "publicKeyPem": self.pem}}

    def believe(self, request, body):
        """Checks who has signed, and what."""
        fields = dict(re.findall(r'(\w+)="([^"]*)"', request.headers["Signature"]))
        digest = "SHA-256=" + base64.b64encode(hashlib.sha256(body).digest()).decode()
        assert request.headers["Digest"] == digest, "the digest is another"
        names = fields["headers"].split()
        assert {"(request-target)", "host", "date", "digest"} <= set(names), names
        message = "\n".join(
            f"{name}: post {request.path}" if name == "(request-target)" else f"{name}: {request.headers[name]}" for name in names)
        id = fields["keyId"].partition("#")[0]
        assert json.loads(body)["actor"] == id, "somebody else has signed"
        if id not in self.keys:
            address = urllib.parse.urlsplit(id)
            line = http.client.HTTPConnection(address.netloc, timeout=20)
            line.request("GET", address.path, headers={"Accept": ACTIVITY})
            self.keys[id] = json.loads(line.getresponse().read())["publicKey"]["publicKeyPem"]
            line.close()
        with tempfile.NamedTemporaryFile() as key, tempfile.NamedTemporaryFile() as signature:
            key.write(self.keys[id].encode())
            signature.write(base64.b64decode(fields["signature"]))
            key.flush()
            signature.flush()
            openssl("dgst", "-sha256", "-verify", key.name, "-signature", signature.name, given=message.encode())

    def take(self, body):
        """What comes again under its id has no other effect, so it is only counted; it must say the same."""
        activity = json.loads(body)
        with self.lock:
            if activity["id"] in self.taken:
                self.again += 1
                assert self.taken[activity["id"]] == activity, f"one id, two activities: {self.taken[activity['id']]} {activity}"
            else:
                self.taken[activity["id"]] = activity

    def of(self, type):
        with self.lock:
            return [activity for activity in self.taken.values() if activity["type"] == type]

    # What people do.

    def tell(self, inbox, handle, number, type, object, **more):
        """Says it until it is taken, and then once more."""
        id = self.id(handle)
        body = json.dumps({
            "@context": "https://www.w3.org/ns/activitystreams", "id": f"{id}/{number}", "type": type, "actor": id,
            "object": object, **more}).encode()
        address, taken = urllib.parse.urlsplit(inbox), 0
        digest = "SHA-256=" + base64.b64encode(hashlib.sha256(body).digest()).decode()
        while taken < 2:
            date = email.utils.formatdate(usegmt=True)
            message = f"(request-target): post {address.path}\nhost: {address.netloc}\ndate: {date}\ndigest: {digest}"
            signature = base64.b64encode(openssl("dgst", "-sha256", "-sign", self.key, given=message.encode())).decode()
            line = http.client.HTTPConnection(address.netloc, timeout=60)
            try:
                line.request("POST", address.path, body, {
                    "Host": address.netloc, "Date": date, "Digest": digest, "Content-Type": ACTIVITY,
                    "Signature": f'keyId="{id}#main-key",algorithm="rsa-sha256",headers="(request-target) host date digest",'
                    f'signature="{signature}"'})
                answer = line.getresponse()
                said = answer.read()
                # Busy, or so loaded that it could not ask for the key in time: it is said again.
                assert answer.status in (202, 401, 503), (type, answer.status, said)
                taken += answer.status == 202
            except (OSError, http.client.HTTPException):
                pass
            finally:
                line.close()
            if taken < 2:
                time.sleep(0.02)

    def note(self, handle, number, words, **more):
        id = self.id(handle)
        return {
            "id": f"{id}/notes/{number}", "type": "Note", "attributedTo": id, "to": [PUBLIC], "content": f"<p>{words}</p>", **more}

    def clip(self, handle, number):
        return self.note(
            handle, number, f"Clip {number}", tag=[{"type": "Hashtag", "name": "#Chirp"}], attachment=[
                {"type": "Document", "mediaType": "audio/wav", "url": f"{self.url}/{handle}-{number}.wav", "name": f"Clip {number}"}])
