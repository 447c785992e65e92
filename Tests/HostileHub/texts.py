"""Sends a served hub hostile names and texts in every field that its description names, in every form of its pages, in paths and
queries, as a member and as a visitor: no server error, answers in time, and nothing shown raw, in pages, feeds or a terminal
(boards.md 5.1.10).

Usage: texts.py. With CHIRP_WHOLE set every field gets every text, otherwise each a few of them in turn. CHIRP_TEST_SEED repeats a run.
"""

import html.parser
import http.client
import json
import os
import pty
import random
import re
import subprocess
import time
import urllib.parse
import xml.etree.ElementTree

from household import PASSWORD, PROGRAM, SEED, WHOLE, Nobody, Wire, served, slow, until

BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
MARK = "xss7"
TEXTS = [
    f"<script>{MARK}()</script>", f"\"><img src={MARK} onerror={MARK}()>", f"' autofocus onfocus={MARK}() x='",
    f"</textarea></title></style><svg onload={MARK}()>", f"<{MARK} x=1>", f"]]><{MARK}/>", f"<!--#exec cmd=\"{MARK}\" -->",
    f"javascript:{MARK}()", f"JaVa\tScRiPt:{MARK}()", f"data:text/html,<script>{MARK}()</script>", f"https://a.example/\"onmouseover=\"{MARK}()",
    f"[a](javascript:{MARK}())", f"&lt;script&gt;{MARK}&#x28;&#41;&lt;/script&gt;", "\u202etxt.exe\u2066 \u2067 abc", BIDI,
    "a\0b", "\x1b[2J\x1b]0;owned\x07\x1b[31mred", "\x9b31m\x85\x7f", "\x01\x02\x08\x0b\x0c\x0e\x1f", "\r\nSet-Cookie: a=b\r\n\r\n<b>",
    "\ud800", "\udfff\ud800", "a\udc00b", "\ufffe\uffff\U0001ffff\ufeff", "\U000e0041\U000e007f", "x" + "\u0301" * 5000,
    "ﷺ" * 400, "👨‍👩‍👧‍👦" * 200, "pаypаl.com Аdmin 0wner", "ｊａｖａｓｃｒｉｐｔ：x", "../../../../etc/passwd", "..%2f..%2fetc%2fpasswd\0.jpg", "C:\\aux",
    "/dev/stdin", "CON", "-rf /", "$(id)`id`|id;id", "{{7*7}}${7*7}#{7*7}%s%n%x", "' OR 1=1; DROP TABLE items; --", "\"; SELECT 1; --",
    "\"", "*", "a*", "NEAR(a b)", "NEAR(", "title:x", "col:", "a AND NOT b OR", "^a", "-a", "(((((", ")", "{a b}: c", "a + b", "zsopen zblostandfound",
    "", " ", "\n\n\n", "\t", "\u00a0\u2003\u3000", "0", "-1", "1e400", "NaN", "9" * 400, "9223372036854775808", "-9223372036854775809", "true", "null",
    "[]", "{}", "%", "%00", "%zz", "%ed%a0%80", "+", "😀" * 3000, "a" * 20_000, "@" * 3000, "#" * 3000, "@owner " * 500, "https://" * 500,
    "http://[::1", "http://user:pass@127.0.0.1:1/", "//evil.example", "\\\\evil.example", "51.5,-0.1", "999,999", "nan,nan", "1e308,1e308", "2027-13-45",
]
# What stands in the other fields meanwhile, by their names.
GOOD = {
    "side": "lost", "category": "keys", "title": "Zinnober keys", "text": "Five of them", "at": "50.7339,7.0997", "precision": "near",
    "question": "What is on it?", "reward": "A cake", "phone": "+49 228 123456", "handover": "In the library", "from": "2026-01-01", "to": "2026-01-02",
    "place": "Bonn", "answer": "A whistle", "greeting": "Hello", "q": "keys", "within": "10", "reason": "By mistake", "sure": "yes", "outcome": "found",
    "status": "Hello", "visibility": "public", "language": "en", "server": "mastodon.example", "network": "hub", "vip": "ann", "name": "Hall",
    "mail": "new@example.org", "handle": "newone", "password": PASSWORD, "newPassword": PASSWORD, "accounts": "ann", "for": "60",
}
# Fields of addresses whose description names none.
UNNAMED = {
    "/api/v1/statuses": ["status", "visibility", "spoiler_text", "in_reply_to_id", "media_ids", "language", "sensitive"],
    "/api/v1/reports": ["account_id", "status_ids", "comment", "category"],
    "/api/hub/v1/items/{id}/reports": ["reason", "text", "picture"],
    "/api/hub/v1/moderation/cases/{id}/answer": ["text"], "/api/hub/v1/moderation/cases/{id}/appeal": ["text"],
    "/api/hub/v1/moderation/cases/{id}/decisions": ["what", "why", "days"],
    "/api/hub/v1/moderation/addresses": ["address", "days", "why"], "/api/hub/v1/moderation/people/{id}/case": ["text"],
    "/api/hub/v1/moderation/invitations": ["uses", "days", "note"], "/oauth/token": ["grant_type", "code", "client_id", "redirect_uri"],
    "/api/v1/media/{media}": ["description"],
}
QUERIES = {
    "/api/v1/accounts/lookup": ["acct"], "/api/v1/accounts/search": ["q", "limit"], "/api/v1/accounts/relationships": ["id[]"],
    "/api/v2/search": ["q", "type", "limit", "offset"], "/api/v1/timelines/home": ["max_id", "since_id", "limit"],
    "/api/v1/timelines/public": ["max_id", "min_id", "limit"], "/api/v1/notifications": ["types[]", "max_id"],
    "/api/v1/accounts/{id}/statuses": ["max_id", "limit"], "/.well-known/webfinger": ["resource"], "/oembed": ["url", "maxwidth", "format"],
}
# What does not end by itself, what would end the account or its token, and what costs a picture or a recording, which pictures.py sends.
LEFT_OUT = re.compile(
    r"streaming|events|/live|^/api/hub/v1/(account|sessions)(/|$)|oauth/revoke|/uploads|/media$|pictures$|clips$|frame/(start|photo|pairing)")
