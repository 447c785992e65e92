"""Races for what is sold once (5.1.7, 5.2.10): an exclusive licence that fifty want, paid by hand and at a slow service for cards, and licences
that change while somebody buys."""

import threading
import time

from hub import Crowd, Line
from market import BEATS, Selling, Try


class BuyingByHand(Selling):
    """Forty and more want the exclusive licence while others buy leases; some give up, some after the seller has got their money."""
    name = "an exclusive licence is bought by hand"

    def prepare(self, number):
        super().prepare(number)
        self.before = self.buy(self.line, self.lease, self.world.people[-3]).order["id"]
        self.paid(self.line, self.before)

    def acts(self, size, dice):
        self.kinds = ["lease"] * 3 + [dice.choice(["pay", "pay", "pay", "leave", "both"]) for _ in range(size - 3)]
        dice.shuffle(self.kinds)
        self.people = self.world.people[:size]
        pauses = [dice.uniform(0, 0.1) for _ in range(size)]

        def act(kind, person, pause):
            def do(line):
                licence = self.lease if kind == "lease" else self.exclusive
                found = self.buy(line, licence, person, 6, lambda: time.sleep(pause))
                if found.order and found.order["state"] == "reserved":
                    self.go_on(line, kind, person, found.order)
                return found
            return do
        return [act(*one) for one in zip(self.kinds, self.people, pauses)]

    def go_on(self, line, kind, person, order):
        """Pays, gives up, or gives up when it is paid already."""
        if kind in ("leave", "both"):
            leaving = threading.Thread(target=self.leave, args=(Line(self.hub), person, order["id"]))
            leaving.start()
        if kind != "leave":
            self.pay(line, person, order)
        if kind in ("leave", "both"):
            leaving.join()

    def leave(self, line, person, order):
        line.ask("DELETE", f"{BEATS}/purchases/{order}", person.token)
        line.close()

    def pay(self, line, person, order):
        self.paid(line, order["id"], isSure=False)

    def paid(self, line, order, isSure=True):
        """The seller has the money."""
        answer = line.ask("POST", f"{BEATS}/sales/{order}/payment", self.seller.token, {})
        assert not isSure or answer.status == 200, answer

    def bring(self, order, person, state, address):
        match state:
            case "reserved":
                self.paid(self.line, order, isSure=False)
            case "refunding":
                self.line.ask("POST", f"{BEATS}/sales/{order}/refund", self.seller.token, {})
            case "paid":
                self.line.ask("POST", f"{BEATS}/purchases/{order}/look", person.token, {})

    def check(self, answers, killed, again):
        for place, found in enumerate(answers):
            assert found.status in (201, 409, 410) or killed and found.status is None, f"{self.kinds[place]}: {found.answer}"
            has_order = (self.people[place], self.lease if self.kinds[place] == "lease" else self.exclusive) in self.own
            assert not (again and has_order) or found.status == 201, f"who has an order is told {found.answer}"

    def finish(self):
        self.settle_all()
        winner = self.audit()
        for order, person in self.orders.items():
            found = self.ask("GET", f"{BEATS}/purchases/{order}", person)
            assert found["state"] != "delivered" or order == winner or self.is_lease(order), found
        for person in self.people:
            if person in self.orders.values():
                continue
            # Nobody has an order of whom nobody has said so, unless the hub has died in saying it.
            rows = self.hub.rows("SELECT id, state FROM orders WHERE scope = ? AND buyer = ?", self.work, person.id)
            assert all(state not in ("paid", "delivered") for _, state in rows) or self.killed, rows

    def is_lease(self, order):
        return self.hub.one("SELECT licence FROM orders WHERE id = ?", order) == "lease"


