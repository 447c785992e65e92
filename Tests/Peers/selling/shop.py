"""A served hub that can be killed, whose owner sells beats, with tracks that were listened to already and people who buy.

Shared by the checks of payments over the real program; a service for cards is theirs."""

import http.client
import json
import os
import sys
import threading
import time
from datetime import datetime, timezone

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Races"))
from hub import PATIENCE, Hub, Person, admit, eventually, settle
from masters import listened, recording

BEATS = "/api/hub/v1/beats"
WEBHOOK = "/api/hub/v1/payments/stripe"


def cards(api, key, secret):
    """Settings of a hub whose owner is paid by a service for cards."""
    return {
        "CHIRP_HUB_PAYMENTS": "stripe", "CHIRP_HUB_STRIPE_API": api, "CHIRP_HUB_STRIPE_KEY": key,
        "CHIRP_HUB_STRIPE_WEBHOOK_SECRET": secret}


class Shop:
    """Paid by hand, where its settings say nothing else."""

    def __init__(self, top, buyers, tracks=1, **settings):
        self.hub = Hub(top, CHIRP_HUB_BOARDS="beats", **settings)
        self.owner = Person("me", 1)
        self.owner.id = "me"
        self.buyers = [Person(f"buyer{number}", 1) for number in range(buyers)]
        self.killing = threading.Lock()
        self.hub.stop()
        self.hub.write(lambda database: self.fill(database, tracks))
        self.hub.serve()
        self.caller = Caller(self)

    def fill(self, database, tracks):
        """Recordings as if they had been sent and listened to."""
        settle(database, self.buyers)
        admit(database, self.owner, int(time.time() * 1000))
        self.masters = listened(database, self.hub.folder, self.owner.id, tracks)

    def ask(self, method, path, person=None, body=None, status=200):
        return self.caller.ask(method, path, person, body, status)

    def track(self, title):
        return self.ask(
            "POST", BEATS, self.owner, {"kind": "beat", "title": title, "master": self.masters.pop(), "key": title}, 201)["id"]

    def licence(self, track, amount, currency="EUR"):
        return self.ask("POST", f"{BEATS}/{track}/licences", self.owner, {
            "template": "wav", "files": ["wav"], "price": "amount", "amount": amount, "currency": currency}, 201)["id"]

    def auction(self, track, start, step, ends):
        """Opened by the owner; its end in seconds from now."""
        at = datetime.fromtimestamp(time.time() + ends, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        self.ask("PUT", f"{BEATS}/{track}/auction", self.owner, {
            "start": start, "step": step, "currency": "EUR", "ends": at, "key": track})

    def over(self, tracks):
        """The time of auctions is over: as if they and their bids were so much older."""
        self.hub.stop()

        def older(database):
            # What keeps bids as they are stands in the way of a clock that is moved.
            kept = database.execute("SELECT name, sql FROM sqlite_master WHERE name IN ('auctionsStay', 'bidsStay')").fetchall()
            for name, _ in kept:
                database.execute(f"DROP TRIGGER {name}")
            for track in tracks:
                age, number = database.execute(
                    "SELECT ends - ?, sequence FROM auctions WHERE item = ?", [int(time.time() * 1000) - 1000, track]).fetchone()
                database.execute("UPDATE auctions SET ends = ends - ?1, created = created - ?1 WHERE sequence = ?2", [age, number])
                database.execute("UPDATE bids SET ends = ends - ?1, at = at - ?1 WHERE auction = ?2", [age, number])
            for _, sql in kept:
                database.execute(sql)
        self.hub.write(older)
        self.hub.serve()

    def buy(self, track, licence, person, key, caller=None):
        return (caller or self.caller).ask(
            "POST", f"{BEATS}/{track}/licences/{licence}/purchase", person, {"name": f"Ms {person.handle}", "key": key}, 201)

    def state(self, order):
        return self.hub.one("SELECT state FROM orders WHERE id = ?", order)

    def until(self, order, state, seconds=PATIENCE):
        eventually(f"{order} is {state}", lambda: self.state(order) == state, seconds)

    def kill(self):
        """Kills the hub, and serves it again."""
        with self.killing:
            self.hub.kill()
            self.hub.serve()

    def check(self):
        """What must hold of everything that was bought."""
        self.hub.check()
        for what, sql in LEDGER:
            found = self.hub.rows(sql)
            assert not found, f"{what}: {found[:5]}"

    def end(self):
        self.caller.close()
        self.hub.end()


# Each finds what does not go together; nothing is right.
LEDGER = [
    ("a movement of money does not add up to nothing", """
        SELECT movement FROM orderLedger GROUP BY movement HAVING SUM(amount) <> 0 OR COUNT(*) <> 2"""),
    ("an order is not in the ledger as its state says", """
        SELECT orders.id, orders.state FROM orders LEFT JOIN orderMovements ON purchase = orders.sequence GROUP BY orders.sequence
        HAVING COALESCE(SUM(why = 'payment'), 0) <> (orders.state IN ('paid', 'delivered', 'refunding', 'refunded'))
            OR COALESCE(SUM(why <> 'payment'), 0) <> (orders.state = 'refunded')"""),
    ("an order was delivered twice, or was not and is said to be", """
        SELECT orders.id, orders.state, COUNT(posts.key) FROM orders LEFT JOIN posts ON posts.key = 'order:' || orders.id
        GROUP BY orders.sequence
        HAVING COUNT(posts.key) > (orders.state IN ('delivered', 'refunded'))
            OR COUNT(posts.key) < (orders.state = 'delivered')"""),
    ("an order has two licences, or none though it was delivered, or one though it was not", """
        SELECT orders.id, orders.state FROM orders LEFT JOIN grants ON buyOrder = orders.id AND ended IS NULL
        GROUP BY orders.sequence HAVING COUNT(grants.id) <> (orders.state = 'delivered')"""),
]


class Caller:
    """A connection to the hub. What is not answered, since the hub has died, is asked again: so callers name what they ask for."""

    def __init__(self, shop):
        self.shop, self.connection = shop, None

    def send(self, method, path, content=None, headers={}):
        end = time.monotonic() + PATIENCE
        while True:
            try:
                if not self.connection:
                    self.connection = http.client.HTTPConnection("127.0.0.1", self.shop.hub.port, timeout=PATIENCE)
                self.connection.request(method, path, content, headers)
                answer = self.connection.getresponse()
                body = answer.read()
                if answer.will_close:
                    self.close()
                if answer.status != 503:
                    return answer.status, body
            except (OSError, http.client.HTTPException):
                self.close()
            assert time.monotonic() < end, f"{method} {path}: no answer"
            time.sleep(0.05)

    def ask(self, method, path, person=None, body=None, status=200):
        headers = {"Authorization": f"Bearer {person.token}"} if person else {}
        content = None
        if body is not None:
            content, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        found, answer = self.send(method, path, content, headers)
        assert found == status, f"{method} {path}: {found} {answer[:500]!r}"
        return json.loads(answer) if answer else None

    def tell(self, content, signature):
        """Delivers a message of the service for cards, again and again until it is answered: says how."""
        status, _ = self.send("POST", WEBHOOK, content, {"Content-Type": "application/json", "Stripe-Signature": signature})
        return status

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None