ENDING = re.compile(r"sign-?out|delete|removal|remove|export|password|/settings/(mail|handle|code|sessions|frames)|closure|withdrawal|/invit|block|suspend|revoke")


def escaped(value):
    """JSON in ASCII, so that halves of pairs stand there as \\ud800."""
    return json.dumps(value, ensure_ascii=True).encode()


def spoken(fields):
    """A form's bytes; halves of pairs as three bytes, which are no UTF-8."""
    return urllib.parse.urlencode(
        {name: value.encode("utf-8", "surrogatepass") for name, value in fields.items()}).encode()


def quoted(text):
    return urllib.parse.quote(text.encode("utf-8", "surrogatepass"), safe="")


# MARK: Routes


class Scene:
    """Things that there are, so that what is sent reaches further than a 404."""

    def __init__(self, hub):
        self.hub, self.owner = hub, hub.owner()
        self.ann, self.bob = hub.member("ann"), hub.member("bob")
        self.ids = {}
        listing = self.place("one")
        claim = self.bob.call("POST", f"/api/hub/v1/lost-and-found/{listing}/claims", {"answer": "It whistles"}).json["id"]
        thread = self.bob.call("POST", f"/api/hub/v1/lost-and-found/{listing}/messages", {"text": "I have it"}).json["thread"]
        status = self.bob.call("POST", "/api/v1/statuses", {"status": "Hello"}).json["id"]
        alert = self.ann.call("POST", "/api/hub/v1/lost-and-found/alerts", {"q": "keys", "at": GOOD["at"], "within": "10"})
        person = self.bob.call("GET", "/api/v1/accounts/verify_credentials").json["id"]
        self.ids = {
            "id": [listing, thread, status, person], "claim": [claim], "other": [listing], "alert": [alert.json["id"]],
            "draft": ["x"], "upload": ["x"], "media": ["x"], "post": [status], "tag": ["Chirp"], "kind": ["gone"],
        }
        self.listing = listing

    def place(self, key, **more):
        fields = {name: GOOD[name] for name in ["side", "category", "title", "text", "at", "precision"]}
        answer = self.ann.call("POST", "/api/hub/v1/lost-and-found", fields | {"key": key} | more)
        assert answer.status == 201, answer.text
        return answer.json["id"]

    def path(self, template, dice):
        def one(match):
            known = self.ids.get(match[1], ["x"])
            kind = {"threads": 1, "statuses": 2, "accounts": 3, "people": 3}
            if match[1] == "id":
                return known[next((place for word, place in kind.items() if f"/{word}/" in template), 0)]
            return dice.choice(known)
        return re.sub(r"\{(\w+)\}", one, template)