class BuyingByCard(BuyingByHand):
    """The same at a service that is slow, and whose messages come three times, in any order, late, or never. In some rounds in which the hub dies
    the time to pay is over when it comes back, and the money comes all the same."""
    name = "an exclusive licence is bought by card"

    def seller_of(self, number):
        return self.world.owner

    def dead(self, dice):
        if dice.random() < 0.5:
            self.hub.write(lambda database: database.execute(
                "UPDATE orders SET until = 1, due = 1 WHERE scope = ? AND state = 'reserved'", [self.work]))

    def pay(self, line, person, order):
        address = order.get("address")
        if address:
            self.world.cards.pay(address)
            line.ask("POST", f"{BEATS}/purchases/{order['id']}/look", person.token, {})

    def paid(self, line, order, isSure=True):
        address = self.hub.one("SELECT address FROM orders WHERE id = ?", order)
        taken = self.world.cards.pay(address)
        person = self.person(self.hub.one("SELECT buyer FROM orders WHERE id = ?", order))
        answer = line.ask("POST", f"{BEATS}/purchases/{order}/look", person.token, {})
        assert not isSure or taken and answer.json["state"] == "delivered", answer

    def bring(self, order, person, state, address):
        if state == "reserved" and address:
            self.world.cards.pay(address)
        self.line.ask("POST", f"{BEATS}/purchases/{order}/look", person.token, {})

    def money(self, order):
        return self.world.cards.of(order)



class EditingWhatIsBought(BuyingByHand):
    """The seller puts other prices in the place of licences, ends them, and takes the track out of the shop, while others buy (5.1.7)."""
    name = "licences change while somebody buys"

    def prepare(self, number):
        Selling.prepare(self, number)
        # What is offered now, by template, and what each of all costs.
        self.offered = {"exclusive": self.exclusive, "wav": self.lease}
        self.prices = {self.exclusive: self.exclusive_price, self.lease: self.lease_price}
        self.sent = {}

    def acts(self, size, dice):
        self.kinds = ["lease"] * 4 + [dice.choice(["buy", "price", "title", "end"]) for _ in range(size - 4)]
        # Most of the time there is something to buy.
        self.kinds[-2:] = dice.choice([["buy", "buy"], ["closure", "buy"], ["withdrawal", "buy"]])
        dice.shuffle(self.kinds)
        self.people = self.world.people[:size]
        given = [(dice.randrange(500, 9000), dice.choice(["exclusive", "exclusive", "wav"]), dice.uniform(0, 0.1)) for _ in range(size)]

        def act(place):
            kind, person, (price, template, pause) = self.kinds[place], self.people[place], given[place]

            def do(line):
                if kind in ("lease", "buy"):
                    return self.choose(line, "wav" if kind == "lease" else "exclusive", person, pause)
                return Try(self.change(line, kind, place, price, template))
            return do
        return [act(place) for place in range(size)]

    def choose(self, line, template, person, pause):
        """Buys what is offered at this moment, and pays at once."""
        for _ in range(4):
            # The same try has the same licence, so that it can be repeated.
            licence = self.sent.setdefault(person.handle, self.offered[template])
            found = self.buy(line, licence, person)
            if found.status == 201:
                price = self.prices[licence]
                assert found.order["amount"] == round(float(price) * 100), f"{found.order['amount']} for what costs {price}"
                if found.order["state"] == "reserved":
                    self.paid(line, found.order["id"], isSure=False)
            if found.status is None or found.status == 201:
                break
            del self.sent[person.handle]
            time.sleep(pause)
        return found

    def change(self, line, kind, place, price, template):
        path = f"{BEATS}/{self.track}"
        match kind:
            case "price":
                amount, old = f"{price // 100}.{price % 100:02d}", self.offered[template]
                answer = line.ask("POST", f"{path}/licences", self.seller.token, {
                    "template": template, "files": ["wav"], "price": "amount", "amount": amount, "currency": "EUR", "old": old})
                if answer.status == 201:
                    self.prices[answer.json["id"]] = amount
                    self.offered[template] = answer.json["id"]
                return answer
            case "end":
                return line.ask("DELETE", f"{path}/licences/{self.offered['wav']}", self.seller.token)
            case "title":
                return line.ask(
                    "PUT", path, self.seller.token, {"title": f"Another {place}", "price": "offer", "version": 1})
        return line.ask("POST", f"{path}/{kind}", self.seller.token, {"reason": "It is gone.", "sure": True})

    def check(self, answers, killed, again):
        may = {
            "lease": (201, 404, 409, 410), "buy": (201, 404, 409, 410), "price": (201, 404, 409, 410, 422), "title": (200, 404, 409, 410),
            "end": (204, 404, 409, 410), "closure": (200, 409, 410), "withdrawal": (200, 409, 410)}
        for place, found in enumerate(answers):
            assert found.status in may[self.kinds[place]] or killed and not again and found.status is None, \
                f"{self.kinds[place]}: {found.answer}"

    def finish(self):
        self.bring_all()
        state, ended = self.hub.rows("SELECT state, ended FROM items WHERE id = ?", self.track)[0]
        outcome = self.hub.one("SELECT outcome FROM items WHERE id = ?", self.track)
        for order, created, changed, how, amount, terms, closed in self.hub.rows(
                """SELECT orders.id, orders.created, orders.changed, orders.state, orders.amount, licenceOffers.terms, licenceOffers.ended
                FROM orders JOIN beatPurchases ON beatPurchases.id = subject JOIN licenceOffers
                    ON licenceOffers.id = beatPurchases.licence
                WHERE scope = ?""", self.work):
            assert how in ("delivered", "refunded", "failed", "expired"), how
            assert str(amount) in terms, f"{amount} was ordered by {terms}"
            assert closed is None or created <= closed, f"a licence was sold {created - closed} ms after it was offered no longer"
            assert ended is None or created <= ended, f"something was sold {created - ended} ms after the track had left the shop"
            if ended is not None and outcome != "sold":
                assert changed <= ended, "the track has left the shop while somebody was paying"
        assert len(self.sold()) <= 1
        assert bool(self.sold()) == (outcome == "sold"), f"{state} ({outcome}), sold {len(self.sold())} times"


