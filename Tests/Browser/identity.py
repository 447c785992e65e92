"""A service elsewhere that signs people in by OpenID Connect, on 127.0.0.1, with a page of its own and a key that openssl made."""

import base64
import html
import http.server
import json
import secrets
import subprocess
import threading
import time
import urllib.parse

CLIENT = "chirp"


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class IdentityProvider:
    """`settings` are what a hub is told of it; `people` are those who can sign in, with their addresses."""

    def __init__(self, folder, *people):
        self.key, self.secret, self.codes, self.people = f"{folder}/identity.pem", secrets.token_hex(16), {}, people
        subprocess.run(["openssl", "genrsa", "-out", self.key, "2048"], check=True, capture_output=True)
        told = subprocess.run(["openssl", "rsa", "-in", self.key, "-noout", "-modulus"], check=True, capture_output=True, text=True).stdout
        self.modulus = bytes.fromhex(told.strip().split("=")[1])
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                provider.read(self)

            def do_POST(self):
                provider.redeem(self)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.settings = {
            "CHIRP_HUB_IDENTITY_OIDC_ISSUER": self.url, "CHIRP_HUB_IDENTITY_OIDC_CLIENT_ID": CLIENT,
            "CHIRP_HUB_IDENTITY_OIDC_NAME": "The club", "CHIRP_HUB_OIDC_SECRET": self.secret,
        }
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()

    @staticmethod
    def answer(handler, status, kind, body, **headers):
        handler.send_response(status)
        body = body.encode()
        for name, value in ({"Content-Type": kind, "Content-Length": str(len(body))} | headers).items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    def tell(self, handler, status, value):
        self.answer(handler, status, "application/json", json.dumps(value))

    def read(self, handler):
        address = urllib.parse.urlsplit(handler.path)
        query = dict(urllib.parse.parse_qsl(address.query))
        if address.path == "/.well-known/openid-configuration":
            places = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
            return self.tell(handler, 200, {"issuer": self.url} | {name: f"{self.url}/{path}" for name, path in places.items()})
        # Browsers ask for it.
        if address.path == "/favicon.ico":
            return self.answer(handler, 204, "text/plain", "")
        if address.path == "/keys":
            key = {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "one", "n": text(self.modulus), "e": "AQAB"}
            return self.tell(handler, 200, {"keys": [key]})
        if address.path != "/authorize" or query.get("client_id") != CLIENT or query.get("code_challenge_method") != "S256":
            return self.tell(handler, 400, {"error": "invalid_request"})
        if query.get("who") in self.people:
            code = secrets.token_hex(16)
            self.codes[code] = query
            back = f"{query['redirect_uri']}?{urllib.parse.urlencode({'code': code, 'state': query['state']})}"
            return self.answer(handler, 302, "text/plain", "", Location=back)
        kept = "".join(f'<input type="hidden" name="{html.escape(name)}" value="{html.escape(value)}">' for name, value in query.items())
        buttons = "".join(f'<p><button name="who" value="{name}">{name}</button></p>' for name in self.people)
        return self.answer(
            handler, 200, "text/html; charset=utf-8",
            f"<!doctype html><html lang=en><title>The club</title><h1>Who are you?</h1><form action=/authorize>{kept}{buttons}</form>")

    def redeem(self, handler):
        form = dict(urllib.parse.parse_qsl(handler.rfile.read(int(handler.headers["Content-Length"])).decode()))
        given = self.codes.pop(form.get("code"), None)
        expected = "Basic " + base64.b64encode(f"{CLIENT}:{self.secret}".encode()).decode()
        if given is None or handler.headers["Authorization"] != expected or form.get("redirect_uri") != given["redirect_uri"]:
            return self.tell(handler, 400, {"error": "invalid_grant"})
        now = int(time.time())
        claims = {
            "iss": self.url, "sub": f"person-{given['who']}", "aud": CLIENT, "iat": now, "exp": now + 600, "nonce": given["nonce"],
            "email": f"{given['who']}@club.example.org", "email_verified": True,
        }
        parts = [text(json.dumps(part).encode()) for part in [{"alg": "RS256", "kid": "one", "typ": "JWT"}, claims]]
        signature = subprocess.run(
            ["openssl", "dgst", "-sha256", "-sign", self.key], input=".".join(parts).encode(), capture_output=True, check=True).stdout
        return self.tell(handler, 200, {"access_token": "at", "token_type": "Bearer", "id_token": ".".join([*parts, text(signature)])})
