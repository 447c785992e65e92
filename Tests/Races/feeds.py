"""Pages (5.1.3): somebody pages through a feed of ten thousand while a thousand entries are added, changed and removed. Each that was there
throughout appears exactly once."""

import math
import threading
import time
import urllib.parse

from hub import BOARD, Line, new_id

# What is paged: its query, whether it needs somebody's token, and for how many entries.
ORDERS = {
    "newest": "", "words": "q=thing", "category": "side=found&category=other", "nearest": "at=50.0,8.0&within=250&order=nearest",
    "words, nearest": "q=thing&at=50.0,8.0&within=250&order=nearest", "around": "at=50.0,8.0&within=250",
}


def fill(world, size, dice):
    """Writes so many listings down that are like some which the hub has made itself: through it this would take long. The hub is stopped
    meanwhile."""
    hub = world.hub
    places = [(50 + dice.uniform(-1.2, 1.2), 8 + dice.uniform(-1.8, 1.8)) for _ in range(100)]
    models = [
        world.listing(f"A thing of place {number}", at=f"{lat:.4f},{lon:.4f}", precision="exact")
        for number, (lat, lon) in enumerate(places)]
    hub.stop()

    def copy(database):
        columns = [row[1] for row in database.execute("PRAGMA table_info(items)")]
        names = ", ".join(name for name in columns if name not in ("sequence", "id", "key", "account", "title"))
        for number in range(size - len(models)):
            id, model, author = new_id(), models[number % len(models)], world.authors[number % len(world.authors)].id
            database.execute(
                f"""INSERT INTO items (id, key, account, title, {names})
                SELECT ?, ?, ?, ?, {names} FROM items WHERE id = ?""", [id, f"copy-{id}", author, f"A thing, number {number}", model])
            database.execute(
                """INSERT INTO itemPlaces SELECT (SELECT sequence FROM items WHERE id = ?), lat, lon, precision, shownLat, shownLon, name,
                wide, middle, fine FROM itemPlaces WHERE item = (SELECT sequence FROM items WHERE id = ?)""", [id, model])
            database.execute(
                """INSERT INTO listings (item, account, happenedFrom, happenedTo, handover, reward, phone, question, expires)
                SELECT ?, ?, happenedFrom, happenedTo, handover, reward, phone, question, expires FROM listings WHERE item = ?""",
                [id, author, model])
        # They were compared with nothing, and are not to be.
        database.execute("DELETE FROM listingWork")
    hub.write(copy)
    hub.serve()


class Writers:
    """People who add, change and remove meanwhile: as many acts as the reader has read pages for."""

    def __init__(self, world, entries, changes, dice, threads=4):
        self.world, self.changes, self.permits = world, changes, threading.Semaphore(0)
        self.lock, self.dice, self.entries = threading.Lock(), dice, entries
        self.gone, self.added, self.changed, self.done, self.faults = set(), 0, 0, 0, []
        self.threads = [threading.Thread(target=self.work) for _ in range(threads)]
        for thread in self.threads:
            thread.start()

    def work(self):
        line = Line(self.world.hub)
        try:
            while True:
                self.permits.acquire()
                with self.lock:
                    if self.done >= self.changes:
                        return
                    self.done += 1
                    kind = self.dice.choice(["add", "edit", "edit", "settle", "withdraw", "hide", "renew"])
                    item = None
                    if kind != "add":
                        item, owner = self.dice.choice(self.entries)
                        if item in self.gone:
                            kind = "add"
                        elif kind in ("settle", "withdraw", "hide"):
                            self.gone.add(item)
                    place = f"{50 + self.dice.uniform(-1, 1):.4f},{8 + self.dice.uniform(-1, 1):.4f}"
                self.act(line, kind, item, None if item is None else owner, place)
        except Exception as error:
            self.faults.append(error)
        finally:
            line.close()

    def act(self, line, kind, item, owner, place):
        world = self.world

        def must(method, path, token, body):
            answer = line.ask(method, path, token, body)
            # It has ended between the choice and the act, by another hand of the same.
            assert answer.status in (200, 201) or answer.status in (404, 409, 410) and item in self.gone, f"{kind}: {answer}"
        if kind == "add":
            self.added += 1
            must("POST", BOARD, world.author().token, world.content("A thing that is new", at=place, precision="exact"))
        elif kind == "edit":
            # Neither words, place nor category are others: it stays where it is in every order.
            found = line.ask("GET", f"{BOARD}/{item}", owner.token)
            if found.status != 200:
                return
            found = found.json
            self.changed += 1
            must("PUT", f"{BOARD}/{item}", owner.token, world.content(
                found["title"], at=f"{found['place']['latitude']},{found['place']['longitude']}", precision="exact",
                text=f"Changed {self.changed} times by all."))
        elif kind == "settle":
            must("POST", f"{BOARD}/{item}/closure", owner.token, {"outcome": "returned"})
        elif kind == "withdraw":
            must("POST", f"{BOARD}/{item}/withdrawal", owner.token, {"reason": "It is gone.", "sure": True})
        elif kind == "hide":
            begun = line.ask("POST", f"/api/hub/v1/moderation/items/{item}/case", world.moderators[0].token, {"why": "Look."})
            assert begun.status in (200, 201), begun
            case = begun.json["id"]
            must("POST", f"/api/hub/v1/moderation/cases/{case}/decisions", world.moderators[0].token,
                 {"what": "hide", "state": "open", "why": "It is not to be seen."})
        else:
            must("POST", f"{BOARD}/{item}/renewal", owner.token, {})

    def end(self):
        for _ in range(self.changes + len(self.threads)):
            self.permits.release()
        for thread in self.threads:
            thread.join()
        if self.faults:
            raise self.faults[0]


