"""Another server (hub.md 8): a hub is killed again and again while it delivers to one and takes from it. Nothing is told twice, and nothing is lost: each
clip and each act that somebody was told is done is there in the end, once, on both sides."""

import hashlib
import os
import threading
import time

from elsewhere import Elsewhere, openssl
from hub import Line, Person, eventually, new_id, settle

PEOPLE = [f"out{number}" for number in range(6)]
BOBS = [f"bob{number}" for number in range(6)]
# Each has a time of its own to be killed, in seconds after all have begun; most acts take less.
LONGEST = 0.5


class Federation:
    """A hub with people who have switched other servers on, each with a clip, and the other server."""

    def __init__(self, hub):
        self.hub, self.count = hub, 0
        self.there = Elsewhere(hub.top, BOBS)
        self.people = [Person(handle, 1) for handle in PEOPLE]
        self.actors, self.clips, self.bobs = {}, {}, {}
        hub.stop()
        key = openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048").decode()
        hub.write(lambda database: self.inhabit(database, key))
        hub.serve()
        self.url = f"http://127.0.0.1:{hub.port}"
        self.inbox = f"{self.url}/ap/inbox"
        # Whoever speaks to this hub follows everybody, and is followed by everybody.
        line = Line(hub)
        for handle in BOBS:
            for person in self.people:
                self.count += 1
                self.there.tell(self.inbox, handle, self.count, "Follow", f"{self.url}/ap/actors/{self.actors[person.handle]}")
                found = line.ask("GET", f"/api/v2/search?resolve=true&q=@{handle}@{self.there.host}", person.token)
                self.bobs[handle] = found.json["accounts"][0]["id"]
                assert line.ask("POST", f"/api/v1/accounts/{self.bobs[handle]}/follow", person.token, {}).status == 200
        line.close()
        eventually("everybody has asked", lambda: len(self.there.of("Follow")) == len(BOBS) * len(PEOPLE))
        for follow in self.there.of("Follow"):
            self.accept(follow)

    def accept(self, follow):
        self.count += 1
        self.there.tell(self.inbox, follow["object"].rpartition("/")[2], self.count, "Accept", follow)

    def inhabit(self, database, key):
        settle(database, self.people)
        for person in self.people:
            actor, clip, now = hashlib.sha256(person.handle.encode()).hexdigest()[:24], new_id(), int(time.time() * 1000)
            self.actors[person.handle], self.clips[person.handle] = actor, clip
            database.execute(
                "INSERT INTO federationActors (id, account, isOn, key, created) VALUES (?, ?, 1, ?, ?)", [actor, person.id, key, now])
            sound = f"sound of {person.handle}".encode()
            os.makedirs(f"{self.hub.folder}/media", exist_ok=True)
            with open(f"{self.hub.folder}/media/{clip}.mp3", "wb") as file:
                file.write(sound)
            database.execute(
                """INSERT INTO clips (id, title, fileName, contentType, bytes, sha256, created, owner)
                VALUES (?, 'Clip', 'clip.mp3', 'audio/mpeg', ?, ?, ?, ?)""",
                [clip, len(sound), hashlib.sha256(sound).hexdigest(), now, person.id])

    def end(self):
        self.hub.stop()
        looked = self.hub.run("hub", "check")
        assert looked.returncode == 0, f"chirp hub check: {looked.stdout}{looked.stderr}"
        self.there.end()


class Ledger:
    """What was done, as those know it who were told so."""

    def __init__(self):
        self.lock = threading.Lock()
        self.posts, self.likes, self.unliked, self.answers, self.shares = {}, set(), set(), {}, set()
        self.follows = {}
        self.marks, self.replies, self.clips = set(), set(), set()


def insist(line, method, path, person, body=None, key=None):
    """Asks until it is done: what was done when the hub died is done once all the same."""
    while True:
        answer = line.ask(method, path, person.token, body, {"Idempotency-Key": key} if key else {})
        if answer.status == 200:
            return answer.json
        assert answer.status is None, answer
        time.sleep(0.02)