class BuyingWhatIsBidFor(BuyingByHand):
    """A track is offered by auction and by an exclusive licence: some bid, some buy, and the seller changes the auction or takes it back. Who bids
    first has the track promised, and who buys first has it (AR-5)."""
    name = "a track is bought or bid for"

    def prepare(self, number):
        Selling.prepare(self, number)
        self.path = f"{BEATS}/{self.track}/auction"
        self.terms = {"start": "10.00", "step": "0.50", "ends": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 7200))}
        found = self.ask("PUT", self.path, self.seller, self.terms | {"key": f"auction {number}"})
        self.auction, self.version = found["id"], found["version"]

    def acts(self, size, dice):
        self.kinds = [dice.choice(["pay", "pay", "leave", "bid", "bid", "bid"]) for _ in range(size)]
        self.kinds[:2] = [dice.choice(["terms", "withdrawal", "bid"]), "terms"]
        dice.shuffle(self.kinds)
        self.people = self.world.people[:size]
        given = [(dice.randrange(1000, 9000), dice.uniform(0, 0.05)) for _ in range(size)]

        def act(place):
            kind, person, (amount, pause) = self.kinds[place], self.people[place], given[place]

            def do(line):
                # None of them is always the first.
                time.sleep(pause)
                match kind:
                    case "bid":
                        return Try(line.ask("POST", f"{self.path}/bids", person.token, {
                            "amount": f"{amount // 100}.{amount % 100:02d}", "version": self.version, "card": "hold",
                            "key": f"{self.number} {place}"}))
                    case "terms":
                        return Try(line.ask("PUT", self.path, self.seller.token, self.terms | {
                            "step": "0.75", "version": self.version}))
                    case "withdrawal":
                        return Try(line.ask("DELETE", self.path, self.seller.token))
                found = self.buy(line, self.exclusive, person, 2, lambda: time.sleep(pause))
                if found.order and found.order["state"] == "reserved":
                    self.go_on(line, kind, person, found.order)
                return found
            return do
        return [act(place) for place in range(size)]

    def check(self, answers, killed, again):
        may = {"bid": (201, 409, 410, 422), "terms": (200, 409, 410), "withdrawal": (200, 409, 410)}
        for place, found in enumerate(answers):
            kind = self.kinds[place]
            assert found.status in may.get(kind, (201, 409, 410)) or killed and not again and found.status is None, \
                f"{kind}: {found.answer}"

    def finish(self):
        self.bring_all()
        bids = self.hub.rows(
            "SELECT at, bids.version FROM bids JOIN auctions ON auctions.sequence = auction WHERE auctions.id = ?", self.auction)
        version, state = self.hub.rows("SELECT version, state FROM auctions WHERE id = ?", self.auction)[0]
        assert all(one == version for _, one in bids), "the terms have changed after somebody had bid"
        assert not bids or state != "withdrawn", "the auction was taken back after somebody had bid"
        orders = self.hub.rows(
            "SELECT created, changed, state FROM orders WHERE scope = ? AND kind = 'buy' AND licence = 'exclusive'", self.work)
        assert sum(state == "delivered" for *_, state in orders) + bool(bids) <= 1, f"{orders} and {len(bids)} bids"
        for created, changed, how in orders:
            for at, _ in bids:
                assert at >= created, f"somebody bought it {created - at} ms after another had bid"
                assert how in ("failed", "expired") and at >= changed, f"somebody bid while another was paying ({how})"


