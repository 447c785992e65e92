"""What the checks of races share: a real `chirp serve` that can be killed and comes back on its port, people with tokens, and callers who
ask at once.

Everything is on 127.0.0.1, in a temporary folder, and ends with the checks.
"""

import concurrent.futures
import hashlib
import http.client
import json
import os
import random
import secrets
import shutil
import signal
import socket
import sqlite3
import subprocess
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("CHIRP_PROGRAM", os.path.join(ROOT, ".build/installed/chirp"))
# Nothing here takes a tenth of this.
PATIENCE = 120
BOARD = "/api/hub/v1/lost-and-found"
# Letters and digits of the hub's ids, without those that look alike.
LETTERS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
PASSWORD = "correct horse battery"


def new_id():
    return "".join(secrets.choice(LETTERS) for _ in range(22))


def eventually(what, found, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while True:
        value = found()
        if value:
            return value
        assert time.monotonic() < end, f"{what}: not within {seconds} s"
        time.sleep(0.01)


class Person:
    """An account, and a token for each of its sessions."""

    def __init__(self, handle, tokens):
        self.handle = handle
        self.id = "".join(secrets.choice("abcdefghijkmnpqrstuvwxyz23456789") for _ in range(20))
        self.tokens = [secrets.token_urlsafe(32) for _ in range(tokens)]

    @property
    def token(self):
        return self.tokens[0]


class Hub:
    """A served hub in a folder of its own."""

    def __init__(self, top, places=None, **settings):
        """`places` is a file of another hub's, which is made once."""
        self.top = top
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.folder = f"{top}/data/chirp/hub"
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("CHIRP_", "XDG_"))}
        folders = {f"XDG_{part}_HOME": f"{top}/{part.lower()}" for part in ["CONFIG", "DATA", "STATE", "CACHE"]}
        self.environment = kept | folders | {
            "HOME": top, "LANG": "C.UTF-8", "TZ": "UTC", "SWIFT_BACKTRACE": "enable=no",
            "CHIRP_HUB_PORT": str(self.port), "CHIRP_HUB_LIMIT_SCALE": "10000", "CHIRP_HUB_REGISTRATION": "open",
        } | settings
        self.process = None
        self.kills = 0
        # Counts the times that it was served: a connection of an earlier time is none.
        self.life, self.is_up = 0, False
        self.log = open(f"{top}/log", "ab")
        if places and os.path.exists(places):
            os.makedirs(self.folder)
            shutil.copy(places, self.folder)
        self.serve()
        # A hub that is new writes the names of places down first, where it knows any.
        if "CHIRP_HUB_BOARDS" not in settings:
            Line(self).ask("GET", "/api/hub/v1/places?q=Berlin")

    def serve(self):
        self.life, self.is_up = self.life + 1, False
        self.process = subprocess.Popen(
            [PROGRAM, "serve"], env=self.environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        eventually("the hub answers", self.answers)
        self.is_up = True

    def answers(self):
        assert self.process.poll() is None, f"the hub has ended by itself: {self.said()}"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/health")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def kill(self):
        """What a power cut does to a process, but not to the disk."""
        self.kills += 1
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(PATIENCE)

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.log.close()

    def said(self):
        with open(f"{self.top}/log", encoding="utf-8", errors="replace") as log:
            return log.read()[-2000:]

    def run(self, *arguments):
        """Runs the program beside the hub."""
        return subprocess.run(
            [PROGRAM, *arguments], env=self.environment, capture_output=True, text=True, timeout=10 * PATIENCE)

    def rows(self, sql, *values):
        """Reads what is written down, without the hub."""
        database = sqlite3.connect(f"file:{self.folder}/hub.sqlite?mode=ro", uri=True, timeout=PATIENCE)
        try:
            return database.execute(sql, values).fetchall()
        finally:
            database.close()

    def one(self, sql, *values):
        return self.rows(sql, *values)[0][0]

    def write(self, work):
        """Prepares what would take long through the interface. The hub must not be running."""
        assert self.process.poll() is not None
        database = sqlite3.connect(f"{self.folder}/hub.sqlite", timeout=PATIENCE)
        try:
            database.execute("PRAGMA foreign_keys = ON")
            with database:
                work(database)
        finally:
            database.close()

    def check(self, thoroughly=False):
        """What must hold of the tables whatever was asked and whenever the hub died."""
        database = sqlite3.connect(f"file:{self.folder}/hub.sqlite?mode=ro", uri=True, timeout=PATIENCE)
        try:
            # All is looked at as it was at one moment.
            database.execute("BEGIN")
            kind = "integrity_check" if thoroughly else "quick_check"
            assert database.execute(f"PRAGMA {kind}").fetchall() == [("ok",)]
            lost = database.execute("PRAGMA foreign_key_check").fetchmany(5)
            assert not lost, f"rows that refer to nothing: {lost}"
            for what, sql in BALANCE:
                found = database.execute(sql).fetchmany(5)
                assert not found, f"{what}: {found}"
        finally:
            database.close()


# Each finds what does not go together; nothing is right.
BALANCE = [
    ("a tally of a listing is not the number of its marks", """
        SELECT * FROM (SELECT sequence, COALESCE(saves, 0), COALESCE(views, 0), COALESCE(watches, 0), COALESCE(ups, 0),
                COALESCE(downs, 0) FROM items LEFT JOIN itemTallies ON itemTallies.item = items.sequence
            EXCEPT SELECT sequence, COALESCE(SUM(itemMarks.kind = 'save'), 0), COALESCE(SUM(itemMarks.kind = 'view'), 0),
                COALESCE(SUM(itemMarks.kind = 'watch'), 0), COALESCE(SUM(itemMarks.kind = 'up'), 0),
                COALESCE(SUM(itemMarks.kind = 'down'), 0)
            FROM items LEFT JOIN itemMarks ON itemMarks.item = items.sequence GROUP BY sequence)"""),
    ("somebody has marked the same up and down", """
        SELECT account, item FROM itemMarks WHERE kind IN ('up', 'down') GROUP BY account, item HAVING COUNT(*) > 1"""),
    ("what is listed is not what is open", """
        SELECT sequence FROM items WHERE listed <> EXISTS (SELECT 1 FROM openItems WHERE item = sequence)"""),
    ("what is shown on the map is not what is open", """
        SELECT item FROM openItems WHERE lat IS NOT NULL EXCEPT SELECT item FROM itemPoints"""),
    ("something on the map is open no longer", "SELECT item FROM itemPoints EXCEPT SELECT item FROM openItems"),
    ("the counts of the map do not add up", """
        SELECT board, grid, SUM(n) FROM itemCells AS cells WHERE grid BETWEEN 0 AND 8 GROUP BY board, grid
        HAVING SUM(n) <> (SELECT COUNT(*) FROM openItems WHERE openItems.board = cells.board AND lat IS NOT NULL)"""),
    ("an item of the board is no listing", """
        SELECT id FROM items WHERE board = 'lost-and-found' AND id NOT IN (SELECT item FROM listings)"""),
    ("the board takes something for open that has ended", """
        SELECT id, state FROM items JOIN listings ON listings.item = items.id
        WHERE isOpen <> (state IN ('draft', 'open'))"""),
    ("two claims at a listing were accepted", """
        SELECT listing FROM claims WHERE state = 'accepted' GROUP BY listing HAVING COUNT(*) > 1"""),
    ("who sees the place itself is not whose claim was accepted", """
        SELECT * FROM (SELECT items.id, itemSight.account FROM itemSight JOIN items ON items.sequence = itemSight.item
            EXCEPT SELECT listing, claimant FROM claims WHERE state = 'accepted')
        UNION ALL SELECT * FROM (SELECT listing, claimant FROM claims WHERE state = 'accepted'
            EXCEPT SELECT items.id, itemSight.account FROM itemSight JOIN items ON items.sequence = itemSight.item)"""),
    ("a claim that was decided has no instant, or one that was not has one", """
        SELECT id FROM claims WHERE (state = 'open') <> (decided IS NULL)"""),
    ("a case was decided twice without an appeal", """
        SELECT "case" FROM decisions JOIN cases ON cases.id = decisions."case" WHERE cases.appeal = ''
        GROUP BY "case" HAVING COUNT(*) > 1"""),
    ("an item is not hidden or frozen as its cases say", """
        SELECT items.id FROM items JOIN cases ON cases.kind = 'item' AND cases.about = items.id GROUP BY items.id
        HAVING items.hidden <> MAX(cases.hides IN (1, 3)) OR items.frozen <> MAX(cases.freezes)"""),
    ("a movement of money does not add up to nothing", """
        SELECT movement, SUM(amount) FROM orderLedger GROUP BY movement HAVING SUM(amount) <> 0 OR COUNT(*) <> 2"""),
    ("the ledger does not add up to nothing", """
        SELECT currency, SUM(amount) FROM orderLedger JOIN orderMovements ON orderMovements.sequence = movement
        GROUP BY currency HAVING SUM(amount) <> 0"""),
    ("an order is not in the ledger as its state says", """
        SELECT id, state, SUM(why = 'payment'), SUM(why <> 'payment') FROM orders
            LEFT JOIN orderMovements ON purchase = orders.sequence WHERE amount > 0 GROUP BY orders.sequence
        HAVING COALESCE(SUM(why = 'payment'), 0) <> (state IN ('paid', 'delivered', 'refunding', 'refunded'))
            OR COALESCE(SUM(why <> 'payment'), 0) <> (state = 'refunded')"""),
    ("what is paid is not on its way, or something is that is not paid", """
        SELECT * FROM (SELECT sequence FROM orders WHERE state = 'paid' EXCEPT SELECT purchase FROM deliveries)
        UNION ALL SELECT * FROM (SELECT purchase FROM deliveries EXCEPT SELECT sequence FROM orders WHERE state = 'paid')"""),
    ("an exclusive licence is sold twice", """
        SELECT scope FROM orders WHERE licence = 'exclusive' AND state IN ('reserved', 'paid', 'delivered')
        GROUP BY scope HAVING COUNT(*) > 1"""),
    ("what was delivered has no licence in force, or something has one that was not delivered", """
        SELECT * FROM (SELECT orders.id FROM orders JOIN beatPurchases ON beatPurchases.id = subject
                WHERE state = 'delivered' EXCEPT SELECT buyOrder FROM grants WHERE ended IS NULL)
        UNION ALL SELECT * FROM (SELECT buyOrder FROM grants WHERE ended IS NULL
            EXCEPT SELECT id FROM orders WHERE state IN ('paid', 'delivered'))"""),
    ("bids do not rise, or one came after the end", """
        SELECT bids.sequence FROM bids JOIN auctions ON auctions.sequence = auction
        WHERE bids.at >= bids.ends - isExtending * 300000 OR bids.amount < auctions.start OR EXISTS (
            SELECT 1 FROM bids AS earlier WHERE earlier.auction = bids.auction AND earlier.sequence < bids.sequence
                AND (earlier.amount + step > bids.amount OR earlier.at > bids.at OR earlier.ends > bids.ends))"""),
]


def settle(database, people, roles={}):
    """Writes accounts down that are 30 days old and have confirmed their addresses, with a token for each session."""
    then = int(time.time() * 1000) - 30 * 24 * 3_600_000
    database.execute(
        """INSERT INTO apps (id, secret, name, website, redirects, scopes, used) VALUES ('races', x'00', 'Races', '', '', '', ?)
        ON CONFLICT DO NOTHING""", [then])
    for person in people:
        database.execute(
            """INSERT INTO accounts (id, handle, skeleton, name, mail, role, state, created)
            VALUES (?, ?, ?, ?, ?, ?, 'active', ?)""",
            [person.id, person.handle, f"-{person.id}", person.handle, f"{person.id}@people.example.org",
             roles.get(person.handle, "member"), then])
        admit(database, person, then)


def admit(database, person, then):
    """Lets somebody in who has an account, with each of her tokens."""
    for token in person.tokens:
        database.execute(
            "INSERT INTO tokens (digest, id, app, account, scopes, created, used) VALUES (?, ?, 'races', ?, ?, ?, ?)",
            [hashlib.sha256(token.encode()).digest(), new_id()[:16], person.id,
             "read write read:moderation write:moderation", then, int(time.time() * 1000)])
        # The same opens pages, as a browser's session.
        database.execute(
            "INSERT INTO sessions (digest, id, account, agent, created, expires) VALUES (?, ?, ?, 'Races', ?, ?)",
            [hashlib.sha256(token.encode()).digest(), new_id()[:16], person.id, then, int(time.time() * 1000) + 10 * 86_400_000])


class Answer:
    """What a hub has said to a request; without a status it has said nothing, since it died."""

    def __init__(self, status=None, body=b"", headers=()):
        self.status, self.body, self.headers = status, body, dict(headers)

    @property
    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


class Line:
    """A connection that is kept."""

    # Less than a hub waits for the next request.
    IDLE = 5

    def __init__(self, hub):
        self.hub, self.connection, self.life, self.used = hub, None, 0, 0.0

    def ask(self, method, path, token=None, body=None, headers={}):
        """Asks once; again where the hub says that too much is asked of it now. No answer when the hub dies meanwhile."""
        content = json.dumps(body).encode() if body is not None else None
        headers = dict(headers)
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if content is not None:
            headers["Content-Type"] = "application/json"
        # Passwords are two at a time, and fifty wait their turn.
        end = time.monotonic() + 4 * PATIENCE
        while True:
            answer = self.once(method, path, content, headers)
            if answer.status != 503 or time.monotonic() > end:
                return answer
            time.sleep(random.uniform(0.1, 1))

    def once(self, method, path, content, headers):
        life, is_up = self.hub.life, self.hub.is_up
        if self.life != life or time.monotonic() - self.used > self.IDLE:
            self.close()
        try:
            if not self.connection:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.hub.port, timeout=PATIENCE)
                self.life = life
            self.connection.request(method, path, content, headers)
            response = self.connection.getresponse()
            answer = Answer(response.status, response.read(), response.getheaders())
            if response.will_close:
                self.close()
            self.used = time.monotonic()
            return answer
        except (OSError, http.client.HTTPException):
            self.close()
            # Slow is no death.
            if is_up and self.hub.life == life and self.hub.process.poll() is None and self.hub.answers():
                raise
            return Answer()

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None


class Crowd:
    """Callers with a connection each, who all begin at the same moment."""

    def __init__(self, hub, size):
        self.hub, self.lines = hub, [Line(hub) for _ in range(size)]
        self.pool = concurrent.futures.ThreadPoolExecutor(size)

    def ask(self, acts, kill_after=None):
        """Lets each caller do its act, a function of its connection; kills the hub so many seconds after they have begun.

        Gives what the acts give, in their order, and how long it took.
        """
        assert len(acts) <= len(self.lines)
        barrier = threading.Barrier(len(acts) + 1)

        def do(act, line):
            barrier.wait(PATIENCE)
            return act(line)

        running = [self.pool.submit(do, act, line) for act, line in zip(acts, self.lines)]
        barrier.wait(PATIENCE)
        begin = time.monotonic()
        if kill_after is not None:
            time.sleep(kill_after)
            self.hub.kill()
        found = [one.result(5 * PATIENCE) for one in running]
        return found, time.monotonic() - begin

    def end(self):
        self.pool.shutdown()
        for line in self.lines:
            line.close()