def routes(hub):
    described = Nobody(hub).get("/api/openapi.json").json
    for path, acts in described["paths"].items():
        for method, facts in acts.items():
            if method not in ("get", "post", "put", "delete", "patch") or LEFT_OUT.search(path):
                continue
            content = facts.get("requestBody", {}).get("content", {})
            fields = list((content.get("application/json", {}).get("schema", {}).get("properties") or {}))
            query = [one["name"] for one in facts.get("parameters", []) if one.get("in") == "query"]
            yield (method.upper(), path, fields or UNNAMED.get(path, ["text"] if method != "get" else []),
                   query or QUERIES.get(path, []))


def by_routes(scene, wire, dice):
    """Every field of every route gets texts, as JSON and as a form; queries and places in paths too."""
    signed = {"Authorization": f"Bearer {scene.ann.token}"}
    moderator = {"Authorization": f"Bearer {scene.owner.token}"}
    few = len(TEXTS) if WHOLE else 3
    turn = 0

    def some():
        nonlocal turn
        turn += few
        return [TEXTS[(turn + place) % len(TEXTS)] for place in range(few)]

    found = list(routes(scene.hub))
    for method, template, fields, query in found:
        who = moderator if "/moderation/" in template else signed
        for headers in (who, {}):
            for field in fields if method != "GET" else []:
                for number, text in enumerate(some()):
                    others = {name: GOOD[name] for name in fields if name in GOOD and name != field}
                    path = scene.path(template, dice)
                    if number % 2:
                        body, kind = spoken(others | {field: text}), "application/x-www-form-urlencoded"
                    else:
                        body, kind = escaped(others | {field: text}), "application/json"
                    wire.ask(method, path, body, headers | {"Content-Type": kind})
            for name in query:
                for text in some():
                    wire.ask(method, f"{scene.path(template, dice)}?{name}={quoted(text)}", None, headers)
        for place in re.findall(r"\{(\w+)\}", template):
            for text in some():
                path = scene.path(template.replace(f"{{{place}}}", quoted(text) or "%20"), dice)
                wire.ask(method, path, None if method == "GET" else b"{}", who | {"Content-Type": "application/json"})
    return len(found)


