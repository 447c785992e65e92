"""Sends a served hub extreme numbers in every parameter and field that its description names, in every parameter, query and header of
every GET that it declares (Docs/rights.md), and in every field of the forms of its pages, as a visitor, a member and the owner: no server
error, answers in time, and the program lives. The request that ended it is told.

Usage: extremes.py. With CHIRP_WHOLE set every field gets every number of everybody, otherwise each a few of them in turn.
`NumberSweepTests` does the same without a connection.
"""

import base64
import http.client
import json
import re
import socket
import time
import urllib.parse

from household import ROOT, WHOLE, Forms, Nobody, Wire, served

NUMBERS = [str(number + more) for number in (2**63 - 1, -(2**63), 2**31 - 1, -(2**31), 2**32, 2**64, 2**53) for more in (-1, 0, 1)] + [
    "-1", "0", "1", "1e308", "-1e308", "1e309", "NaN", "inf", "5e-324", "-0", "9" * 400]
GREATEST = str(2**63 - 1)
CURSORS = ["before", "after", "max_id", "min_id", "since_id"]
# Of queries, whether a description names them or not.
NAMES = CURSORS + ["limit", "within", "version", "zoom", "at", "box", "near", "pin", "size", "placeId", "from", "to", "key", "maxwidth",
                   "maxheight", "offset", "question"]
# Of bodies whose description names none.
UNNAMED = {
    "/api/v1/statuses": ["status", "in_reply_to_id", "media_ids[]"], "/api/v1/reports": ["account_id", "status_ids[]"],
    "/api/hub/v1/moderation/cases/{id}/decisions": ["days"], "/api/hub/v1/moderation/addresses": ["days", "prefix"],
    "/api/hub/v1/moderation/invitations": ["uses", "days"],
}
# What stands in the other fields meanwhile.
GOOD = {
    "status": "Hello", "title": "Zinnober keys", "text": "Five of them", "category": "keys", "side": "lost", "at": "50.7339,7.0997",
    "precision": "near", "what": "suspend", "why": "A reason", "state": "decided", "prefix": "192.0.2.0/24", "reason": "spam", "answer": "Yes",
    "do": "replay", "template": "mostInAMinute", "amount": "12.50", "currency": "EUR", "price": "amount", "name": "A name", "kind": "beat",
}
# What ends an account, its sessions or its token.
ENDING = re.compile(r"sign-?out|revoke|/account$|/sessions|recover|/settings/(delete|account|export|sessions)|/confirm|/reset")
# What is answered for as long as somebody listens.
STREAMS = re.compile(r"/events$|/streaming/(public|user)")


def value(name, number):
    """A number as a field of that name has it: places are of several."""
    return {"at": f"{number},{number}", "near": f"{number},{number}", "pin": f"{number},{number}",
            "box": ",".join([number] * 4), "size": f"{number}x{number}"}.get(name, number)


class Turns:
    """The numbers of a field: all of them, or the next ones. Where a list goes on the greatest is always among them."""

    def __init__(self):
        self.turn = 0

    def __call__(self, name, few=1):
        if WHOLE:
            return NUMBERS
        found = [NUMBERS[(self.turn + place) % len(NUMBERS)] for place in range(few)]
        self.turn += few
        return [GREATEST] + found if name in CURSORS else found


class Asker:
    def __init__(self, name, browser=None, token=None):
        self.name = name
        self.page = {"Cookie": browser.cookies} if browser else {}
        self.call = {"Authorization": f"Bearer {token}"} if token else {}


class Fields(Forms):
    """The forms of a page, with what stands in them before anybody types."""

    def handle_starttag(self, tag, attributes):
        super().handle_starttag(tag, attributes)
        facts = dict(attributes)
        if tag in ("input", "textarea", "select") and self.found and facts.get("name") and facts.get("type") not in ("file", "submit", "image"):
            self.found[-1][2].setdefault(facts["name"], facts.get("value") or GOOD.get(facts["name"], ""))


