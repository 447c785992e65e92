"""Auctions (5.1.7, 5.2.11): fifty bid around the end of one while the hub dies; ten thousand bids of two hundred bidders; and who pays when
whoever has won does not."""

import calendar
import threading
import time

from hub import Crowd, Line
from market import BEATS
from races import Race

# As the hub has it, in ms: an accepted bid so shortly before the end moves it by so much.
LAST, LONGER = 300_000, 300_000


def instant(milliseconds):
    seconds, rest = divmod(int(milliseconds), 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{rest:03d}Z"


def euros(cents):
    return f"{cents // 100}.{cents % 100:02d}"


def cents(text):
    whole, _, rest = text.partition(".")
    return int(whole) * 100 + int(rest.ljust(2, "0") or 0)


class Auction:
    """One of a track of somebody's, paid by hand, and what is known of it."""
    START, STEP = 1000, 50

    def __init__(self, world, title):
        self.world, self.hub = world, world.hub
        self.seller = world.seller()
        self.track = world.track(self.seller, title)
        self.path = f"{BEATS}/{self.track}/auction"
        in_two_hours = (int(time.time()) + 7200) * 1000
        found = world.ask(
            "PUT", self.path, self.seller,
            {"start": euros(self.START), "step": euros(self.STEP), "ends": instant(in_two_hours), "key": title})
        self.id, self.version = found["id"], found["version"]
        self.sequence = self.hub.one("SELECT sequence FROM auctions WHERE id = ?", self.id)
        # By key: the answer that a bid had.
        self.taken = {}
        self.lock = threading.Lock()

    # The clock, as far as tables can move it.

    def aside(self, database, trigger, sql, *values):
        """Writes what the tables refuse to everybody else."""
        text = database.execute("SELECT sql FROM sqlite_master WHERE name = ?", [trigger]).fetchone()[0]
        database.execute(f"DROP TRIGGER {trigger}")
        database.execute(sql, values)
        database.execute(text)

    def end_in(self, seconds, least=0.3):
        """Lets it end soon, which the hub allows nobody; and has it served by then."""
        for _ in range(10):
            self.hub.stop()
            self.first_end = self.ends = int((time.time() + seconds) * 1000)
            self.hub.write(lambda database: self.aside(
                database, "auctionsStay", "UPDATE auctions SET ends = ? WHERE id = ?", self.ends, self.id))
            self.hub.serve()
            if self.ends / 1000 - time.time() > least:
                return
            seconds *= 2
        raise AssertionError("the hub does not come up before the auction ends")

    def until_end(self):
        return self.ends / 1000 - time.time()

    def let_pass(self, database):
        """Who had to pay has had her 48 hours."""
        self.aside(
            database, "auctionOffersStay", "UPDATE auctionOffers SET at = 1, until = 2 WHERE auction = ? AND state = 'open'",
            self.sequence)
        database.execute(
            """UPDATE orders SET until = 2, due = 2 WHERE state = 'reserved'
            AND scope = (SELECT work FROM tracks WHERE item = ?)""", [self.track])

    # Bidding.

    def bid(self, line, person, amount, key, version=None):
        body = {"amount": euros(amount), "version": version or self.version, "card": "hold", "key": key}
        return line.ask("POST", f"{self.path}/bids", person.token, body)

    def note(self, key, answer):
        """A bid has one answer, however often it is sent, once it was taken."""
        with self.lock:
            known = self.taken.get(key)
            if answer.status == 201:
                found = answer.json
                assert found["state"] == "placed", found
                assert known in (None, found), f"{key} was answered {known} and {found}"
                self.taken[key] = found
            elif answer.status is not None:
                assert known is None, f"{key} was taken and is refused: {answer}"

    def rows(self):
        return self.hub.rows(
            "SELECT bidder, key, amount, at, ends, isExtending, version FROM bids WHERE auction = ? ORDER BY sequence", self.sequence)

    def check_bids(self, moved=()):
        """What was taken was answered so, and what was answered so is there, each in the server's order; only what was taken moved the end.

        `moved` are ends that were set while the hub was down, each with how many bids there were by then."""
        rows, ends, highest, last = self.rows(), self.first_end, None, 0
        moved = list(moved)
        for place, (bidder, key, amount, at, said, is_extending, version) in enumerate(rows):
            while moved and moved[0][0] <= place:
                ends = moved.pop(0)[1]
            assert at >= last and at < ends, f"bid {place} came {at - ends} ms after the end"
            assert amount >= (self.START if highest is None else highest + self.STEP), f"bid {place} is too low"
            assert version == self.version
            extends = ends - at <= LAST
            ends += LONGER if extends else 0
            assert (said, bool(is_extending)) == (ends, extends), f"bid {place}: {said}, and not {ends}"
            highest, last = amount, at
            found = self.taken.get(key)
            assert found, f"{key} was taken, and nobody was told"
            assert (cents(found["amount"]), found["extends"]) == (amount, extends), found
            assert calendar.timegm(time.strptime(found["ends"][:19], "%Y-%m-%dT%H:%M:%S")) == ends // 1000, found
        for _, end in moved:
            ends = end
        assert len(rows) == len(self.taken), f"{len(self.taken)} were told that their bid counts, and {len(rows)} do"
        assert self.hub.one("SELECT ends FROM auctions WHERE id = ?", self.id) == ends, "something else has moved the end"
        self.ends = ends
        return rows

    # After the end.

    def state(self):
        return self.hub.one("SELECT state FROM auctions WHERE id = ?", self.id)

    def turn(self):
        return self.hub.rows(
            """SELECT bids.bidder, bids.amount, auctionOffers.isWinner FROM auctionOffers JOIN bids ON bids.sequence = bid
            WHERE auctionOffers.auction = ? AND state = 'open'""", self.sequence)

    def close(self, passes):
        """It is over: who has bid most pays, after so many who do not."""
        self.hub.stop()
        self.hub.write(lambda database: self.aside(
            database, "auctionsStay", "UPDATE auctions SET ends = ? WHERE id = ? AND state = 'running'",
            int(time.time() * 1000) - 1000, self.id))
        self.hub.serve()
        rows = self.rows()
        self.world.until("the auction is closed", lambda: self.state() != "running")
        passed, asked = set(), 0
        while True:
            left = [row for row in rows if row[0] not in passed]
            if not left:
                self.world.until("nobody has it", lambda: self.state() == "unsold")
                return "unsold"
            bidder, _, amount, *_ = left[-1]
            turn = (bidder, amount, int(left[-1] is rows[-1]))
            self.world.until("somebody is to pay", lambda: self.turn() == [turn])
            if asked == passes:
                break
            passed.add(bidder)
            asked += 1
            self.hub.stop()
            self.hub.write(self.let_pass)
            self.hub.serve()
        person = next(person for person in self.world.people if person.id == bidder)
        order = self.world.ask("POST", f"{self.path}/payment", person)
        assert cents(order["amount"]) == amount, f"{order} is paid for a bid of {amount}"
        self.world.ask("POST", f"{BEATS}/sales/{order['order']}/payment", self.seller, {})
        assert self.state() == "sold"
        sold = self.hub.rows(
            """SELECT orders.buyer, orders.amount FROM orders JOIN tracks ON scope = work
            WHERE tracks.item = ? AND orders.state = 'delivered'""", self.track)
        assert sold == [(bidder, amount)], sold
        return "sold" if not passed else "sold to another"


class Bidding(Race):
    """Fifty bid around the end; half of the rounds have one bid that counts at most and many that are refused, so that the end stays."""
    name = "the last bid"
    # The hub is served again four times.
    share = 0.25
    lead = 1.5

    def prepare(self, number):
        self.number, self.repeats = number, False
        self.auction = Auction(self.world, f"Bid {number}")

    def acts(self, size, dice):
        self.auction.end_in(self.lead)
        is_quiet = dice.random() < 0.5
        self.plan = []
        for place, person in enumerate(self.world.people[:size]):
            kind = dice.choice(["low", "own", "old"]) if is_quiet and place or dice.random() < 0.2 else "bid"
            amount = dice.randrange(100, Auction.START) if kind == "low" else Auction.START + dice.randrange(4000)
            self.plan.append((kind, self.auction.seller if kind == "own" else person, amount, dice.uniform(-0.25, 0.2)))

        def act(place):
            kind, person, amount, offset = self.plan[place]

            def do(line):
                if not self.repeats:
                    time.sleep(max(0, self.auction.until_end() + offset))
                version = self.auction.version + (1 if kind == "old" else 0)
                return self.auction.bid(line, person, amount, f"{self.number} {place}", version)
            return do
        return [act(place) for place in range(size)]

    def again(self):
        self.repeats = True

    def check(self, answers, killed, again):
        may = {"bid": (201, 409, 422), "low": (409, 422), "own": (403, 409), "old": (409,)}
        for place, answer in enumerate(answers):
            kind = self.plan[place][0]
            assert answer.status in may[kind] or killed and not again and answer.status is None, f"{kind}: {answer}"
            self.auction.note(f"{self.number} {place}", answer)

    def finish(self):
        self.auction.check_bids()
        self.auction.close(passes=self.number % 3)

    def tidy(self):
        """Cards and money of those who have not won are let go."""
        def is_settled():
            # Of other races there may be an auction that runs, whose highest bid is bound.
            return not self.hub.one(
                """SELECT COUNT(*) FROM orders JOIN auctions ON auctions.item = orders.item
                WHERE orders.state IN ('asking', 'bound', 'releasing', 'reserved') AND auctions.state <> 'running'""")
        for _ in range(20):
            if is_settled():
                return
            self.hub.stop()
            self.hub.serve()
            time.sleep(1)
        left = self.hub.rows("SELECT * FROM orders WHERE state IN ('asking', 'bound', 'releasing', 'reserved')")
        print(self.hub.rows("SELECT name FROM pragma_table_info('orders')"), left, time.time())
        assert is_settled(), "bids that have not won are kept"


def storm(world, dice, number, kills, seconds):
    """So many bids of two hundred around the end: half of them before it, while the hub is killed; half around the end that it has then, none of
    which may move it. Gives what was told."""
    people = world.people[:200]
    auction = Auction(world, "A storm of bids")
    auction.end_in(seconds / 2 + 5, least=seconds / 4)
    crowd = Crowd(world.hub, len(people))
    each = max(1, number // 2 // len(people))
    begin = auction.ends / 1000 - seconds / 2
    counts = {}

    def ask(line, person, amount, key):
        """Until there is an answer."""
        while True:
            answer = auction.bid(line, person, amount, key)
            if answer.status is not None:
                break
            world.until("the hub is back", lambda: world.hub.process.poll() is None)
            time.sleep(0.05)
        auction.note(key, answer)
        counts[answer.status] = counts.get(answer.status, 0) + 1
        return answer

    def early(place, pauses):
        def do(line):
            for turn, pause in enumerate(pauses):
                time.sleep(max(0, begin + pause - time.time()))
                # Each bids a little more than the second before has shown, so that most are outbid on their way.
                amount = Auction.START + int((time.time() - begin) * 5000) + (place * 7 + turn * 13) % 400
                ask(line, people[place], amount, f"early {place} {turn}")
        return do

    def late(place, pauses):
        def do(line):
            for turn, pause in enumerate(pauses):
                time.sleep(max(0, auction.until_end() + pause))
                # What comes before the end is too low; what comes after it would be enough.
                is_over = auction.until_end() < -0.5
                ask(line, people[place], highest + 5000 if is_over else highest - 100, f"late {place} {turn}")
        return do

    def interrupt():
        for moment in sorted(dice.uniform(0.1, 0.9) * seconds / 2 for _ in range(kills)):
            time.sleep(max(0, begin + moment - time.time()))
            world.hub.kill()
            world.hub.serve()

    try:
        killer = threading.Thread(target=interrupt)
        killer.start()
        acts = [early(place, sorted(dice.uniform(0, seconds / 2) for _ in range(each))) for place in range(len(people))]
        _, took = crowd.ask(acts)
        killer.join()
        taken = len(auction.check_bids())
        highest = auction.rows()[-1][2]
        world.hub.stop()
        lead = seconds / 4
        first = auction.first_end
        auction.end_in(lead + 3, least=lead / 2)
        moved, auction.first_end = [(taken, auction.ends)], first
        acts = [late(place, sorted(dice.uniform(-lead / 2, lead / 2) for _ in range(each))) for place in range(len(people))]
        _, more = crowd.ask(acts)
        rows = auction.check_bids(moved)
        assert len(rows) == taken, "a bid was taken after the end"
        assert len({row[0] for row in rows}) > 1
    finally:
        crowd.end()
    outcome = auction.close(passes=1)
    assert outcome == "sold to another", outcome
    asked = sum(counts.values())
    return f"{asked} bids by {len(people)} in {took + more:.0f} s with {kills} kills, {taken} taken in order, the second has paid " \
        f"for the first ({', '.join(f'{status}: {count}' for status, count in sorted(counts.items()))})"