def by_shape(scene, wire):
    """Bodies that are too much, too deep, of another kind or none at all."""
    deep = b"[" * 100_000 + b"]" * 100_000
    objects = b'{"a":' * 100_000 + b"1" + b"}" * 100_000
    shapes = [
        b"", b"{", b"null", b"[]", b'"x"', b"\xff\xfe", b"\xef\xbb\xbf{}", deep, objects, b'{"title":' + deep + b"}", b'{"tags":[' + b",".join([b'"t"'] * 100_000) + b"]}",
        b'{"title":"' + b"x" * 10_000_000 + b'"}', b'{"title":1e999999}', b'{"title":' + b"9" * 100_000 + b"}", b'{"title":"\\ud800\\ud800"}', b'{"title":"\\u0000"}',
        b'{"title":"a","title":"b"}', b'{"\\ud800":1}', b"{" + b",".join(b'"k%d":1' % number for number in range(100_000)) + b"}", b'{"title":"\xed\xa0\x80"}',
        b'{"title":null,"text":true,"side":[],"at":{}}', b'{"pictures":[[],{},null,1,"x"]}', b"title=" + b"%00" * 10_000, b"&" * 500_000, b"a=b&" * 200_000,
    ]
    signed = {"Authorization": f"Bearer {scene.ann.token}"}
    found = [one for one in routes(scene.hub) if one[0] != "GET"]
    chosen = found if WHOLE else [one for one in found if one[1] in (
        "/api/hub/v1/lost-and-found", "/api/v1/statuses", "/api/hub/v1/threads", "/api/hub/v1/lost-and-found/alerts", "/api/hub/v1/lost-and-found/{id}/claims")]
    dice = random.Random(SEED)
    for method, template, _, _ in chosen:
        for shape in shapes:
            for kind in ("application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
                if len(shape) > 1_000_000 and kind != "application/json":
                    continue
                status, _, _ = wire.ask(method, scene.path(template, dice), shape, signed | {"Content-Type": kind})
                assert status is None or shape.startswith((b"[" * 9, b'{"a":{', b'{"title":"xx')) is False or status >= 400 or method != "POST", (
                    f"{template}: {shape[:30]} was taken with {status}")
    for shape in shapes:
        wire.ask("POST", "/api/hub/v1/lost-and-found", shape, {"Content-Type": "application/json"})
    # Heads of requests.
    for headers in [{"Authorization": "Bearer " + "x" * 6000}, {"Authorization": "Bearer \xff"}, {"Accept-Language": "de," * 2000},
                    {"Cookie": "a=" + "b" * 6000}, {"X-Forwarded-For": "1," * 3000}, {"Range": "bytes=" + "0-1," * 1500}, {"If-None-Match": '"' * 6000},
                    {"Content-Type": "multipart/form-data; boundary=" + "x" * 6000}, {"Host": "evil.example"}, {"Accept": "*/*;q=1e400"}]:
        for path in ["/", "/lost-and-found", "/api/hub/v1/lost-and-found"]:
            wire.ask("GET", path, None, headers)


# MARK: Pages


class Page(html.parser.HTMLParser):
    """What a page has made of what was typed. Anything of ours that has become markup is a finding."""

    URLS = {"href", "src", "action", "formaction", "poster", "data", "cite", "background", "srcset", "ping"}

    def __init__(self, path, text):
        super().__init__(convert_charrefs=True)
        self.path, self.links, self.forms, self.findings = path, set(), [], []
        raw = re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f" + BIDI + "]", text)
        if raw:
            self.findings.append(f"U+{ord(raw[0]):04X} is shown raw: {text[max(0, raw.start() - 60):raw.end() + 20]!r}")
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        facts = {name: value or "" for name, value in attributes}
        if MARK in tag or tag in ("iframe", "object", "embed", "base", "frame"):
            self.findings.append(f"<{tag}>")
        if tag == "script" and not (facts.get("type") == "application/json" or facts.get("src", "").startswith("/assets/")):
            self.findings.append(f"<script {facts}>")
        for name, value in facts.items():
            if name.startswith("on") or name == "style" or MARK in name:
                self.findings.append(f"<{tag} {name}={value[:60]!r}>")
            if name in self.URLS:
                plain = re.sub(r"[\x00-\x20]", "", value).lower()
                if re.match(r"(javascript|data|vbscript|file):", plain) and not (tag == "img" and plain.startswith("data:image/")):
                    self.findings.append(f"<{tag} {name}={value[:60]!r}>")
        if tag == "a" and facts.get("href", "").startswith("/") and not facts["href"].startswith("//"):
            self.links.add(facts["href"].split("#")[0])
        if tag == "form":
            self.forms.append((facts.get("action", ""), facts.get("method", "get").lower(), []))
        elif tag in ("input", "textarea", "select", "button") and self.forms and facts.get("name"):
            self.forms[-1][2].append((tag, facts.get("type", "text"), facts["name"], facts.get("value", "")))

    def handle_comment(self, data):
        if MARK in data:
            self.findings.append(f"<!--{data[:60]}-->")


def shape_of(path):
    """Pages of one kind have one shape: ids and what is asked stand for others like them."""
    path = urllib.parse.urlsplit(path)
    return re.sub(r"/[0-9A-Za-z]{22}|/\d+|/@\w+", "/*", path.path) + "?" + "&".join(sorted(
        {pair.split("=")[0] for pair in path.query.split("&")}))


