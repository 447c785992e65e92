"""What the checks of this folder share: a real `chirp serve` in a folder of its own, and people who use it as browsers and programs do.

The program is what CHIRP_PROGRAM names. Everything is on 127.0.0.1 and ends with the check.
"""

import email
import email.policy
import glob
import html.parser
import http.client
import http.cookiejar
import json
import os
import re
import sqlite3
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("CHIRP_PROGRAM", os.path.join(ROOT, ".build/installed/chirp"))
# All files and people of boards.md, where a run in passing takes a sample.
WHOLE = bool(os.environ.get("CHIRP_WHOLE"))
SEED = int(os.environ.get("CHIRP_TEST_SEED", "1"))
PASSWORD = "correct horse battery"
# A hub behind a proxy has cookies for https, and is asked without it here.
POLICY = http.cookiejar.DefaultCookiePolicy(secure_protocols=("http", "https"))
OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob"


def until(found, seconds=20, every=0.02, what="it"):
    """Waits for something to become true of a real program; gives what was found."""
    end = time.monotonic() + seconds
    while True:
        value = found()
        if value:
            return value
        assert time.monotonic() < end, f"{what} did not happen within {seconds} s"
        time.sleep(every)


class Answer:
    def __init__(self, status, headers, body, seconds):
        self.status, self.headers, self.body, self.seconds = status, headers, body, seconds

    @property
    def text(self):
        return self.body.decode("utf-8", "surrogateescape")

    @property
    def json(self):
        return json.loads(self.body)


class Forms(html.parser.HTMLParser):
    """The forms of a page: where each goes, and the fields that a browser sends without being asked."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        facts = dict(attributes)
        if tag == "form":
            self.found.append((facts.get("action") or "", facts.get("method", "get").lower(), {}))
        elif tag == "input" and self.found and facts.get("type") == "hidden" and facts.get("name"):
            self.found[-1][2][facts["name"]] = facts.get("value") or ""


class Stays(urllib.request.HTTPRedirectHandler):
    """Answers that lead elsewhere are looked at, not followed."""

    def redirect_request(self, *_):
        return None


class Hub:
    """A served hub."""

    def __init__(self, folder, preload=None, **settings):
        self.folder = folder
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("CHIRP_", "XDG_"))}
        kept |= {f"XDG_{name}_HOME": f"{folder}/{name.lower()}" for name in ["CONFIG", "DATA", "STATE", "CACHE"]}
        self.environment = kept | {
            "HOME": folder, "SWIFT_BACKTRACE": "enable=no", "CHIRP_HUB_REGISTRATION": "open",
            "CHIRP_HUB_LIMIT_SCALE": "10000",
        } | settings
        self.preload, self.port, self.log = preload, "0", open(f"{folder}/serve.log", "ab")
        self.start()

    def start(self):
        more = {"LD_PRELOAD": self.preload} if self.preload else {}
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--port", self.port, "--json"], env=self.environment | more, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=self.log)
        facts = json.loads(self.process.stdout.readline())
        self.port, self.url = str(facts["port"]), f"http://127.0.0.1:{facts['port']}"
        # What browsers take it for.
        self.origin = self.environment.get("CHIRP_HUB_PUBLIC_URL", self.url)

    def stop(self):
        self.process.terminate()
        self.process.wait(30)
        self.process.stdout.close()

    @property
    def isAlive(self):
        return self.process.poll() is None

    def run(self, *arguments, **more):
        return subprocess.run([PROGRAM, *arguments], env=self.environment, capture_output=True, text=True, **more)

    @property
    def database(self):
        return f"{self.folder}/data/chirp/hub/hub.sqlite"

    def rows(self, sql, *arguments):
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as database:
            return database.execute(sql, arguments).fetchall()

    def owner(self):
        """Whoever has set the hub up."""
        link = json.loads(self.run("hub", "open", "--json", check=True).stdout)["url"]
        person = Person(self)
        person.submit(link[link.index("/signin"):])
        return person

    def letters(self, name):
        """What was written to somebody, the oldest first."""
        files = glob.glob(os.path.join(self.folder, "data/**/mail/*.eml"), recursive=True)
        found = []
        for path in sorted(files, key=os.path.getmtime):
            with open(path, "rb") as file:
                letter = email.message_from_binary_file(file, policy=email.policy.default)
            if letter["To"] == f"{name}@example.org":
                found.append(letter.get_content())
        return found

    def member(self, name):
        """Signs somebody up, confirms by the letter and signs in."""
        person = Person(self, name)
        answer = person.submit("/signup", {"email": f"{name}@example.org", "username": name, "password": PASSWORD})
        assert answer.status in (200, 303), (answer.status, answer.text[:500])
        links = until(
            lambda: [link for text in self.letters(name) for link in re.findall(r"\S+(/confirm\?token=\S+)", text)],
            what=f"a letter to {name}")
        person.submit(links[-1])
        person.submit("/signin", {"username": name, "password": PASSWORD})
        return person


class Person:
    """Somebody's browser, as far as forms and cookies go, and what a program of theirs sends with a token."""

    def __init__(self, hub, name=None):
        self.hub, self.name, self.kept = hub, name, None
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar(POLICY)), Stays())

    def ask(self, method, path, body=None, headers=None, seconds=180):
        """One request, with this browser's cookies."""
        request = urllib.request.Request(self.hub.url + path, body, headers or {}, method=method)
        began = time.monotonic()
        try:
            with self.opener.open(request, timeout=seconds) as answer:
                return Answer(answer.status, answer.headers, answer.read(), time.monotonic() - began)
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, error.headers, error.read(), time.monotonic() - began)

    def get(self, path):
        return self.ask("GET", path)

    @property
    def cookies(self):
        """As a header of this browser has them."""
        jar = next(one.cookiejar for one in self.opener.handlers if isinstance(one, urllib.request.HTTPCookieProcessor))
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in jar)

    def submit(self, page, fields=None, to=None):
        """Sends the form of a page as a browser does."""
        text = self.get(page).text
        goal = to or page.split("?")[0]
        forms = [form for form in Forms(text).found if form[1] == "post"]
        own = [form for form in forms if urllib.parse.urlsplit(form[0]).path == goal] or forms
        assert own, (page, text[:300])
        action, _, hidden = own[0]
        path = urllib.parse.urlsplit(to or action or page)
        data = urllib.parse.urlencode(hidden | (fields or {})).encode("utf-8", "surrogatepass")
        return self.ask(
            "POST", path.path + (f"?{path.query}" if path.query else ""), data,
            {"Origin": self.hub.origin, "Content-Type": "application/x-www-form-urlencoded"})

    @property
    def token(self):
        """By which a program speaks for this person, fetched as a person would."""
        if self.kept is None:
            app = self.plain("/api/v1/apps", {
                "client_name": "Checks", "redirect_uris": OUT_OF_BAND, "scopes": "read write follow"})
            query = urllib.parse.urlencode({
                "response_type": "code", "client_id": app["client_id"], "redirect_uri": OUT_OF_BAND,
                "scope": "read write follow"})
            page = self.submit("/oauth/authorize?" + query, to="/oauth/authorize").text
            code = re.search(r"<code[^>]*>([^<]{43})</code>", page)[1]
            self.kept = self.plain("/oauth/token", {
                "grant_type": "authorization_code", "code": code, "client_id": app["client_id"],
                "client_secret": app["client_secret"], "redirect_uri": OUT_OF_BAND})["access_token"]
        return self.kept

    def plain(self, path, fields):
        return self.ask(
            "POST", path, urllib.parse.urlencode(fields).encode(),
            {"Content-Type": "application/x-www-form-urlencoded"}).json

    def call(self, method, path, facts=None, kind="application/json", signed=True, seconds=180):
        """One request as a program, without cookies. `facts` is JSON, or bytes as they are."""
        headers = {"Authorization": f"Bearer {self.token}"} if signed else {}
        body = None
        if facts is not None:
            body = facts if isinstance(facts, bytes) else json.dumps(facts).encode()
            headers["Content-Type"] = kind
        return Nobody(self.hub).ask(method, path, body, headers, seconds)


