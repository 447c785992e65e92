"""Checks the API of a served hub by its own description: openapi-spec-validator finds it well formed, and schemathesis, which makes
requests of it, finds no server error, no status and no type that is not described, and no method that is taken without being described.

Usage: api.py ADDRESSES; the program is what CHIRP_PROGRAM names. The hub is one of its own, in a temporary folder.
"""

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar

from openapi_spec_validator import validate

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,unsupported_method"
PASSWORD = "correct horse battery"
OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob"
# What does not end by itself, and what would end the token that the requests are made with.
LEFT_OUT = r"streaming|events|^/api/hub/v1/(account|sessions)|^/oauth/revoke"


class Browser:
    """A browser without script: keeps cookies and sends forms with their hidden fields."""

    def __init__(self, url):
        self.url = url
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def read(self, path, fields=None):
        body = urllib.parse.urlencode(fields).encode() if fields is not None else None
        with self.opener.open(self.url + path, body) as answer:
            return answer.read().decode()

    def submit(self, page, action, fields):
        hidden = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', self.read(page))
        return self.read(action, hidden + fields)


def post(url, fields):
    with urllib.request.urlopen(url, urllib.parse.urlencode(fields).encode()) as answer:
        return json.load(answer)


def sign_in(url, path):
    """A token by which a program speaks for the owner, fetched as a person would."""
    browser = Browser(url)
    browser.submit(path, "/signin/owner", [])
    app = post(url + "/api/v1/apps", {"client_name": "Checks", "redirect_uris": OUT_OF_BAND, "scopes": "read write follow"})
    query = urllib.parse.urlencode({
        "response_type": "code", "client_id": app["client_id"], "redirect_uri": OUT_OF_BAND, "scope": "read write follow"})
    page = browser.submit("/oauth/authorize?" + query, "/oauth/authorize", [])
    code = re.search(r"<code[^>]*>([^<]{43})</code>", page)[1]
    return post(url + "/oauth/token", {
        "grant_type": "authorization_code", "code": code, "client_id": app["client_id"],
        "client_secret": app["client_secret"], "redirect_uri": OUT_OF_BAND})["access_token"]


def free_port():
    """A hub that speaks with others has its port in its name, so it has to be known before."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def main():
    chirp = os.environ["CHIRP_PROGRAM"]
    with tempfile.TemporaryDirectory() as home:
        places = ["CONFIG", "DATA", "STATE", "CACHE"]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CHIRP_")}
        environment |= {f"XDG_{name}_HOME": os.path.join(home, name) for name in places}
        # With the addresses of ActivityPub, which a hub without it has not.
        environment |= {
            "HOME": home, "CHIRP_HUB_REGISTRATION": "open", "CHIRP_HUB_LIMIT_SCALE": "10000", "CHIRP_HUB_FEDERATION": "on",
            "CHIRP_HUB_FEDERATION_INSECURE_LOOPBACK": "true"}
        server = subprocess.Popen(
            [chirp, "serve", "--port", str(free_port()), "--json"], env=environment, stdout=subprocess.PIPE, text=True)
        try:
            serving = json.loads(server.stdout.readline())
            url = serving["url"]
            with urllib.request.urlopen(url + "/api/openapi.json") as answer:
                description = json.load(answer)
            validate(description)
            opened = subprocess.run(
                [chirp, "hub", "open", "--json"], env=environment, stdout=subprocess.PIPE, text=True, check=True)
            link = json.loads(opened.stdout)["url"]
            token = sign_in(url, link[link.index("/signin"):])
            run = [
                os.path.join(os.path.dirname(sys.executable), "schemathesis"), "run", url + "/api/openapi.json",
                "--url", url, "--checks", CHECKS, "--exclude-path-regex", LEFT_OUT, "--max-examples", "20",
                "--seed", "1", "--generation-database", "none", "--workers", "2", "--request-timeout", "20",
                "--suppress-health-check", "all",
            ]
            for headers in [[], ["--header", f"Authorization: Bearer {token}"]]:
                subprocess.run(run + headers, cwd=home, check=True)
        finally:
            server.terminate()
            server.wait()
    print("API of a hub: openapi-spec-validator and schemathesis agree")


main()
