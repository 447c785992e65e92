"""Gives a hub on which something is auctioned a mail server with faults, and kills it while letters wait: each letter is put off, has no room,
is hung up on, or is taken without the hub hearing so. Whoever was outbid, has won or got what she paid for is written to once for each
cause, and so is the seller (boards.md 5.1.9).

Usage: dealing.py. That time goes by between tries is written down while the hub is dead, so that nobody waits for it.
"""

import asyncio
import collections
import email
import email.policy
import os
import socket
import sys
import tempfile
import threading
import time

from aiosmtpd.controller import Controller

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Peers", "selling"))
from shop import BEATS, Shop, eventually

# Of each letter the first try meets the next of these; after it all is well.
FAULTS = ["put off", "no room", "cut", "put off", "hang", "cut", "no room"]


class Server:
    def __init__(self):
        self.taken, self.seen, self.met, self.lock = [], set(), collections.Counter(), threading.Lock()
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        self.controller = Controller(self, hostname="127.0.0.1", port=port)
        self.controller.start()
        self.port = self.controller.server.sockets[0].getsockname()[1]

    def fault(self, id):
        """What befalls a letter now."""
        with self.lock:
            if id in self.seen:
                return None
            fault = FAULTS[len(self.seen) % len(FAULTS)]
            self.seen.add(id)
            self.met[fault] += 1
            return fault

    async def handle_DATA(self, server, session, envelope):
        letter = email.message_from_bytes(envelope.content, policy=email.policy.default)
        id = letter["Message-ID"].strip("<>").split("@")[0]
        fault = self.fault(id)
        if fault == "put off":
            return "451 4.7.1 come again"
        if fault == "no room":
            return "452 4.2.2 no room"
        if fault == "hang":
            await asyncio.sleep(600)
        with self.lock:
            self.taken.append((id, envelope.rcpt_tos[0], fault))
        # It has taken it, and nobody hears so.
        if fault == "cut":
            server.transport.abort()
            await asyncio.sleep(0)
        return "250 taken"


def bidding(shop, track, buyers):
    """Each is outbid by the next one, and the first comes back in the end and wins."""
    amounts = []
    for number, buyer in enumerate([*buyers, buyers[0]]):
        amount = f"{10 + number}.00"
        path = f"{BEATS}/{track}/auction"
        binding = shop.ask("GET", f"{path}/binding?amount={amount}", buyer)
        wish = {"amount": amount, "version": binding["version"], "card": binding["card"], "key": amount}
        for _ in range(2):
            shop.ask("POST", f"{path}/bids", buyer, wish, 201)
        amounts.append((amount, buyer))
    return amounts


def die(shop):
    """Dies with letters on their way; when it is served again they are due."""
    shop.hub.kill()
    shop.hub.write(lambda database: database.execute("UPDATE letters SET next = 0 WHERE state = 'waiting'"))
    shop.hub.serve()


def delivered(shop, server):
    """Everything is written that is to be, and nothing waits any more."""
    for _ in range(30):
        before = len(server.seen), len(server.taken)
        end = time.monotonic() + 10
        while time.monotonic() < end and waiting(shop) and (len(server.seen), len(server.taken)) == before:
            time.sleep(0.2)
        if not waiting(shop):
            return
        # Between two letters, within one, or while the server hangs.
        die(shop)
    raise AssertionError(f"{waiting(shop)} letters wait: {server.met}")


def waiting(shop):
    return shop.hub.one("SELECT COUNT(*) FROM letters WHERE state = 'waiting'")


def check(shop, server):
    track = shop.track("Rain")
    buyers = shop.buyers[:5]
    shop.auction(track, "10.00", "1.00", 7200)
    bids = bidding(shop, track, buyers)
    delivered(shop, server)
    shop.over([track])
    winner = buyers[0]
    eventually("the winner has her turn", lambda: shop.hub.rows("SELECT 1 FROM auctionOffers WHERE state = 'open'"), 300)
    order = shop.ask("POST", f"{BEATS}/{track}/auction/payment", winner, {})["order"]
    shop.ask("POST", f"{BEATS}/sales/{order}/payment", shop.owner, {})
    shop.until(order, "delivered")
    eventually("the auction is sold", lambda: shop.hub.rows("SELECT 1 FROM auctions WHERE state = 'sold'"), 300)
    delivered(shop, server)
    judge(shop, server, winner, len(bids))


def judge(shop, server, winner, bids):
    causes = dict(shop.hub.rows("SELECT id, cause FROM letters"))
    kinds = collections.Counter(cause.split(":")[2] for cause in causes.values())
    # Each bid but the last was outbid; the seller hears that somebody has won, and that it is sold.
    assert kinds["outbid"] == bids - 1 and kinds["auction-turn"] == 1 and kinds["mention"] == 1, kinds
    assert kinds["auction"] >= 2, kinds
    told = shop.hub.rows("SELECT account, cause FROM notices WHERE kind IN ('bid', 'mention')")
    assert sorted(causes.values()) == sorted(f"notice:{account}:{cause}" for account, cause in told), "a notice and no letter, or two"
    dropped = shop.hub.rows("SELECT cause FROM letters WHERE state <> 'sent'")
    assert not dropped, dropped
    arrived = collections.Counter(id for id, *_ in server.taken)
    assert set(arrived) == set(causes), "something else arrived, or something did not"
    # What arrived and was not heard of comes again, under the id by which mail programs know it; so does what the hub died over.
    twice = [id for id, count in arrived.items() if count > 1]
    cut = {id for id, _, fault in server.taken if fault == "cut"}
    assert len(set(twice) - cut) <= shop.hub.kills and max(arrived.values()) <= 2 + shop.hub.kills, arrived
    people = dict(shop.hub.rows("SELECT id, mail FROM accounts"))
    for id, recipient, _ in server.taken:
        assert recipient == people[causes[id].split(":")[1]], "a letter went to somebody else"
    assert set(FAULTS) <= set(server.met), server.met
    print(f"dealing: {len(causes)} causes ({dict(kinds)}) arrived once each, past {sum(server.met.values())} faults {dict(server.met)} "
          f"and {shop.hub.kills} kills; {len(cut)} came again under their own ids, since nobody had heard of them")


def main():
    server = Server()
    with tempfile.TemporaryDirectory() as top:
        shop = Shop(top, buyers=5, CHIRP_HUB_MAIL_HOST="127.0.0.1", CHIRP_HUB_MAIL_PORT=str(server.port))
        try:
            shop.hub.stop()
            shop.hub.write(addresses)
            shop.hub.serve()
            check(shop, server)
        except BaseException:
            print(shop.hub.said())
            raise
        finally:
            shop.end()
            server.controller.stop()


def addresses(database):
    """The seller has one as well, and buyers want letters about what is sent to them."""
    database.execute("UPDATE accounts SET mail = 'me@people.example.org' WHERE id = 'me'")
    database.execute(
        "INSERT INTO noticeChoices (account, kind, onPage, byMail, byPush) SELECT id, 'mention', 1, 1, 0 FROM accounts WHERE id <> 'me'")


main()