class Sweep:
    def __init__(self, hub):
        self.hub, self.wire, self.turns, self.place = hub, Wire(hub), Turns(), 0
        ann, owner = hub.member("ann"), hub.owner()
        self.askers = [Asker("visitor"), Asker("member", ann, ann.token), Asker("owner", owner, owner.token)]
        self.browsers = [ann, owner]
        listing = self.made(ann, "/api/hub/v1/lost-and-found")
        challenge = self.made(ann, "/api/hub/v1/challenges", category="skill")
        status = self.made(ann, "/api/v1/statuses")
        person = ann.call("GET", "/api/v1/accounts/verify_credentials").json["id"]
        self.ids = [
            (r"/lost-and-found/", listing), (r"/challenges/", challenge), (r"/accounts/", person), (r"/(statuses|posts)/", status), (r"", "999999")]

    def made(self, person, path, **more):
        answer = person.call("POST", path, GOOD | more)
        assert answer.status in (200, 201), (path, answer.status, answer.text[:300])
        return answer.json["id"]

    def path(self, template, changed=None, number=None):
        """An address with things that there are, and a number in the place of one parameter."""
        def one(match):
            name = match[1] or match[2]
            if name == changed:
                return number
            if name == "handle":
                return "ann"
            return next(found for where, found in self.ids if re.search(where, template)) if name == "id" else "999999"
        return re.sub(r"\{(\w+)\}|:(\w+)", one, template)

    def ask(self, method, path, body=None, headers=None, isCall=True):
        """As somebody; as everybody, one after another, at full size."""
        self.place += 1
        for place, asker in enumerate(self.askers):
            if WHOLE or self.place % len(self.askers) == place:
                own = asker.call if isCall else asker.page
                status, _, _ = self.wire.ask(method, path, body, (headers or {}) | own)
                assert status is not None or self.hub.isAlive, f"{asker.name}: {method} {path[:300]} {str(body)[:300]}"

    # What programs send.

    def calls(self):
        described = Nobody(self.hub).get("/api/openapi.json").json
        count = 0
        for template, acts in described["paths"].items():
            for method, facts in acts.items():
                if ENDING.search(template) or STREAMS.search(template):
                    continue
                count += 1
                method = method.upper()
                for name in re.findall(r"\{(\w+)\}", template):
                    for number in NUMBERS:
                        self.ask(method, self.path(template, name, number), None if method == "GET" else b"{}",
                                 {} if method == "GET" else {"Content-Type": "application/json"})
                for one in facts.get("parameters", []):
                    if one.get("in") == "query":
                        for number in NUMBERS:
                            self.ask(method, f"{self.path(template)}?{one['name']}={value(one['name'], number)}")
                schema = facts.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
                fields = list(schema.get("properties") or {}) + UNNAMED.get(template, [])
                for name in fields:
                    for number in NUMBERS:
                        others = {other: GOOD[other] for other in fields if other in GOOD and other != name}
                        sent = json.dumps(others)[:-1] + (", " if others else "") + json.dumps(name) + ": "
                        isNumber = name not in ("at", "pin") and re.fullmatch(r"-?(0|[1-9][0-9]*)(e-?[0-9]+)?", number)
                        sent += (number if isNumber else json.dumps(value(name, number))) + "}"
                        self.ask(method, self.path(template), sent.encode(), {"Content-Type": "application/json"})
                if "/uploads" in template and method != "GET":
                    for number in NUMBERS:
                        coded = base64.b64encode(number.encode()).decode()
                        self.ask(method, self.path(template), b"", {
                            "Content-Type": "application/offset+octet-stream", "Tus-Resumable": "1.0.0", "Upload-Length": number,
                            "Upload-Offset": number, "Upload-Metadata": f"filename YS53YXY=,kind ZmlsbQ==,timer {coded},expires {coded}"})
        return count

    # Every GET that is declared.

    def gets(self):
        with open(f"{ROOT}/Docs/rights.md", encoding="utf-8") as file:
            templates = re.findall(r"^\| GET \| `([^`]+)`", file.read(), re.M)
        for template in templates + ["/media/:file"]:
            if ENDING.search(template) or STREAMS.search(template):
                continue
            isCall = template.startswith("/api/")
            for name in re.findall(r"[:{](\w+)", template):
                for number in NUMBERS:
                    self.ask("GET", self.path(template, name, number), isCall=isCall)
            for name in NAMES:
                for number in self.turns(name):
                    self.ask("GET", f"{self.path(template)}?{name}={value(name, number)}", isCall=isCall)
            for number in self.turns("Range"):
                self.ask("GET", self.path(template), None, {"Range": f"bytes={number}-{number}"}, isCall)
        return len(templates)

    def streams(self):
        """Of what does not end the beginning is read."""
        count = 0
        for template in ["/api/v1/events", "/api/v1/streaming/public", "/api/v1/streaming/user", "/api/hub/v1/live/events", "/api/hub/v1/frame/events"]:
            for asker in self.askers:
                for number in NUMBERS:
                    for path, headers in [(f"{template}?after={number}", {}), (template, {"Last-Event-ID": number})]:
                        connection = http.client.HTTPConnection("127.0.0.1", int(self.hub.port), timeout=20)
                        try:
                            connection.request("GET", path, None, headers | asker.call | {"Accept": "text/event-stream"})
                            answer = connection.getresponse()
                            answer.read1(200)
                        except (http.client.HTTPException, socket.timeout, OSError) as error:
                            raise AssertionError(f"{asker.name}: GET {path} {headers}: {error!r}") from error
                        finally:
                            connection.close()
                        assert answer.status < 500, f"{asker.name}: GET {path} {headers}: {answer.status}"
                        count += 1
        return count

    # What people send.

    def forms(self):
        with open(f"{ROOT}/Docs/rights.md", encoding="utf-8") as file:
            pages = [page for page in re.findall(r"^\| GET \| `([^`]+)`", file.read(), re.M) if not page.startswith(("/api/", "/ap/"))]
        sent, done = 0, set()
        for browser in self.browsers:
            for page in pages:
                if ENDING.search(page) or STREAMS.search(page):
                    continue
                path = self.path(page)
                answer = browser.get(path)
                assert answer.status < 500, f"{path}: {answer.status}"
                if not answer.headers.get("Content-Type", "").startswith("text/html"):
                    continue
                for action, method, fields in Fields(answer.text).found:
                    goal = urllib.parse.urljoin(path, action or path)
                    shape = (re.sub(r"/[0-9A-Za-z]{22}|/\d+", "/*", goal.split("?")[0]), tuple(sorted(fields)))
                    if method != "post" or not goal.startswith("/") or ENDING.search(goal) or shape in done:
                        continue
                    done.add(shape)
                    for name in fields:
                        if name in ("token", "password"):
                            continue
                        for number in self.turns(name, few=3):
                            body = urllib.parse.urlencode(fields | {name: value(name, number)}).encode()
                            self.wire.ask("POST", goal, body, {
                                "Content-Type": "application/x-www-form-urlencoded", "Origin": self.hub.origin, "Cookie": browser.cookies})
                            sent += 1
        return sent


def check(hub):
    began = time.monotonic()
    sweep = Sweep(hub)

    def say(words):
        statuses = dict(sorted(sweep.wire.statuses.items()))
        print(f"{words}; {sweep.wire.count} requests {statuses}, slowest {sweep.wire.slowest[1]:.2f} s ({sweep.wire.slowest[0]}); "
              f"{time.monotonic() - began:.0f} s", flush=True)

    say(f"streams: {sweep.streams()} opened")
    say(f"calls: {sweep.calls()} routes")
    say(f"gets: {sweep.gets()} routes")
    say(f"forms: {sweep.forms()} sent")
    assert hub.isAlive and Nobody(hub).get("/health").status == 200


served(check)
