"""Delivers what a service for cards tells of many orders to the real program, which is killed meanwhile: each message three times and in any
order, one of twenty never, one of a hundred forged, one of a hundred copies with a wrong amount or currency, and untrue ones about orders
that nobody has paid. In the end every order is where it belongs, what was paid is there once, and the ledger adds up.

Usage: stripe_stream.py ADDRESSES [ORDERS [KILLS]]; the program is what CHIRP_PROGRAM names. 1,000 orders with CHIRP_WHOLE set, otherwise 80.
The hub is one of its own, in a temporary folder. Lost messages are asked for by the hub itself, after a minute and more.
"""

import concurrent.futures
import hashlib
import hmac
import json
import os
import random
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "selling"))
from shop import BEATS, Caller, Shop, cards, eventually, recording

SECRET, KEY = "whsec_stream", "sk_test_loopback"
PRICES = [("1.10", "EUR"), ("12.50", "USD"), ("29.90", "EUR"), ("199.99", "EUR"), ("47.11", "USD")]
CALLERS = 8


class Service:
    """The loopback service for cards, as its buyers and its messages' carrier see it."""

    def __init__(self, base):
        self.base, self.before = base, 0
        self.before = len(self.messages())

    def messages(self):
        with urllib.request.urlopen(f"{self.base}/messages?after={self.before}", timeout=60) as answer:
            return json.load(answer)["messages"]

    def press(self, address):
        """The form of a page is sent. It leads back to the hub, where this buyer does not go."""
        request = urllib.request.Request(address, b"", method="POST")
        try:
            urllib.request.build_opener(Stays()).open(request, timeout=60)
        except urllib.error.HTTPError as error:
            assert error.code == 303, error


