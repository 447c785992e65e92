"""Somebody does all that a hub and its board offer, takes along what there is of her, and is erased. A search of the whole database by
her account, table by table, column by column and along every reference, finds before the erasure what her archive holds, or what is
named here with a reason; afterwards it finds nothing of her (boards.md 5.1.13).

Usage: erasure.py.
"""

import glob
import io
import json
import os
import re
import sqlite3
import struct
import tarfile
import wave

from household import PASSWORD, ROOT, Person, form, served, until

# Words that she alone writes, each in another place.
WORDS = {name: f"zinnober{number:02d}" for number, name in enumerate(
    ["title", "text", "question", "reward", "answer", "letter", "status", "alert", "report", "bio", "claimed", "post", "clip", "comment"])}
PHONE = "+49 228 7654321"

# Where a search by her account finds something, and which document of the archive has it.
HELD = {
    "accounts": "account.json", "posts": "posts.json", "postTags": "posts.json", "recipients": "posts.json", "clips": "clips.json",
    "transcripts": "clips.json", "follows": "people.json", "blocks": "people.json", "marks": "marks.json", "notices": "notices.json",
    "noticeChoices": "account.json", "sessions": "account.json", "identities": "account.json", "pushSubscriptions": "account.json",
    "items": "items.json", "itemPlaces": "items.json", "itemPictures": "items.json", "itemMarks": "item-marks.json",
    "pictures": "pictures.json", "pictureFiles": "pictures.json", "listings": "listings.json", "listingsUnkept": "listings.json",
    "claims": "claims.json", "alerts": "alerts.json", "drafts": "drafts.json", "media": "drafts.json", "frames": "frames.json",
    "liveSessions": "listening.json", "livePlays": "listening.json", "cases": "cases.json", "decisions": "cases.json",
    "sanctions": "cases.json", "reports": "reports.json", "letters": "account.json", "tokens": "account.json", "portraits": "picture.jpg",
    "moderatorsSeen": "cases.json", "matches": "matches.json",
}
# What else it finds, and why no document has it: what is derived of the above, what lives for a day, secrets, and what others did.
LEFT_OUT = {
    "itemTallies": "counted from marks of others", "itemCells": "derived from places",
    "itemSight": "follows from a claim that was accepted", "strangerLetters": "for a day",
    "recentPosts": "for a day", "pushes": "waits to be told, for a day", "links": "a secret, kept as a digest", "codes": "a secret",
    "threadReads": "up to where she has read", "clipHearers": "who may hear an answer", "alertHits": "computed from alerts and listings",
    "alertCells": "derived from alerts", "matchesTold": "when she was told last",
}