ALL = [BuyingByHand, BuyingByCard, EditingWhatIsBought, BuyingWhatIsBidFor]


def rush(world, dice, buyers, kills):
    """So many want one exclusive licence at once, each until it is sold; those who get the page of the service, which takes seconds, pay,
    give up, or pay after they have given up, while the hub is killed. Gives what was told."""
    race = BuyingByCard(world)
    race.prepare(-1)
    race.killed = True
    people = world.people[:buyers]
    crowd = Crowd(world.hub, buyers)
    plans = [dice.choice(["pay", "leave", "leave", "both"]) for _ in people]
    pauses = [[dice.uniform(0, 3) for _ in range(60)] for _ in people]
    is_over = threading.Event()

    def act(person, plan, pauses):
        def do(line):
            for pause in pauses:
                try:
                    found = race.buy(line, race.exclusive, person)
                    if found.order and found.order["state"] == "reserved":
                        race.go_on(line, plan, person, found.order)
                    if found.status == 201 and found.order["state"] != "reserved" or found.status == 410 or is_over.is_set():
                        return found
                except OSError:
                    pass
                is_over.wait(pause)
            return found
        return do

    def interrupt():
        for _ in range(kills):
            time.sleep(dice.uniform(1, 4))
            world.hub.kill()
            race.dead(dice)
            world.hub.serve()
        world.until("somebody has it", race.sold)
        is_over.set()

    slow, world.cards.delay = world.cards.delay, (0.5, 2.5)
    begin = time.monotonic()
    try:
        killer = threading.Thread(target=interrupt)
        killer.start()
        answers, _ = crowd.ask([act(*one) for one in zip(people, plans, pauses)])
        killer.join()
    finally:
        world.cards.delay = slow
        crowd.end()
    race.people = people
    race.finish()
    states = dict(world.hub.rows("SELECT state, COUNT(*) FROM orders WHERE scope = ? AND licence = 'exclusive' GROUP BY state", race.work))
    back = world.hub.one(
        "SELECT COUNT(*) FROM orders WHERE scope = ? AND licence = 'exclusive' AND state = 'refunded'", race.work)
    # The one who may have come when all others had given up is not one of them.
    with_order = {row[0] for row in world.hub.rows("SELECT buyer FROM orders WHERE scope = ? AND licence = 'exclusive'", race.work)}
    without = sum(person.id not in with_order for person in people)
    return f"{buyers} buyers, {kills} kills: 1 has it, {without} were told before they had anything to pay, {len(with_order) - 1} had a page " \
        f"({', '.join(f'{state}: {count}' for state, count in sorted(states.items()))}), {back} got their money back, " \
        f"{time.monotonic() - begin:.0f} s"