class Stays(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def signed(content, secret=SECRET):
    now = int(time.time())
    return f"t={now},v1={hmac.new(secret.encode(), f'{now}.'.encode() + content, hashlib.sha256).hexdigest()}"


def spoilt(content, chance):
    """A copy that says another amount, or another currency."""
    message = json.loads(content)
    thing = message["data"]["object"]
    if chance.random() < 0.5:
        for name in ["amount", "amount_total", "amount_received"]:
            if name in thing:
                thing[name] += 1
    else:
        thing["currency"] = "sek"
    return json.dumps(message).encode()


def untrue(order, number):
    """Says of an order that it was paid."""
    return json.dumps({"id": f"evt_untrue_{number}", "object": "event", "type": "checkout.session.completed", "data": {"object": {
        "id": order["page"], "object": "checkout.session", "status": "complete", "payment_status": "paid",
        "metadata": {"order": order["id"]}, "amount_total": order["amount"], "currency": order["currency"].lower()}}}).encode()


def deliveries(messages, unpaid, chance):
    """What arrives, as content and secret, in the order in which it does; and how much of it is forged."""
    found, forged, lost = [], 0, 0
    for message in messages:
        content = message["content"].encode()
        if chance.random() < 0.01:
            found.append((content, "whsec_guessed"))
            forged += 1
        if chance.random() < 0.05:
            lost += 1
            continue
        for _ in range(3):
            found.append((spoilt(content, chance) if chance.random() < 0.01 else content, SECRET))
    found += [(untrue(order, number), SECRET) for number, order in enumerate(unpaid)]
    chance.shuffle(found)
    return found, forged, lost


class Work:
    """Work for several callers, during which the hub is killed at some of it."""

    def __init__(self, shop, parts, kills, chance):
        self.shop, self.parts, self.next, self.lock = shop, parts, 0, threading.Lock()
        self.deaths = sorted(chance.sample(range(len(parts)), min(kills, len(parts))))

    def each(self, act):
        """Does it with each part; gives what that gives, in the order of parts."""
        found = [None] * len(self.parts)

        def call():
            caller = Caller(self.shop)
            while True:
                with self.lock:
                    number, self.next = self.next, self.next + 1
                    dies = bool(self.deaths and self.deaths[0] <= number)
                    if dies:
                        self.deaths.pop(0)
                if number >= len(self.parts):
                    return caller.close()
                if dies:
                    # The others go on asking it.
                    killer = threading.Thread(target=self.shop.kill)
                    killer.start()
                found[number] = act(self.parts[number], caller)
                if dies:
                    killer.join()

        with concurrent.futures.ThreadPoolExecutor(CALLERS) as pool:
            for one in [pool.submit(call) for _ in range(CALLERS)]:
                one.result()
        return found


def main(base, count, kills):
    seed = int(os.environ.get("CHIRP_TEST_SEED", time.time_ns() // 1_000_000))
    chance, begin = random.Random(seed), time.monotonic()
    service = Service(base)
    with tempfile.TemporaryDirectory() as top:
        shop = Shop(top, buyers=50, **cards(base, KEY, SECRET))
        try:
            track = shop.track("Rain")
            licences = [shop.licence(track, *price) for price in PRICES]
            wishes = [(f"order{number}", shop.buyers[number % 50], chance.choice(licences)) for number in range(count)]
            orders = Work(shop, wishes, kills // 3, chance).each(
                lambda wish, caller: shop.buy(track, wish[2], wish[1], wish[0], caller))
            assert len({order["id"] for order in orders}) == count and all(order["address"] for order in orders)
            paid, unpaid = [], []
            for order in orders:
                order["page"] = order["address"].rsplit("/", 1)[1]
                (unpaid if chance.random() < 0.1 else paid).append(order)
            for order in orders:
                service.press(order["address"] if order in paid else f"{order['address']}/end")
            messages = service.messages()
            parts, forged, lost = deliveries(messages, unpaid, chance)
            answers = Work(shop, parts, kills - kills // 3, chance).each(
                lambda part, caller: caller.tell(part[0], signed(*part)))
            for (_, secret), status in zip(parts, answers):
                assert status == (204 if secret == SECRET else 400), status
            told = time.monotonic() - begin
            at_once = shop.hub.one("SELECT COUNT(*) FROM orders WHERE state = 'delivered'")
            shop.kill()
            eventually(
                "every order is at its end", lambda: not shop.hub.rows(
                    "SELECT id FROM orders WHERE state NOT IN ('delivered', 'refunded', 'failed', 'expired') LIMIT 1"), 900)
            judge(shop, paid, unpaid, forged)
        except BaseException:
            print(f"CHIRP_TEST_SEED={seed}", shop.hub.said())
            raise
        finally:
            shop.end()
    print(
        f"stream: {count} orders, {len(messages)} messages ({lost} lost), {len(parts)} deliveries ({forged} forged, {len(unpaid)} untrue) "
        f"answered after {told:.0f} s with {shop.hub.kills} kills: {at_once} of {len(paid)} delivered by then; after "
        f"{time.monotonic() - begin:.0f} s all {count} ended right, none unpaid, none twice, the ledger adds up")


def judge(shop, paid, unpaid, forged):
    states = dict(shop.hub.rows("SELECT id, state FROM orders"))
    wrong = [order["id"] for order in paid if states[order["id"]] != "delivered"]
    wrong += [order["id"] for order in unpaid if states[order["id"]] not in ("expired", "failed")]
    assert not wrong and len(states) == len(paid) + len(unpaid), f"{len(wrong)} ended wrong: {wrong[:5]}"
    shop.check()
    for currency in ["EUR", "USD"]:
        got = shop.hub.one(
            """SELECT COALESCE(SUM(orderLedger.amount), 0) FROM orderLedger JOIN orderMovements ON orderMovements.sequence = movement
            WHERE side = 'seller' AND currency = ?""", currency)
        assert got == sum(order["amount"] for order in paid if order["currency"] == currency), (currency, got)
    # One whose answer was lost when the hub died is refused twice.
    refused = shop.hub.one("SELECT COALESCE(SUM(count), 0) FROM providerRefusals WHERE why = 'wrong'")
    assert forged <= refused <= forged + shop.hub.kills * CALLERS, (forged, refused)
    # What was bought can be fetched.
    order = paid[0]
    buyer = next(person for person in shop.buyers if person.id == shop.hub.one("SELECT buyer FROM orders WHERE id = ?", order["id"]))
    file = shop.ask("GET", f"{BEATS}/purchases/{order['id']}", buyer)["files"][0]
    path = BEATS + "/" + file["url"].split("/beats/", 1)[1]
    status, content = shop.caller.send("GET", path, None, {"Authorization": f"Bearer {buyer.token}"})
    assert status == 200 and content == recording(), status


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        address = json.load(file)["stripe"]
    numbers = [int(word) for word in sys.argv[2:]]
    amount = numbers[0] if numbers else 1000 if os.environ.get("CHIRP_WHOLE") else 80
    main(address, amount, numbers[1] if len(numbers) > 1 else max(3, amount // 100))