def outwards(world, ledger, place, number, heard):
    """Somebody here posts, and does something to a clip of somebody there."""
    person, line = world.people[place], Line(world.hub)
    try:
        words = f"Post {number} #Chirp {world.url}/c/{world.clips[person.handle]}"
        post = insist(line, "POST", "/api/v1/statuses", person, {"status": words}, f"post-{number}")
        with ledger.lock:
            ledger.posts[post["uri"].rpartition("/")[2]] = number
        if not heard:
            return
        clip, address = heard
        status = f"/api/v1/statuses/{clip}"
        insist(line, "POST", f"{status}/favourite", person, {})
        with ledger.lock:
            ledger.likes.add((person.handle, address))
        insist(line, "POST", f"{status}/reblog", person, {})
        with ledger.lock:
            ledger.shares.add((person.handle, address))
        answer = insist(line, "POST", "/api/v1/statuses", person, {"status": f"Answer {number}", "in_reply_to_id": f"{clip}"}, f"answer-{number}")
        with ledger.lock:
            ledger.answers[answer["uri"].rpartition("/")[2]] = address
        if number % 3 == 0:
            insist(line, "POST", f"{status}/unfavourite", person, {})
            with ledger.lock:
                ledger.unliked.add((person.handle, address))
        if number % 4 == 0:
            # Nobody whose clips are awaited: what is unfollowed is not taken.
            insist(line, "POST", f"/api/v1/accounts/{world.bobs[BOBS[-1]]}/unfollow", person, {})
            insist(line, "POST", f"/api/v1/accounts/{world.bobs[BOBS[-1]]}/follow", person, {})
    finally:
        line.close()


def inwards(world, ledger, place, number, post):
    """Somebody there posts a clip, and does something to a post of somebody here."""
    handle, there = BOBS[place], world.there
    note = there.clip(handle, number)
    there.tell(world.inbox, handle, f"clip-{number}", "Create", note)
    with ledger.lock:
        ledger.clips.add(note["id"])
    if not post:
        return
    address = f"{world.url}/ap/notes/{post}"
    there.tell(world.inbox, handle, f"like-{number}", "Like", address)
    there.tell(world.inbox, handle, f"share-{number}", "Announce", address)
    reply = there.note(handle, f"reply-{number}", f"Reply {number}", inReplyTo=address)
    there.tell(world.inbox, handle, f"reply-{number}", "Create", reply)
    with ledger.lock:
        ledger.marks |= {(post, there.id(handle), "like"), (post, there.id(handle), "announce")}
        ledger.replies.add(reply["id"])


def is_quiet(hub):
    """Nothing is to be delivered or fetched."""
    waiting = hub.one("SELECT COUNT(*) FROM federationDeliveries WHERE state = 'waiting'")
    return waiting == hub.one("SELECT COUNT(*) FROM remoteClips WHERE state = 'waiting'") == 0


def careful(faults, act, *about):
    """What goes wrong in a thread is not to be taken for what the hub has lost."""
    try:
        act(*about)
    except Exception as error:
        faults.append(error)


def effect(activities):
    """What is so after all of them, in their order: who likes, shares or follows what."""
    standing = {}
    for activity in activities:
        if activity["type"] == "Undo":
            standing.pop(activity["object"]["id"], None)
        elif activity["type"] in ("Like", "Announce", "Follow"):
            standing[activity["id"]] = (activity["type"], activity["actor"], activity["object"])
    return sorted(standing.values())


