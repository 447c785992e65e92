"""What is somebody else's (5.1.12): its id is answered as one that does not exist, by the same words and in the same time."""

import hashlib
import os
import statistics
import time

from hub import BOARD, Line, new_id


def things(world):
    """Another's private things: what each is, how it is asked for, its id, and one that nothing has."""
    hub, owner, claimant = world.hub, world.author(), world.newcomer()
    item = world.listing("A thing that is claimed", owner)
    claim = world.ask("POST", f"{BOARD}/{item}/claims", claimant, {"answer": "It is mine."}, 201)["id"]
    thread = world.ask("POST", f"{BOARD}/{item}/messages", claimant, {"text": "Is it still there?"})["thread"]
    alert = world.ask("POST", f"{BOARD}/alerts", owner, {"q": "violin", "side": "found"}, 201)["id"]
    draft, picture = new_id(), new_id()
    blocked = world.listing("A thing of somebody who has blocked", world.blocker)
    world.ask("POST", f"/api/v1/accounts/{world.stranger.id}/block", world.blocker)
    hub.stop()

    def write(database):
        columns = [row[1] for row in database.execute("PRAGMA table_info(items)")]
        names = ", ".join(name for name in columns if name not in ("sequence", "id", "key", "state"))
        database.execute(
            f"INSERT INTO items (id, key, state, {names}) SELECT ?, 'draft', 'draft', {names} FROM items WHERE id = ?", [draft, item])
        database.execute(
            """INSERT INTO listings (item, account, handover, reward, phone, question, expires)
            SELECT ?, account, handover, reward, phone, question, expires FROM listings WHERE item = ?""", [draft, item])
        now = int(time.time() * 1000)
        database.execute(
            """INSERT INTO pictures (id, owner, state, bytes, sha256, width, height, print, quality, created)
            VALUES (?, ?, 'ready', 3, ?, 10, 10, ?, 50, ?)""", [picture, owner.id, "0" * 64, "0" * 64, now])
        for name in ("small", "medium", "large"):
            body = b"\xff\xd8\xff"
            database.execute(
                "INSERT INTO pictureFiles (picture, name, bytes, sha256, width, height) VALUES (?, ?, 3, ?, 10, 10)",
                [picture, name, hashlib.sha256(body).hexdigest()])
            os.makedirs(f"{hub.folder}/pictures", exist_ok=True)
            with open(f"{hub.folder}/pictures/{picture}-{name}.jpg", "wb") as file:
                file.write(body)
    hub.write(write)
    hub.serve()

    def beside(id):
        """Another of the same form."""
        return id[:-1] + ("a" if id[-1] != "a" else "b")

    return [
        ("a draft, by a program", "GET", f"{BOARD}/{{}}", draft, beside(draft)),
        ("a draft's claims", "GET", f"{BOARD}/{{}}/claims", draft, beside(draft)),
        ("a listing of somebody who has blocked", "GET", f"{BOARD}/{{}}", blocked, beside(blocked)),
        ("a claim's sound", "GET", f"{BOARD}/claims/{{}}/sound.mp3", claim, beside(claim)),
        ("a claim's acceptance", "POST", f"{BOARD}/claims/{{}}/acceptance", claim, beside(claim)),
        ("a conversation", "GET", "/api/hub/v1/threads/{}", thread, beside(thread)),
        ("a saved search", "GET", f"{BOARD}/alerts/{{}}", alert, beside(alert)),
        ("a saved search's removal", "DELETE", f"{BOARD}/alerts/{{}}", alert, beside(alert)),
        ("a draft's page", "GET", "/lost-and-found/{}", draft, beside(draft)),
        ("a conversation's page", "GET", "/messages/{}", thread, beside(thread)),
        ("a saved search's page", "GET", "/lost-and-found/alerts/{}", alert, beside(alert)),
        ("a draft's page, by a visitor", "GET", "/lost-and-found/{}", draft, beside(draft)),
        ("a picture", "GET", "/pictures/{}-large.jpg", picture, beside(picture)),
        ("a picture, by a visitor", "GET", "/pictures/{}-small.jpg", picture, beside(picture)),
    ]


def run(world, dice, requests):
    """Gives for each thing the medians of both in ms, and the median of their differences: what is asked one after the other meets the
    same machine. Times are told and never judged here, since machines are busy."""
    told = []
    line = Line(world.hub)
    for what, method, path, id, other in things(world):
        is_program = path.startswith("/api/")
        token = world.stranger.token if is_program else None
        headers = {} if is_program or "visitor" in what else {"Cookie": f"session={world.stranger.token}"}
        body = {} if method == "POST" else None
        times = {id: [], other: []}
        first = {}
        for number in range(requests + 20):
            pair = [id, other]
            dice.shuffle(pair)
            for one in pair:
                begin = time.perf_counter()
                answer = line.ask(method, path.format(one), token, body, headers)
                took = time.perf_counter() - begin
                assert answer.status == 404, f"{what}: {answer}"
                # What names the id, and what is of one answer alone.
                said = answer.body.replace(one.encode(), b"ID")
                kept = {name.lower(): value for name, value in answer.headers.items() if name.lower() != "date"}
                shown = said, kept
                assert shown == first.setdefault(one, shown), f"{what}: {shown} and {first[one]}"
                # The first ones fill caches.
                if number >= 20:
                    times[one].append(took * 1000)
        assert first[id] == first[other], f"{what} is told apart: {first[id]} and {first[other]}"
        apart = statistics.median(one - two for one, two in zip(times[id], times[other]))
        told.append((what, statistics.median(times[id]), statistics.median(times[other]), apart))
    line.close()
    return told
