"""Writes to the owners of lost pets as swindlers do, by a script and in every way that a hub has: ten strangers a day are reached and
nobody else, what swindlers ask for has a warning beside it and is never kept back, and their links are text (boards.md 5.4.7).

Usage: swindles.py. 1,000 owners with CHIRP_WHOLE set, otherwise 60. The limits that scale are wide; the one that is looked at does not.
"""

import html.parser
import re
import sqlite3
import time

from household import WHOLE, Person, served

OWNERS = 1000 if WHOLE else 60
MOST = 10
LINK = "https://swindle.example/pay?x=1"
# Each is written by somebody who means no good; the words of the second list by anybody.
ASKS = [
    "Please send me the verification code that you have just got", "I need a GIFT-CARD first", "You must pay first", "gift\u200bcard", "gift\ncard",
    "ｇｉｆｔ ｃａｒｄ", "g\u00adift ca\u00adrd", "Gift\u2003\u2003cards please", "Schick mir den Bestätigungscode", "Erst eine Gutscheinkarte, bitte",
    "Du musst zuerst bezahlen", "BESTÄTIGUNGSCODE", "Besta\u0308tigungscode", "verification   code?", "*verification* _code_",
]
HARMLESS = ["I have seen your cat in the garden", "A gift for you", "The card is red", "Ein Code steht am Halsband", "He will pay", "Die Karte der Stadt"]