def run(world, dice, kills):
    ledger, hub, there = Ledger(), world.hub, world.there
    number, moments, faults = 0, [], []
    for _ in range(kills):
        posts = list(ledger.posts)
        heard = hub.rows("SELECT post, address FROM remoteClips WHERE post IS NOT NULL")
        threads = []
        for place in range(2):
            number += 1
            out, bob = dice.randrange(len(PEOPLE)), (number // 2) % (len(BOBS) - 1)
            for act, who, about in ((outwards, (out + place) % len(PEOPLE), heard), (inwards, bob, posts)):
                about = dice.choice(about) if about else None
                threads.append(threading.Thread(target=careful, args=(faults, act, world, ledger, who, number, about)))
        for thread in threads:
            thread.start()
        time.sleep(dice.uniform(0.02, LONGEST))
        hub.kill()
        moments.append(any(thread.is_alive() for thread in threads) or not is_quiet(hub))
        hub.serve()
        for thread in threads:
            thread.join()
        if faults:
            raise faults[0]
    eventually("all is delivered and fetched", lambda: is_quiet(hub), 240)
    for follow in there.of("Follow"):
        world.accept(follow)
    assert not there.faults, there.faults[:3]
    compare(world, ledger)
    return (
        f"{kills} kills, {sum(moments)} of them with something on its way: {len(ledger.posts)} clips, {len(ledger.likes)} likes, "
        f"{len(ledger.shares)} shares, {len(ledger.answers)} answers out, {there.again} deliveries repeated under their ids; "
        f"{len(ledger.clips)} clips, {len(ledger.marks)} marks, {len(ledger.replies)} answers in, each told at least twice; none lost, none twice")


def compare(world, ledger):
    hub, there = world.hub, world.there
    note = f"{world.url}/ap/notes/"
    created = sorted(activity["object"]["id"].removeprefix(note) for activity in there.of("Create"))
    assert created == sorted([*ledger.posts, *ledger.answers]), "each clip and each answer was told of once"
    for activity in there.of("Create"):
        id = activity["object"]["id"].removeprefix(note)
        assert activity["object"].get("inReplyTo") == ledger.answers.get(id), activity
    actor = {handle: f"{world.url}/ap/actors/{id}" for handle, id in world.actors.items()}
    expected = [("Like", actor[who], address) for who, address in ledger.likes - ledger.unliked]
    expected += [("Announce", actor[who], address) for who, address in ledger.shares]
    with there.lock:
        came = effect(there.taken.values())
    follows = [one for one in came if one[0] == "Follow"]
    standing = sorted((actor, address) for actor, address in hub.rows(
        """SELECT federationActors.id, address FROM remoteFollows JOIN remoteActors ON remoteActors.id = remoteFollows.actor
        JOIN federationActors ON federationActors.account = remoteFollows.account WHERE state = 'accepted'"""))
    assert sorted((one[1].rpartition("/")[2], one[2]) for one in follows) == standing, "who is followed is the same on both sides"
    assert len(standing) == len(PEOPLE) * len(BOBS), "everybody is followed, and has accepted"
    # What was liked anew after it was taken back stands.
    likes = sorted(one for one in came if one[0] != "Follow")
    rows = sorted(({"like": "Like", "announce": "Announce"}[kind], actor[who], address) for kind, who, address in hub.rows(
        """SELECT outwardMarks.kind, handle, address FROM outwardMarks JOIN accounts ON accounts.id = outwardMarks.account
        JOIN remoteClips ON remoteClips.post = outwardMarks.post"""))
    assert likes == rows, "what is liked and shared is the same on both sides"
    assert set(expected) <= set(likes), "no like and no share is lost"

    assert {row for row in hub.rows(
        """SELECT post, address, kind FROM remoteMarks JOIN remoteActors ON remoteActors.id = remoteMarks.actor""")} == ledger.marks
    assert sorted(row[0] for row in hub.rows("SELECT address FROM remoteReplies")) == sorted(ledger.replies)
    told = dict(hub.rows("SELECT kind, COUNT(*) FROM notices WHERE remote IS NOT NULL GROUP BY kind"))
    right = {"follow": len(PEOPLE) * len(BOBS), "favourite": len(ledger.marks), "mention": len(ledger.replies)}
    assert told == {kind: count for kind, count in right.items() if count}, f"each act is one notice: {told}, not {right}"
    kept = hub.rows("SELECT address, state, (SELECT COUNT(*) FROM posts WHERE clip = remoteClips.clip) FROM remoteClips")
    assert {row[0] for row in kept} == ledger.clips, "each clip is known once"
    assert all(row[1:] == ("kept", 1) for row in kept), [row for row in kept if row[1:] != ("kept", 1)][:3]
