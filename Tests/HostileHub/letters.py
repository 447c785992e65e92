"""Gives a served hub a mail server with faults: it puts letters off, refuses some for ever, hangs, closes, and loses its answer after it
has taken a letter. Each cause is mailed once, and nothing more to who is erased (boards.md 5.1.9).

Usage: letters.py. It waits as long as the hub does between its tries, which is a minute and a half.
"""

import asyncio
import email
import email.policy
import re
import socket
import threading
import time

from aiosmtpd.controller import Controller

from household import PASSWORD, Person, served, until


class Faults:
    """Does to each name what it says, once; afterwards it takes what comes."""

    def __init__(self):
        self.taken, self.asked, self.done, self.lock = [], [], set(), threading.Lock()

    def first(self, name):
        with self.lock:
            isFirst = name not in self.done
            self.done.add(name)
            return isFirst

    async def handle_RCPT(self, server, session, envelope, address, options):
        name = address.split("@")[0]
        self.asked.append(name)
        if name == "grey" and self.first(name):
            return "451 4.7.1 come again"
        if name == "noone7":
            return "550 5.1.1 no such person"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        name = envelope.rcpt_tos[0].split("@")[0]
        if name == "hangs" and self.first(name):
            await asyncio.sleep(600)
        if name == "full" and self.first(name):
            return "452 4.2.2 no room"
        self.taken.append((name, envelope.content))
        # It has taken it, and nobody hears so.
        if name == "cut" and self.first(name):
            server.transport.abort()
            await asyncio.sleep(0)
        return "250 taken"


def port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def check(hub, faults):
    for name in ["plain", "grey", "noone7", "full", "cut", "hangs"]:
        person = Person(hub, name)
        person.submit("/signup", {"email": f"{name}@example.org", "username": name, "password": PASSWORD})
    # Somebody whose letter waits is erased before it goes: her account was never confirmed, and its row goes.
    until(lambda: "hangs" in faults.asked, 60, 0.1, "the last letter is tried")
    wanted = {"plain", "grey", "full", "cut", "hangs"}
    until(lambda: wanted <= {name for name, _ in faults.taken}, 240, 0.5, "every letter arrives")
    time.sleep(5)
    counts = {name: [content for who, content in faults.taken if who == name] for name in wanted}
    for name, letters in counts.items():
        ids = {email.message_from_bytes(one, policy=email.policy.default)["Message-ID"] for one in letters}
        # Whose answer was lost may come twice: under one id, by which mail programs know it.
        assert len(ids) == 1 and len(letters) == (2 if name == "cut" else 1), f"{name}: {len(letters)} letters, {ids}"
    assert faults.asked.count("noone7") == 1, f"who is refused for ever is tried again: {faults.asked}"
    assert hub.isAlive and hub.rows("SELECT COUNT(*) FROM letters WHERE state = 'waiting'")[0][0] == 0, "a letter waits that was sent"
    # Who confirms by what came late is a member; deleted, she gets one letter that says so and none after it.
    late = email.message_from_bytes(counts["grey"][0], policy=email.policy.default).get_content()
    grey = Person(hub, "grey")
    grey.submit(re.search(r"\S+(/confirm\?token=\S+)", late)[1])
    grey.submit("/signin", {"username": "grey", "password": PASSWORD})
    grey.submit("/settings/delete", {"password": PASSWORD, "sure": "yes", "handle": "grey"})
    until(lambda: sum(name == "grey" for name, _ in faults.taken) == 2, 60, 0.2, "the last letter")
    plain = email.message_from_bytes(counts["plain"][0], policy=email.policy.default).get_content()
    other = Person(hub, "plain")
    other.submit(re.search(r"\S+(/confirm\?token=\S+)", plain)[1])
    other.submit("/signin", {"username": "plain", "password": PASSWORD})
    other.call("POST", "/api/v1/statuses", {"status": "@grey are you there"})
    time.sleep(3)
    assert sum(name == "grey" for name, _ in faults.taken) == 2, "somebody who is erased is written to"
    print(f"letters: put off, refused, cut and hung up on; {len(counts)} causes arrived once each, none after erasure")


def main():
    faults = Faults()
    server = Controller(faults, hostname="127.0.0.1", port=port())
    server.start()
    try:
        served(
            lambda hub: check(hub, faults), CHIRP_HUB_MAIL_HOST="127.0.0.1",
            CHIRP_HUB_MAIL_PORT=str(server.server.sockets[0].getsockname()[1]))
    finally:
        server.stop()


main()