class Nobody(Person):
    """A visitor: no cookies, nothing kept."""

    def __init__(self, hub):
        super().__init__(hub)
        self.opener = urllib.request.build_opener(Stays())


def slow():
    """The longest that an answer may take, in seconds; longer where the machine does other things too."""
    return 5 * max(1, os.getloadavg()[0] / (os.cpu_count() or 1))


class Wire:
    """One connection, kept for many requests, as long as the server keeps it."""

    def __init__(self, hub):
        self.hub, self.connection, self.count, self.slowest, self.statuses = hub, None, 0, ("", 0.0), {}

    def ask(self, method, path, body=None, headers=None):
        for attempt in (0, 1):
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", int(self.hub.port), timeout=60)
                attempt = 1
            began = time.monotonic()
            try:
                self.connection.request(method, path, body, headers or {})
                answer = self.connection.getresponse()
                content = answer.read()
            except (http.client.HTTPException, OSError):
                # A refused body ends its connection, also before it was sent.
                self.connection.close()
                self.connection = None
                if attempt:
                    assert self.hub.isAlive, f"ended the hub: {method} {path[:300]} {headers} {str(body)[:300]}"
                    return None, b"", {}
                continue
            took = time.monotonic() - began
            if answer.will_close:
                self.connection.close()
                self.connection = None
            self.count += 1
            self.slowest = max(self.slowest, (f"{method} {path[:80]}", took), key=lambda one: one[1])
            self.statuses[answer.status] = self.statuses.get(answer.status, 0) + 1
            assert answer.status < 500 or answer.status == 501, f"{method} {path[:200]} {str(body)[:300]}: {answer.status} {content[:300]}"
            assert took <= slow(), f"{method} {path[:200]}: {took:.1f} s"
            for name, value in answer.getheaders():
                assert not re.search(r"[\x00-\x08\x0a-\x1f\x7f]", value), f"{path[:80]}: header {name}"
                assert name.lower() != "set-cookie" or "a=b" not in value, f"{path[:80]}: a header of ours is a stranger's"
            return answer.status, content, dict(answer.getheaders())
        return None, b"", {}


def form(fields):
    """Fields and files as browsers send them (multipart/form-data): lists of name, file name or None, bytes."""
    edge = "hostile7a31"
    parts = []
    for name, file, content in fields:
        more = f'; filename="{file}"' if file is not None else ""
        parts.append(
            f'--{edge}\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n'.encode() + content + b"\r\n")
    return b"".join(parts) + f"--{edge}--\r\n".encode(), f"multipart/form-data; boundary={edge}"


def served(check, preload=None, **settings):
    """Runs a check with a hub."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        hub = Hub(folder, preload, **settings)
        try:
            check(hub)
        finally:
            if hub.isAlive:
                hub.stop()
