"""Checks what a served hub tells browsers with http-ece and py-vapid: a push service and a browser that were not written here take
a notice, read it and believe its sender.

Usage: push.py ADDRESSES; the program is what CHIRP_PROGRAM names. The hub is one of its own, in a temporary folder.
"""

import base64
import email
import email.policy
import glob
import http.cookiejar
import http.server
import json
import os
import queue
import re
import socket
import subprocess
import tempfile
import threading
import time
import urllib.parse
import urllib.request

import http_ece
import py_vapid
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

PUBLIC = "https://hub.example.org"
PASSWORD = "correct horse battery"


def plain(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def points(key):
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


class Service(http.server.BaseHTTPRequestHandler):
    """Takes messages for browsers; the first one finds it busy."""

    taken = queue.Queue()
    answers = [429]

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status = self.answers.pop(0) if self.answers else 201
        self.taken.put((status, self.path, dict(self.headers), body))
        self.send_response(status)
        self.send_header("Content-Length", "0")
        if status == 429:
            self.send_header("Retry-After", "1")
        self.end_headers()

    def log_message(self, *_):
        pass


class Browser:
    """Signs in at the hub, whose cookies are for https: a proxy would stand in between."""

    def __init__(self, url):
        policy = http.cookiejar.DefaultCookiePolicy(secure_protocols=("http", "https"))
        self.url = url
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar(policy)), Stays())

    def page(self, path, data=None, headers=None, method=None):
        request = urllib.request.Request(self.url + path, data, {"Origin": PUBLIC, **(headers or {})}, method=method)
        with self.opener.open(request, timeout=20) as answer:
            return answer.read().decode()

    def submit(self, path, fields):
        text = self.page(path)
        form = re.search(r'<form method="post" action="([^"]*)"(.*?)</form>', text, re.S)
        hidden = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form.group(2)))
        action = form.group(1).removeprefix(PUBLIC)
        return self.page(action, urllib.parse.urlencode({**hidden, **fields}).encode())

    def call(self, method, path, facts=None):
        token = re.search(r'name="token" value="([^"]*)"', self.page("/settings/profile")).group(1)
        data = json.dumps(facts or {}).encode() if method != "GET" else None
        text = self.page(path, data, {"X-Chirp-Form": token, "Content-Type": "application/json"}, method)
        return json.loads(text) if text else None


class Stays(urllib.request.HTTPRedirectHandler):
    """What is answered with another page is done."""

    def http_error_303(self, request, answer, code, message, headers):
        return answer


def join(url, folder, name):
    browser = Browser(url)
    browser.submit("/signup", {"email": f"{name}@example.org", "username": name, "password": PASSWORD})
    for path in glob.glob(os.path.join(folder, "**", "mail", "*.eml"), recursive=True):
        with open(path, "rb") as file:
            letter = email.message_from_binary_file(file, policy=email.policy.default)
        link = re.search(r"\S+/confirm\?token=\S+", letter.get_content())
        if letter["To"] == f"{name}@example.org" and link:
            browser.submit(link.group(0).removeprefix(PUBLIC), {})
    browser.submit("/signin", {"username": name, "password": PASSWORD})
    return browser


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_address[1]}"
    private, secret = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ, "HOME": folder, "XDG_DATA_HOME": folder, "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder,
            "XDG_CACHE_HOME": folder, "CHIRP_HUB_REGISTRATION": "open", "CHIRP_HUB_PUBLIC_URL": PUBLIC,
            "CHIRP_HUB_IDENTITY_INSECURE_LOOPBACK": "true",
        }
        port = free_port()
        hub = subprocess.Popen(
            [os.environ["CHIRP_PROGRAM"], "serve", "--port", str(port), "--json"], env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            hub.stdout.readline()
            url = f"http://127.0.0.1:{port}"
            ann, bob = join(url, folder, "ann"), join(url, folder, "bob")
            key = ann.call("GET", "/api/hub/v1/push/key")["key"]
            ann.call("POST", "/api/hub/v1/push", {
                "endpoint": f"{base}/push/ann", "p256dh": plain(points(private.public_key())), "auth": plain(secret)})
            bob.call("POST", f"/api/v1/accounts/{bob.call('GET', '/api/v1/accounts/lookup?acct=ann')['id']}/follow")
            began = time.monotonic()
            first = Service.taken.get(timeout=30)
            assert first[0] == 429, first
            # Its second try waits half a minute.
            status, path, headers, body = Service.taken.get(timeout=60)
            assert status == 201 and path == "/push/ann" and time.monotonic() - began >= 1
            told = json.loads(http_ece.decrypt(body, private_key=private, auth_secret=secret, version="aes128gcm"))
            assert told["title"] == "@bob follows you" and told["path"] == "/@bob", told
            assert told["body"] == "hub.example.org" and told["tag"] == headers["Topic"], told
            assert headers["Content-Encoding"] == "aes128gcm" and 0 < int(headers["TTL"]) <= 86400, headers
            proof = headers["Authorization"]
            assert proof.endswith(f"k={key}") and py_vapid.Vapid02.verify(proof), proof
            claims = json.loads(base64.urlsafe_b64decode(proof.split(".")[1] + "=="))
            assert py_vapid.Vapid02()._base_sign(dict(claims)), claims
            assert claims["aud"] == base and claims["sub"] == PUBLIC, claims
            assert 0 < claims["exp"] - time.time() <= 86400, claims
            # The same message twice never looks the same, and the length says nothing.
            assert first[3] != body and len(first[3]) == len(body)
            ann.submit("/signout", {})
            bob.call("POST", f"/api/v1/accounts/{bob.call('GET', '/api/v1/accounts/lookup?acct=ann')['id']}/unfollow")
            bob.call("POST", "/api/v1/statuses", {"status": "@ann are you there"})
            time.sleep(1)
            assert Service.taken.empty(), "a browser is told after signing out"
        finally:
            hub.terminate()
            hub.wait()
            server.shutdown()
    print("push: a notice was taken, decrypted and its sender proven")


main()