class Message(html.parser.HTMLParser):
    """What stands in a conversation: the words of each message, its links, and whether there is a warning beside it."""

    def __init__(self, text):
        super().__init__()
        self.found, self.inside = [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        facts = dict(attributes)
        if tag == "li" and (facts.get("class") or "").startswith("post"):
            self.found.append({"text": "", "links": [], "caution": False})
        elif self.found and "caution" in (facts.get("class") or "").split():
            self.found[-1]["caution"] = True
        elif self.found and tag == "a":
            self.found[-1]["links"].append(facts.get("href", ""))

    def handle_data(self, data):
        if self.found:
            self.found[-1]["text"] += data


def copy(database, table, row, **changes):
    # What the database computes is not written.
    own = [facts["name"] for facts in database.execute(f"PRAGMA table_xinfo({table})") if not facts["hidden"]]
    row = {name: value for name, value in (dict(row) | changes).items() if name in own}
    columns = ", ".join(f'"{name}"' for name in row)
    return database.execute(
        f"INSERT INTO {table} ({columns}) VALUES ({', '.join('?' * len(row))})", list(row.values())).lastrowid


def owners(hub, template):
    """Makes many of one who has lost a pet, while the hub is not served: signing up takes a quarter of a second each."""
    hub.stop()
    found = []
    with sqlite3.connect(hub.database) as database:
        database.row_factory = sqlite3.Row
        account = database.execute("SELECT * FROM accounts WHERE handle = 'pet'").fetchone()
        item = database.execute("SELECT * FROM items WHERE id = ?", [template]).fetchone()
        place = database.execute("SELECT * FROM itemPlaces WHERE item = ?", [item["sequence"]]).fetchone()
        # What a board keeps beside an item; what is still to be compared is written by a trigger.
        tables = [
            name for (name,) in database.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'listing%' AND name <> 'listingWork'")]
        for number in range(OWNERS):
            person = f"{account['id'][:-6]}{number:06d}"
            # Such ids have no zero.
            listing = f"{template[:-6]}{number:06d}".replace("0", "z")
            more = {name: f"{number}{account[name]}" for name in ["mail", "skeleton"] if name in account.keys()}
            copy(database, "accounts", account, id=person, handle=f"pet{number}", **more)
            sequence = copy(database, "items", item, sequence=None, id=listing, account=person)
            if place is not None:
                copy(database, "itemPlaces", place, item=sequence)
            for table in tables:
                columns = [row["name"] for row in database.execute(f"PRAGMA table_info({table})")]
                if "item" not in columns:
                    continue
                for row in database.execute(f"SELECT * FROM {table} WHERE item IN (?, ?)", [template, item["sequence"]]).fetchall():
                    copy(
                        database, table, row, account=person, item=listing if row["item"] == template else sequence)
            found.append((f"pet{number}", listing))
    database.close()
    hub.start()
    return found


def reached(hub, writer):
    """Who has been written to by somebody, whatever became of the letters: those to whom something of hers goes."""
    return {handle for (handle,) in hub.rows(
        """
        SELECT DISTINCT people.handle FROM recipients JOIN posts ON posts.sequence = recipients.post
        JOIN accounts AS authors ON authors.id = posts.account JOIN accounts AS people ON people.id = recipients.account
        WHERE authors.handle = ? AND people.handle LIKE 'pet_%'
        """, writer)}


def wave(hub, name, people, write):
    """One account writes to everybody; gives how many letters were taken, and how long it took."""
    person = hub.member(name)
    person.token
    taken, refused, began = 0, 0, time.monotonic()
    for handle, listing in people:
        answer = write(person, handle, listing)
        assert answer.status < 500, f"{name}: {answer.status} {answer.text[:200]}"
        if answer.status in (200, 201):
            taken += 1
        else:
            refused += 1
            assert answer.status == 429, f"{name}: {answer.status} {answer.text[:200]}"
            wait = int(answer.headers["Retry-After"])
            assert 23 * 3600 < wait <= 24 * 3600, f"{name}: {wait}"
    took = time.monotonic() - began
    met = reached(hub, name)
    print(f"{name}: {taken} taken, {refused} refused in {took:.0f} s; {len(met)} strangers are reached", flush=True)
    assert len(met) <= MOST and refused >= len(people) - MOST, f"{name} reaches {len(met)}"
    return person


def status(visibility):
    return lambda person, handle, _: person.call(
        "POST", "/api/v1/statuses", {"status": f"@{handle} I have your dog", "visibility": visibility})


def waves(hub, people):
    ways = {
        "byboard": lambda person, _, listing: person.call(
            "POST", f"/api/hub/v1/lost-and-found/{listing}/messages", {"text": "I have your dog"}),
        "bythreads": lambda person, handle, _: person.call("POST", "/api/hub/v1/threads", {"to": [handle], "text": "I have your dog"}),
        "byletters": status("direct"),
        "byfollowers": status("private"),
        "bymentions": status("public"),
        "byunlisted": status("unlisted"),
        "byclaims": lambda person, _, listing: person.call(
            "POST", f"/api/hub/v1/lost-and-found/{listing}/claims", {"answer": "I have your dog"}),
    }
    for name, write in ways.items():
        wave(hub, name, people, write)
    # All ways together count as one, many at once too, and removing what was written gives no more of them.
    mixed = hub.member("bymany")
    token = mixed.token
    taken = 0
    for number, (handle, listing) in enumerate(people):
        way = ["byboard", "bythreads", "byclaims", "byletters", "byfollowers", "bymentions"][number % 6]
        answer = ways[way](mixed, handle, listing)
        taken += answer.status in (200, 201)
        if answer.status == 200 and way == "byletters":
            mixed.call("DELETE", f"/api/v1/statuses/{answer.json['id']}")
    assert token and taken == MOST, taken
    many = hub.member("byonce")
    answer = many.call("POST", "/api/v1/statuses", {
        "status": " ".join(f"@{handle}" for handle, _ in people[:50]) + " I have your dog", "visibility": "direct"})
    assert answer.status in (200, 429) and len(reached(hub, "byonce")) <= MOST, (answer.status, len(reached(hub, "byonce")))
    print(f"in turns: {taken} taken; fifty at once: {answer.status}, {len(reached(hub, 'byonce'))} reached")


def warnings(hub):
    """Beside every message of somebody unknown that asks for what swindlers ask for; the message itself is there."""
    owner, stranger = hub.member("ada"), hub.member("eve")
    thread = None
    for text in ASKS + HARMLESS:
        answer = stranger.call("POST", "/api/hub/v1/threads", {"to": ["ada"], "text": f"{text} {LINK}"})
        assert answer.status in (200, 201), f"{text!r} is kept back: {answer.status}"
        thread = answer.json["thread"]
    for language, word in [("en", "Take care"), ("de", "Vorsicht")]:
        text = owner.ask("GET", f"/messages/{thread}", None, {"Accept-Language": language}).text
        assert word in text, f"no warning in {language}"
    shown = Message(text).found
    assert len(shown) == len(ASKS) + len(HARMLESS), len(shown)
    missed = [ask for ask, message in zip(ASKS, shown) if not message["caution"]]
    wrong = [text for text, message in zip(HARMLESS, shown[len(ASKS):]) if message["caution"]]
    assert not wrong, f"warned of {wrong}"
    assert not missed, f"not warned of {missed}"
    for message in shown:
        assert LINK in message["text"] and not [link for link in message["links"] if "swindle.example" in link], message
    # Wherever else these words are shown to her, the address is no link either.
    for path in ["/messages", "/notices", "/", "/home", f"/messages/{thread}"]:
        page = owner.get(path).text
        assert f'href="{LINK.split("?")[0]}' not in page, path
    program = owner.call("GET", f"/api/hub/v1/threads/{thread}").json["messages"]
    assert sum(message["caution"] for message in program) == len(ASKS), "a program is not told"
    for path in ["/api/v1/conversations", "/api/v1/notifications", "/api/v1/timelines/home"]:
        answer = owner.call("GET", path)
        assert f'href=\\"{LINK.split("?")[0]}' not in answer.text, f"{path} makes a link of it"
    for letter in hub.letters("ada"):
        assert "swindle.example" not in letter, "a letter has it"
    # Who is known writes links.
    owner.call("POST", f"/api/v1/accounts/{stranger.call('GET', '/api/v1/accounts/verify_credentials').json['id']}/follow")
    page = owner.get(f"/messages/{thread}").text
    assert f'href="{LINK.split("?")[0]}' in page and "caution" not in page
    print(f"warnings: {len(ASKS)} of {len(ASKS)}, none of {len(HARMLESS)} without reason, in en and de; links of strangers are text")


def check(hub):
    hub.owner()
    pet = hub.member("pet")
    answer = pet.call("POST", "/api/hub/v1/lost-and-found", {
        "side": "lost", "category": "pets", "title": "A black dog", "text": "Answers to Rex", "at": "50.7339,7.0997", "precision": "near",
        "key": "one"})
    assert answer.status == 201, answer.text
    people = owners(hub, answer.json["id"])
    listings = Person(hub).get(f"/lost-and-found/{people[-1][1]}")
    assert listings.status == 200 and re.search("black dog", listings.text), listings.status
    warnings(hub)
    waves(hub, people)


served(check)