def sound():
    held = io.BytesIO()
    with wave.open(held, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes(b"".join(struct.pack("<h", (number * 37 % 200 - 100) * 80) for number in range(32_000)))
    return held.getvalue()


def act(hub):
    """All that there is to be done; gives her, her ids, and others."""
    owner, ann, bob, eve = hub.owner(), hub.member("ann"), hub.member("bob"), hub.member("eve")
    api = "/api/hub/v1/lost-and-found"
    with open(f"{ROOT}/Tests/Fixtures/pictures/6.heic", "rb") as file:
        picture = ann.call("POST", f"{api}/pictures", file.read(), "application/octet-stream").json["id"]
    # What is said is levelled first, in a child of its own.
    clip = ann.call("POST", f"{api}/clips", sound(), "application/octet-stream")
    assert clip.status in (200, 201), clip.text
    own = {"side": "lost", "category": "keys", "title": f"Keys {WORDS['title']}", "text": WORDS["text"], "question": WORDS["question"],
           "reward": WORDS["reward"], "phone": PHONE, "at": "50.7339,7.0997", "precision": "near", "pictures": [picture], "clip": clip.json["id"], "key": "a"}
    answer = ann.call("POST", api, own)
    assert answer.status == 201, answer.text
    listing = answer.json["id"]
    other = bob.call("POST", api, {"side": "found", "category": "keys", "title": "Keys in the tram", "text": "Five of them", "question": "Which colour?",
                                   "phone": "+49 228 111111", "at": "50.7340,7.0998", "precision": "exact", "key": "b"}).json["id"]
    third = eve.call("POST", api, {"side": "found", "category": "bags", "title": "A bag", "text": "Blue", "at": "50.74,7.1", "precision": "near", "key": "c"}).json["id"]
    done = [
        ann.call("POST", f"{api}/{other}/claims", {"answer": WORDS["answer"]}), ann.call("POST", f"{api}/{other}/messages", {"text": WORDS["letter"]}),
        ann.call("PUT", f"{api}/{other}/save"), ann.call("POST", f"{api}/{other}/telephone"),
        ann.call("POST", f"{api}/alerts", {"q": WORDS["alert"], "at": "50.73,7.09", "within": "10"}),
        ann.call("POST", f"/api/hub/v1/items/{third}/reports", {"reason": "ownership", "text": WORDS["report"]}),
        bob.call("POST", f"{api}/{listing}/claims", {"answer": "They are red"}), eve.call("POST", f"/api/hub/v1/items/{listing}/reports", {"reason": "spam", "text": "Hm"}),
        ann.call("POST", "/api/v1/statuses", {"status": f"{WORDS['status']} #Keys"}),
    ]
    for answer in done:
        assert answer.status in (200, 201, 204), answer.text
    claim = done[0].json["id"]
    bob.call("POST", f"{api}/claims/{claim}/acceptance", {"greeting": "Come by"})
    thread = done[1].json["thread"]
    bob.call("POST", f"/api/hub/v1/threads/{thread}", {"text": "Tomorrow at ten"})
    ann.get(f"/lost-and-found/{other}")
    ann.get(f"/lost-and-found/{third}")
    status = bob.call("POST", "/api/v1/statuses", {"status": "@ann hello"}).json["id"]
    for path in ["favourite", "bookmark"]:
        ann.call("POST", f"/api/v1/statuses/{status}/{path}")
    ann.call("POST", "/api/v1/statuses", {"status": WORDS["comment"], "in_reply_to_id": status})
    ids = {name: bob.call("GET", f"/api/v1/accounts/lookup?acct={name}").json["id"] for name in ["ann", "bob", "eve"]}
    ann.call("POST", f"/api/v1/accounts/{ids['bob']}/follow")
    bob.call("POST", f"/api/v1/accounts/{ids['ann']}/follow")
    ann.call("POST", f"/api/v1/accounts/{ids['eve']}/block")
    ann.submit("/settings/profile", {"name": "Ann Zinnober", "bio": WORDS["bio"]})
    with open(f"{ROOT}/Tests/Fixtures/pictures/1.jpg", "rb") as file:
        token = re.search(r'name="token" value="([^"]*)"', ann.get("/settings/profile/picture").text)[1]
        body, kind = form([("token", None, token.encode()), ("picture", "a", file.read())])
    assert ann.ask("POST", "/settings/profile/picture", body, {"Content-Type": kind, "Origin": hub.origin}).status == 303
    # A moderator looks at what was reported.
    for case in owner.call("GET", "/api/hub/v1/moderation/cases").json:
        owner.call("POST", f"/api/hub/v1/moderation/cases/{case['id']}/decisions", {"what": "nothing", "why": "As it should be"})
    ids |= {"listing": listing, "picture": picture, "clip": clip.json["id"], "claim": claim}
    return ann, bob, owner, ids, other, thread


def found(hub, account):
    """Rows by table that lead to an account: whatever column has its id, and whatever refers to such a row that is hers."""
    rows = {}
    with sqlite3.connect(f"file:{hub.database}?mode=ro", uri=True) as database:
        tables = [name for name, sql in database.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
                  if not name.startswith(("sqlite_", "itemWords", "grdb_")) and not sql.startswith("CREATE VIRTUAL") and not re.search(r"_(data|idx|content|docsize|config|node|parent|rowid)$", name)]
        columns = {table: [facts[1] for facts in database.execute(f'PRAGMA table_xinfo("{table}")')] for table in tables}
        for table in tables:
            where = " OR ".join(f'CAST("{column}" AS TEXT) = :id' for column in columns[table])
            count = database.execute(f'SELECT COUNT(*) FROM "{table}" WHERE {where}', {"id": account}).fetchone()[0]
            if count:
                rows[table] = count
        # Along the references: what hangs on her rows by a cascade is hers too.
        again = True
        while again:
            again = False
            for table in tables:
                for reference in database.execute(f'PRAGMA foreign_key_list("{table}")').fetchall():
                    _, _, parent, column, goal, _, onDelete, _ = reference
                    if table in rows or parent not in rows or parent == "accounts" or onDelete != "CASCADE":
                        continue
                    where = " OR ".join(f'CAST(p."{one}" AS TEXT) = :id' for one in columns[parent])
                    count = database.execute(
                        f'SELECT COUNT(*) FROM "{table}" AS c JOIN "{parent}" AS p ON c."{column}" = p."{goal or "rowid"}" WHERE {where}', {"id": account}).fetchone()[0]
                    if count:
                        rows[table], again = count, True
    return rows


def traces(hub, texts):
    """Where one of some texts stands: in any column of any table, the tables of indexes among them, and in any file beside them."""
    places = {}
    with sqlite3.connect(f"file:{hub.database}?mode=ro", uri=True) as database:
        for name, sql in database.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").fetchall():
            if sql.startswith("CREATE VIRTUAL"):
                continue
            for facts in database.execute(f'PRAGMA table_xinfo("{name}")').fetchall():
                for text in texts:
                    sqlite = f'SELECT COUNT(*) FROM "{name}" WHERE instr(CAST("{facts[1]}" AS BLOB), CAST(? AS BLOB))'
                    if database.execute(sqlite, [text]).fetchone()[0]:
                        places.setdefault(f"{name}.{facts[1]}", set()).add(text)
    top = os.path.dirname(hub.database)
    for path in glob.glob(f"{top}/**", recursive=True):
        if not os.path.isfile(path) or ".sqlite" in path or path.endswith(".eml"):
            continue
        with open(path, "rb") as file:
            content = file.read()
        for text in texts:
            if text.encode() in content or text in os.path.basename(path):
                places.setdefault(os.path.relpath(path, top), set()).add(text)
    return places


def check(hub):
    ann, bob, owner, ids, other, thread = act(hub)
    until(lambda: hub.rows("SELECT 1 FROM notices WHERE account = ?", ids["ann"]), what="a notice")
    rows = found(hub, ids["ann"])
    unknown = set(rows) - set(HELD) - set(LEFT_OUT)
    assert not unknown, f"neither in the archive nor left out for a reason: {sorted(unknown)}"
    answer = ann.call("POST", "/api/hub/v1/account/export", {"password": PASSWORD})
    assert answer.status == 200, answer.text[:300]
    with tarfile.open(fileobj=io.BytesIO(answer.body)) as archive:
        files = {member.name: archive.extractfile(member).read() for member in archive if member.isfile()}
    # Those of a board lie in a folder of its own.
    documents = {os.path.basename(name): json.loads(content) for name, content in files.items() if name.endswith(".json")}
    missing = {table: HELD[table] for table in rows if table in HELD and HELD[table] not in documents | files}
    assert not missing, f"no such document: {missing}"
    # Where she is alone in a table, her document has as many entries as she has rows there.
    for table, document in [("items", "items.json"), ("alerts", "alerts.json"), ("pictures", "pictures.json"), ("clips", "clips.json")]:
        assert len(documents[document]) == rows[table], f"{document}: {len(documents[document])} of {rows[table]}"
    assert len(documents["posts.json"]) == hub.rows("SELECT COUNT(*) FROM posts WHERE account = ?", ids["ann"])[0][0]
    assert len(documents["item-marks.json"]) == hub.rows("SELECT COUNT(*) FROM itemMarks WHERE account = ?", ids["ann"])[0][0]
    assert len(documents["claims.json"]) == hub.rows("SELECT COUNT(*) FROM claims WHERE claimant = ?", ids["ann"])[0][0]
    told = b"".join(files.values())
    absent = [name for name, word in WORDS.items() if name in ("title", "text", "question", "reward", "answer", "letter", "status", "alert", "bio", "comment", "report")
              and word.encode() not in told]
    assert not absent, f"not in her archive: {absent}"
    assert PHONE.replace(" ", "").encode() in told.replace(b" ", b""), "her telephone number is not in her archive"
    assert b"Tomorrow at ten" not in told and b"They are red" not in told and b"bob@example.org" not in told, "others' words are in her archive"
    print(f"export: rows in {len(rows)} tables, {len(documents)} documents; left out: {', '.join(sorted(set(rows) & set(LEFT_OUT)))}")

    before = traces(hub, list(WORDS.values()) + ["ann@example.org", ids["ann"], ids["listing"], ids["picture"], ids["clip"]])
    done = ann.submit("/settings/delete", {"password": PASSWORD, "handle": "ann", "sure": "yes"})
    assert done.status in (200, 303), (done.status, done.text[:300])
    until(lambda: not hub.rows("SELECT 1 FROM accounts WHERE id = ?", ids["ann"]), 30, what="the erasure")
    rest = found(hub, ids["ann"])
    assert not rest, f"after the erasure: {rest}"
    places = traces(hub, list(WORDS.values()) + ["ann@example.org", ids["ann"], ids["listing"], ids["picture"], ids["clip"], PHONE])
    # Files go with the next sweep, which is hourly; nothing names them any more, and nobody is shown them.
    files = {place for place in places if "/" in place}
    # Of what was removed the id is known, so that its address says so.
    kept = {"gone.id"}
    odd = {place: words for place, words in places.items() if place not in kept | files}
    assert not odd, f"after the erasure: {odd}"
    visitor = Person(hub)
    for path in ["/@ann", f"/lost-and-found/{ids['listing']}", f"/pictures/{ids['picture']}-small.jpg", f"/media/{ids['clip']}.mp3", f"/c/{ids['clip']}", "/@ann/picture"]:
        for person in (visitor, bob, owner):
            assert person.get(path).status in (404, 410), f"{path}: {person.get(path).status}"
    shown = bob.get(f"/messages/{thread}")
    theirs = bob.call("GET", "/api/hub/v1/threads")
    assert shown.status in (200, 404) and theirs.status == 200 and WORDS["letter"] not in theirs.text
    assert bob.get(f"/lost-and-found/{other}").status == 200, "others' listings stay"
    print(f"erasure: words of hers in {len(before)} places before, afterwards in {sorted(set(places) & kept)} without her name; "
          f"{len(files)} files wait for the sweep; her conversation: {shown.status}, {'Tomorrow' in theirs.text} that others' words stay")


served(check)