CENTRE = (50.0, 8.0)
# So many are sorted by distance, and the list ends there.
MOST_NEAREST = 1000


def distance(point):
    """Metres from the middle, as far as whoever pages cares."""
    lat, lon, lat0, lon0 = map(math.radians, (*point, *CENTRE))
    half = math.sin((lat - lat0) / 2) ** 2 + math.cos(lat) * math.cos(lat0) * math.sin((lon - lon0) / 2) ** 2
    return 2 * 6_371_008.8 * math.asin(math.sqrt(half))


def read(world, order, changes, dice):
    """Pages through one order once, with its changes meanwhile. Gives pages and what was done."""
    people = {author.id: author for author in world.authors}
    rows = world.hub.rows(
        "SELECT id, account FROM items WHERE board = 'lost-and-found' AND listed = 1 AND title LIKE 'A thing%' AND category = 'other'")
    rows = [(id, people[account]) for id, account in rows if account in people]
    # All of them are paged in each order.
    before = {id for id, _ in rows}
    expected = max(1, min(len(before), MOST_NEAREST if "nearest" in order else len(before)) // 30)
    writers = Writers(world, rows, changes, dice)
    line, seen, pages, after = Line(world.hub), [], 0, None
    begin = time.monotonic()
    try:
        while True:
            query = ORDERS[order] + (f"&after={urllib.parse.quote(after)}" if after else "")
            answer = line.ask("GET", f"{BOARD}?{query.lstrip('&')}")
            assert answer.status == 200, answer
            found = answer.json
            seen += [listing["id"] for listing in found["listings"]]
            pages += 1
            after = found.get("next")
            if not after:
                break
            assert pages <= len(before), "there is no end"
            for _ in range(-(-changes // expected)):
                writers.permits.release()
    finally:
        line.close()
        writers.end()
    took = time.monotonic() - begin
    twice = len(seen) - len(set(seen))
    assert twice == 0, f"{order}: {twice} are repeated"
    throughout = before - writers.gone
    if "nearest" in order and len(seen) >= MOST_NEAREST:
        assert len(seen) == MOST_NEAREST, f"{order}: {len(seen)} are listed"
        far = {id: distance(point) for id, *point in world.hub.rows(
            "SELECT id, shownLat, shownLon FROM items JOIN itemPlaces ON itemPlaces.item = items.sequence")}
        # Those as far away as the last one may be on the page that there is not.
        throughout = {id for id in throughout if far[id] < far[seen[-1]] - 1}
        assert all(far[one] <= far[two] + 1 for one, two in zip(seen, seen[1:])), f"{order}: not the nearest first"
    left_out = throughout - set(seen)
    assert not left_out, f"{order}: {len(left_out)} of {len(throughout)} are left out"
    return pages, len(before), len(throughout), writers, took


def run(world, dice, size, rounds, changes):
    fill(world, size, dice)
    told = []
    orders = list(ORDERS)
    for number in range(rounds):
        order = orders[number % len(orders)]
        pages, before, throughout, writers, took = read(world, order, changes, dice)
        told.append(
            f"{order}: {throughout} of {before} in {pages} pages, {writers.added} added, {writers.changed} changed, {len(writers.gone)} removed,"
            f" {took:.1f} s")
        if number % 10 == 9 or number == rounds - 1:
            world.hub.check()
    return told
