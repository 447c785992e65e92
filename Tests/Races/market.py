"""What the races of the board of beats share: sellers whose recordings were listened to already, licences, buyers, and what must hold when
somebody has bought what is sold once."""

import time

from hub import Answer, Line, Person, admit, eventually, settle
from masters import listened, recording
from races import Race, call

BEATS = "/api/hub/v1/beats"


class Market:
    """A hub with the board of beats alone, and the people in it. Its owner is paid by card, the other sellers by hand."""

    def __init__(self, hub, tracks, people=200, cards=None):
        self.hub, self.cards = hub, cards
        if cards:
            cards.hub_port = hub.port
        self.owner = Person("me", 25)
        self.owner.id = "me"
        self.sellers = [Person(f"producer{number}", 25) for number in range(10)]
        self.people = [Person(f"buyer{number}", 1) for number in range(people)]
        hub.stop()
        self.masters = {}
        hub.write(lambda database: self.fill(database, tracks))
        hub.serve()
        self.line = Line(hub)
        self.turn = 0

    def fill(self, database, tracks):
        """Recordings of all sellers, as if they had been sent and listened to."""
        settle(database, [*self.sellers, *self.people])
        then = int(time.time() * 1000) - 30 * 86_400_000
        admit(database, self.owner, then)
        for seller in [self.owner, *self.sellers]:
            count = tracks if seller is self.owner else -(-tracks // len(self.sellers))
            self.masters[seller.id] = listened(database, self.hub.folder, seller.id, count)

    def seller(self):
        self.turn += 1
        return self.sellers[self.turn % len(self.sellers)]

    def ask(self, method, path, person=None, body=None, status=200):
        answer = self.line.ask(method, path, person and person.token, body)
        assert answer.status == status, f"{method} {path}: {answer}"
        return answer.json if answer.body else None

    def track(self, seller, title):
        body = {"kind": "beat", "title": title, "master": self.masters[seller.id].pop(), "key": title}
        return self.ask("POST", BEATS, seller, body, 201)["id"]

    def licence(self, track, seller, template, amount, old=None):
        body = {"template": template, "files": ["wav"], "price": "amount", "amount": amount, "currency": "EUR"}
        return self.ask("POST", f"{BEATS}/{track}/licences", seller, body | ({"old": old} if old else {}), 201)["id"]

    def until(self, what, found):
        return eventually(what, found)

    def end(self):
        """What must hold when all is over, also in the hub's own eyes."""
        self.line.close()
        self.hub.check(thoroughly=True)
        self.hub.stop()
        looked = self.hub.run("hub", "check")
        assert looked.returncode == 0, f"chirp hub check: {looked.stdout}{looked.stderr}"


class Try:
    """What became of one buyer's wish: the last answer, what she had been shown before, and her order."""

    def __init__(self, answer, seen=None, isOrder=False):
        self.answer, self.seen = answer, seen
        self.status = answer.status
        self.order = answer.json if isOrder and answer.status == 201 else None


class Selling(Race):
    """A work with an exclusive licence and a lease, one of which was sold before, and what must hold of its orders."""
    # Four papers are drawn in a round, each for a tenth of a second and more.
    share = 0.25
    exclusive_price, lease_price = "90.00", "9.50"

    def seller_of(self, number):
        return self.world.seller()

    def prepare(self, number):
        self.number, self.seller = number, self.seller_of(number)
        self.track = self.world.track(self.seller, f"{type(self).__name__} {number}")
        self.work = self.hub.one("SELECT work FROM tracks WHERE item = ?", self.track)
        self.exclusive = self.world.licence(self.track, self.seller, "exclusive", self.exclusive_price)
        self.lease = self.world.licence(self.track, self.seller, "wav", self.lease_price)
        # Whose each order is, by which try, and what its buyer had been shown.
        self.orders, self.own, self.shown = {}, {}, {}

    # Buying.

    def buy(self, line, licence, person, tries=1, wait=None):
        """Reads what is to be known before, and buys; again where something else was sold meanwhile, or somebody is paying."""
        path = f"{BEATS}/{self.track}/licences/{licence}/purchase"
        answer = seen = None
        for number in range(tries):
            if number and wait:
                wait()
            shown = line.ask("GET", path, person.token)
            if shown.status != 200:
                return Try(answer or shown, seen)
            seen = shown.json
            body = {"name": f"Ms {person.handle}", "seen": seen["seen"], "key": f"{licence} {person.handle}"}
            answer = line.ask("POST", path, person.token, body)
            if answer.status != 409:
                break
        found = Try(answer, seen, isOrder=True)
        if found.order:
            known = self.orders.setdefault(found.order["id"], person)
            assert known is person, "two people have one order"
            known = self.own.setdefault((person, licence), found.order["id"])
            assert known == found.order["id"], "one try has two orders"
            self.shown.setdefault(found.order["id"], seen)
        return found

    def state(self, order):
        return self.hub.one("SELECT state FROM orders WHERE id = ?", order)

    def waiting(self):
        """Orders of the work that are not at their end."""
        return self.hub.rows(
            """SELECT id, buyer, licence, state, address FROM orders
            WHERE scope = ? AND state IN ('reserved', 'paid', 'refunding', 'releasing') ORDER BY sequence""", self.work)

    def person(self, id):
        return next(person for person in self.world.people if person.id == id)

    def settled(self):
        """All who are paying pay, and what has to go back goes back; whether nothing waits."""
        for order, buyer, licence, state, address in self.waiting():
            self.bring(order, self.person(buyer), state, address)
        return not self.waiting()

    def bring_all(self):
        self.world.until("all orders are at their end", self.settled)

    def settle_all(self):
        """Every order comes to its end; somebody buys where all had given up."""
        self.bring_all()
        if not self.sold():
            person = self.world.people[-1]
            found = self.buy(self.line, self.exclusive, person, 3)
            assert found.order, f"nobody has it, and it is not to be had: {found.answer}"
            self.world.until("the last buyer has it", lambda: self.settled() and self.sold())

    def sold(self):
        return self.hub.rows(
            "SELECT id, sequence, buyer FROM orders WHERE scope = ? AND licence = 'exclusive' AND state = 'delivered'", self.work)

    def money(self, order):
        """What of an order's price was paid, and what went back, by whoever took it; nil: nobody but the hub knows."""
        return None

    # What must hold.

    def audit(self):
        """One has the exclusive licence. Whoever else has paid has her money back; leases that were sold before are in force, and were seen."""
        sold = self.sold()
        assert len(sold) == 1, f"{len(sold)} have the exclusive licence"
        winner, place, buyer = sold[0]
        leases = []
        for order, sequence, licence, state, amount in self.hub.rows(
                "SELECT id, sequence, licence, state, amount FROM orders WHERE scope = ?", self.work):
            ledger = self.hub.rows(
                """SELECT why, side, orderLedger.amount FROM orderLedger JOIN orderMovements ON orderMovements.sequence = movement
                WHERE purchase = ? ORDER BY orderLedger.sequence""", sequence)
            paid = sum(-part for why, side, part in ledger if (why, side) == ("payment", "buyer"))
            back = sum(part for why, side, part in ledger if (why, side) == ("refund", "buyer"))
            assert (paid, back) == {
                "delivered": (amount, 0), "refunded": (amount, amount)}.get(state, (0, 0)), f"{state}: {ledger}"
            assert self.money(order) in (None, (paid, back)), f"{state}: {self.money(order)} in truth"
            letters = self.hub.one("SELECT COUNT(*) FROM posts WHERE key = ?", f"order:{order}")
            grants = self.hub.rows("SELECT id, ended FROM grants WHERE buyOrder = ?", order)
            assert letters == (state == "delivered"), f"{state}, and {letters} letters"
            assert len(grants) == 1 and grants[0][1] is None if state == "delivered" else all(one[1] for one in grants), \
                f"{state}: {grants}"
            assert state in ("delivered", "refunded", "failed", "expired"), state
            if licence == "lease" and state == "delivered":
                leases.append((sequence, order, grants[0][0]))
        assert all(sequence < place for sequence, *_ in leases), "a lease was sold after the exclusive licence"
        seen = self.shown.get(winner)
        if seen:
            told = len(seen["earlier"])
            assert told <= len(leases), "a licence is not in force that the buyer was told of"
            assert len(leases) <= told + seen["coming"], \
                f"{len(leases)} leases, and the buyer was told of {told} and {seen['coming']} that come"
        if leases:
            self.opens(*leases[0][1:])
        self.opens(winner, self.hub.one("SELECT id FROM grants WHERE buyOrder = ?", winner))
        state, outcome = self.hub.rows("SELECT state, outcome FROM items WHERE id = ?", self.track)[0]
        assert (state, outcome) == ("settled", "sold"), f"the track is {state} ({outcome})"
        late = self.buy(self.line, self.exclusive, self.world.people[-2])
        assert late.status in (403, 404, 409, 410), f"it is sold again: {late.answer}"
        return winner

    def opens(self, order, grant):
        """Its buyer has the file."""
        person = self.person(self.hub.one("SELECT buyer FROM orders WHERE id = ?", order))
        found = self.ask("GET", f"{BEATS}/purchases/{order}", person)
        assert found["state"] == "delivered" and found["grant"] == grant, found
        path = found["files"][0]["url"].split("/beats/", 1)[1]
        answer = call("GET", f"{BEATS}/{path}", person.token)(self.line)
        assert answer.status == 200 and answer.body == recording(), f"the file of {order}: {answer.status}"