def walk(person, starts, most, each=3):
    """The pages that somebody reaches from some, a few of each shape."""
    waiting, seen, shapes, pages = list(starts), set(starts), {}, []
    while waiting and len(pages) < most:
        path = waiting.pop(0)
        shape = shape_of(path)
        if shapes.get(shape, 0) >= each or ENDING.search(path):
            continue
        shapes[shape] = shapes.get(shape, 0) + 1
        answer = person.get(path)
        assert answer.status < 500, f"{path}: {answer.status} {answer.text[:300]}"
        assert answer.seconds <= slow(), f"{path}: {answer.seconds:.1f} s"
        kind = answer.headers.get("Content-Type", "")
        if kind.startswith("text/html"):
            policy = answer.headers.get("Content-Security-Policy", "")
            assert "script-src" in policy or "default-src" in policy, f"{path}: no policy"
            assert "unsafe-inline" not in policy, f"{path}: {policy}"
            page = Page(path, answer.text)
            assert not page.findings, f"{path}: {page.findings[:3]}"
            pages.append(page)
            for link in sorted(page.links - seen):
                seen.add(link)
                waiting.append(link)
        elif "xml" in kind:
            xml.etree.ElementTree.fromstring(answer.body)
        elif "json" in kind:
            json.loads(answer.body)
    return pages


STARTS = ["/", "/lost-and-found", "/lost-and-found/new", "/lost-and-found/mine", "/lost-and-found/alerts", "/settings", "/settings/profile", "/messages",
          "/notices", "/people", "/search", "/record", "/about", "/signin", "/signup", "/@ann", "/@bob", "/moderation", "/lost-and-found/feed.xml",
          "/lost-and-found/feed.json", "/feed.xml", "/feed.json", "/@ann/feed.xml", "/lost-and-found/map", "/lost-and-found/saved", "/lost-and-found/viewed"]


def by_forms(scene, dice):
    """Every field of every form that a member and the owner reach gets texts."""
    sent = 0
    for person in (scene.ann, scene.owner, scene.bob):
        done = set()
        for page in walk(person, STARTS + [f"/lost-and-found/{scene.listing}", f"/lost-and-found/{scene.listing}/edit"], 250, 2):
            for action, method, fields in page.forms:
                goal = urllib.parse.urljoin(page.path, action or page.path)
                if not goal.startswith("/") or ENDING.search(goal) or (shape_of(goal), method) in done:
                    continue
                done.add((shape_of(goal), method))
                own = [name for tag, kind, name, _ in fields if name != "token" and tag != "button" and kind not in ("checkbox", "radio", "file", "submit")]
                for field in own:
                    for text in TEXTS if WHOLE else dice.sample(TEXTS, 2):
                        filled = {name: value or GOOD.get(name, "") for _, _, name, value in fields} | {field: text}
                        if method == "get":
                            answer = person.get(f"{goal.split('?')[0]}?{spoken(filled).decode()}")
                        else:
                            answer = person.ask("POST", goal, spoken(filled), {
                                "Content-Type": "application/x-www-form-urlencoded", "Origin": scene.hub.url})
                        assert answer.status < 500, f"{goal} {field}={text[:40]!r}: {answer.status} {answer.text[:300]}"
                        assert answer.seconds <= slow(), f"{goal} {field}={text[:40]!r}: {answer.seconds:.1f} s"
                        if answer.headers.get("Content-Type", "").startswith("text/html"):
                            found = Page(goal, answer.text).findings
                            assert not found, f"{goal} {field}={text[:40]!r}: {found[:3]}"
                        sent += 1
    return sent


