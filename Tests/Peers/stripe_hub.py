"""Sells and auctions by the real program at localstripe, a service for cards that was not written here: its intents, captures, cards and
refunds, and its own signed messages. The payment pages, which it lacks, are ours (selling/pages.py). What has become of the money is asked
of it in the end with the official library.

Usage: stripe_hub.py ADDRESSES, which is not used; the program is what CHIRP_PROGRAM names. The hub is one of its own, in a temporary folder.
"""

import os
import socket
import subprocess
import sys
import tempfile

import stripe

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "selling"))
from pages import Pages
from shop import BEATS, WEBHOOK, Caller, Shop, cards, eventually

KEY, SECRET = "sk_test_12345", "whsec_localstripe"
# Of localstripe's, the one that is refused as soon as it is seen.
REFUSED = "4000000000000002"


class LocalStripe:
    def __init__(self):
        with socket.socket(socket.AF_INET6) as one:
            one.bind(("::", 0))
            port = one.getsockname()[1]
        self.base = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "localstripe", "--port", str(port), "--from-scratch"], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)

        def listens():
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) == 0
        eventually("localstripe listens", listens)

    def end(self):
        # It would wait for whoever keeps a connection.
        self.process.kill()
        self.process.wait()


def buying(shop, pages):
    """A card that is refused and then one that pays; delivered when localstripe has told of it, and given back."""
    track = shop.track("Rain")
    licence, buyer = shop.licence(track, "12.50"), shop.buyers[0]
    order = shop.buy(track, licence, buyer, "one")
    assert shop.buy(track, licence, buyer, "one")["address"] == order["address"], "the same wish has two pages"
    assert not pages.press(order["address"], REFUSED)
    assert shop.ask("POST", f"{BEATS}/purchases/{order['id']}/look", buyer, {})["state"] == "reserved"
    assert pages.press(order["address"])
    shop.until(order["id"], "delivered")
    outcomes = heard(shop, "payment_intent.succeeded", 1)
    assert outcomes[0] in ("applied: paid", "applied: delivered"), outcomes
    shop.ask("POST", f"{BEATS}/sales/{order['id']}/refund", shop.owner, {"reason": "sorry"})
    shop.until(order["id"], "refunded")


def heard(shop, kind, count):
    """What has become of messages of a kind; they come a second later."""
    rows = []

    def enough():
        rows[:] = shop.hub.rows("SELECT outcome FROM providerEvents WHERE kind = ? AND applied IS NOT NULL", kind)
        return len(rows) >= count
    eventually(f"{count} of {kind}", enough)
    return [outcome for outcome, in rows]


def bid(shop, track, person, amount, pages):
    """A bid as a program places it: what it binds to, the page for its card, and once more. Says whether money is held or a card kept."""
    path = f"{BEATS}/{track}/auction"
    binding = shop.ask("GET", f"{path}/binding?amount={amount}", person)
    assert binding["keepsCard"], binding
    wish = {"amount": amount, "version": binding["version"], "card": binding["card"], "key": f"{track}{amount}"}

    def place():
        return shop.ask("POST", f"{path}/bids", person, wish, 201)
    step = place()
    assert pages.press(step["address"]), step
    eventually("the bid is placed", lambda: "address" not in place())
    return binding["card"]


def auction(shop, pages, title, days, amounts):
    """Two people bid, the second one more."""
    track = shop.track(title)
    shop.auction(track, "10.00", "1.00", days * 86_400)
    ways = {bid(shop, track, person, amount, pages) for person, amount in zip(shop.buyers[1:], amounts)}
    assert len(ways) == 1, ways
    return track, ways.pop()


def order_of(shop, track, person):
    return shop.hub.rows("SELECT id, payment, card FROM orders WHERE item = ? AND buyer = ?", track, person.id)[0]


def audit(shop, service):
    """What localstripe says of the money, asked by the official library."""
    stripe.api_base, stripe.api_key = service.base, KEY
    intents = {one.metadata["order"]: one for one in stripe.PaymentIntent.list(limit=100).auto_paging_iter() if one.metadata}
    paid = 0
    for order, state, amount, payment in shop.hub.rows("SELECT id, state, amount, payment FROM orders"):
        intent = stripe.PaymentIntent.retrieve(payment) if payment else None
        match state:
            case "delivered":
                assert intent.status == "succeeded" and intent.amount == amount and not intent.latest_charge.refunded, intent
                paid += amount
            case "refunded":
                assert intent.status == "succeeded" and intent.latest_charge.refunded, intent
            case "released":
                assert intent is None or intent.status == "canceled", intent
            case _:
                raise AssertionError(state)
    got = sum(one.amount for one in intents.values() if one.status == "succeeded" and not one.latest_charge.refunded)
    assert got == paid == shop.hub.one("SELECT SUM(amount) FROM orderLedger WHERE side = 'seller'"), (got, paid)
    return paid


def main():
    service, holder = LocalStripe(), {}
    pages = Pages(service.base, KEY, SECRET, lambda content, signature: holder["caller"].tell(content, signature))
    with tempfile.TemporaryDirectory() as top:
        shop = Shop(top, buyers=3, tracks=3, **cards(pages.base, KEY, SECRET))
        holder["caller"] = Caller(shop)
        try:
            # The second one signs by a secret that the hub does not know.
            for name, secret in [("hub", SECRET), ("other", "whsec_other")]:
                pages.call("POST", f"/_config/webhooks/{name}", {"url": f"http://127.0.0.1:{shop.hub.port}{WEBHOOK}", "secret": secret})
            buying(shop, pages)
            held, way = auction(shop, pages, "Held", 2, ["20.00", "30.00"])
            assert way == "hold", way
            kept, way = auction(shop, pages, "Kept", 9, ["25.00", "35.00"])
            assert way == "keep", way
            shop.over([held, kept])
            loser, winner = shop.buyers[1:]
            for track in [held, kept]:
                shop.until(order_of(shop, track, winner)[0], "delivered", 300)
                shop.until(order_of(shop, track, loser)[0], "released", 300)
            heard(shop, "payment_intent.succeeded", 3)
            refused = shop.hub.one("SELECT SUM(count) FROM providerRefusals WHERE why = 'wrong'")
            assert refused >= 3, refused
            paid = audit(shop, service)
            card = stripe.PaymentMethod.retrieve(order_of(shop, kept, loser)[2])
            assert card.customer is None, "the card of who has lost is kept"
            shop.check()
        except BaseException:
            print(shop.hub.said())
            raise
        finally:
            shop.end()
            pages.end()
            service.end()
    print(f"localstripe and the program: bought and given back, won by a hold and by a kept card, {paid / 100:.2f} EUR on both sides, "
          f"{refused} messages of another's refused")


if __name__ == "__main__":
    main()