def listed(scene):
    """Listings with each text in each place where words stand, so that the pages have something to show. Halves of pairs are none."""
    made = 0
    for number, text in enumerate(TEXTS):
        for field in ["title", "text", "reward", "question"] if WHOLE else ["title", ["text", "reward", "question"][number % 3]]:
            fields = {name: GOOD[name] for name in ["side", "category", "title", "text", "at", "precision"]} | {"key": f"{number}{field}", field: text}
            answer = scene.ann.call("POST", "/api/hub/v1/lost-and-found", escaped(fields))
            assert answer.status in (201, 422, 400), f"{field}={text[:40]!r}: {answer.status} {answer.text[:300]}"
            made += answer.status == 201
        # What is said to others: a claim, a message, a post, an answer, a name.
        for path, facts in [
                (f"/api/hub/v1/lost-and-found/{scene.listing}/messages", {"text": text}), ("/api/v1/statuses", {"status": text}),
                ("/api/v1/statuses", {"status": "@ann " + text, "visibility": "direct", "spoiler_text": text})]:
            answer = scene.bob.call("POST", path, escaped(facts))
            assert answer.status < 500, f"{path} {text[:40]!r}: {answer.status}"
    return made


# MARK: A terminal


def terminal(scene):
    """What the command line prints of them, into a pipe and on a terminal."""
    wanted = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f" + BIDI + "]")
    colours = re.compile(r"\x1b\[[0-9;]*m")
    lines = 0
    for words in [["search"], ["search", "keys"], ["search", "--json"], ["search", "txt.exe"], ["show", scene.listing]]:
        done = scene.hub.run("board", "lost-and-found", *words)
        assert done.returncode in (0, 1, 64, 65, 66), (words, done.returncode, done.stderr[:300])
        for text in (done.stdout, done.stderr):
            found = wanted.search(text)
            assert not found, f"{words}: U+{ord(found[0]):04X} in {text[max(0, found.start() - 40):found.end() + 20]!r}"
        lines += len(done.stdout.splitlines())
    main, end = pty.openpty()
    with open(main, "rb", buffering=0) as reader:
        with subprocess.Popen(
                [PROGRAM, "board", "lost-and-found", "search"], env=scene.hub.environment | {"TERM": "xterm"}, stdin=end, stdout=end, stderr=end) as process:
            os.close(end)
            told = b""
            try:
                while piece := reader.read(65536):
                    told += piece
            except OSError:
                pass
            process.wait(30)
    text = colours.sub("", told.decode("utf-8", "replace"))
    found = wanted.search(text)
    assert not found, f"on a terminal: U+{ord(found[0]):04X} in {text[max(0, found.start() - 40):found.end() + 20]!r}"
    return lines


def check(hub):
    began = time.monotonic()
    dice, scene = random.Random(SEED), Scene(hub)
    made = listed(scene)
    print(f"texts: {len(TEXTS)}, listings with them: {made}; {time.monotonic() - began:.0f} s", flush=True)
    wire = Wire(hub)
    count = by_routes(scene, wire, dice)
    print(f"routes: {count}, requests: {wire.count}, {dict(sorted(wire.statuses.items()))}; slowest {wire.slowest[1]:.2f} s "
          f"({wire.slowest[0]}); {time.monotonic() - began:.0f} s", flush=True)
    wire = Wire(hub)
    by_shape(scene, wire)
    print(f"bodies: {wire.count}, {dict(sorted(wire.statuses.items()))}; slowest {wire.slowest[1]:.2f} s; {time.monotonic() - began:.0f} s", flush=True)
    sent = by_forms(scene, dice)
    print(f"forms: {sent} sent; {time.monotonic() - began:.0f} s", flush=True)
    looked = sum(len(walk(person, STARTS, 600 if WHOLE else 150, 60 if WHOLE else 12)) for person in (Nobody(hub), scene.ann, scene.bob, scene.owner))
    lines = terminal(scene)
    assert hub.isAlive and Nobody(hub).get("/health").status == 200
    with open(f"{hub.folder}/serve.log", "rb") as file:
        log = file.read()
    raw = re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]|\x1b(?!\[[0-9;]*m)", log)
    assert not raw, f"in the log: {log[max(0, raw.start() - 60):raw.end() + 30]!r}"
    print(f"pages: {looked} looked at, nothing is shown raw; {lines} lines on a terminal; {time.monotonic() - began:.0f} s")


served(check)
