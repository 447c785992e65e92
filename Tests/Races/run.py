"""Races that must have one winner, marks, pages and what is not to be seen, against a real `chirp serve` that is killed meanwhile.

    Scripts/test-races [--rounds N] [--seed N] [--only WORDS] ...

Without arguments it is small. `--rounds 1000` is the full size of the races; `--marks 10000`, `--entries 10000 --pagings 200` and
`--looks 2000`, `--deaths 200`, `--buyers 1000` and `--bids 10000` those of the others. Each part has a hub in a folder of its own, which is removed in
the end. A seed repeats what is asked, in what order, and when the hub is killed; which caller comes first is the machine's.
"""

import argparse
import atexit
import faulthandler
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback

import bids
import deaths
import feeds
import marks
import races
import sales
import unseen
from cards import Cards
from hub import BOARD, Crowd, Hub, Line, Person, eventually, settle
from market import Market

CALLERS = 50


class World:
    """A hub and the people in it."""

    def __init__(self, hub, newcomers, people=200):
        self.hub = hub
        self.owner = Person("hostess", 1)
        self.moderators = [Person("mod_ann", 1), Person("mod_bob", 1)]
        self.authors = [Person(f"author{number}", 25) for number in range(20)]
        self.stranger, self.blocker = Person("stranger", 1), Person("blocker", 1)
        self.newcomers = [Person(f"new{number}", 4) for number in range(newcomers)]
        self.people = [Person(f"one{number}", 1) for number in range(people)]
        self.crowd_people = self.people[:CALLERS]
        self.next_author = 0
        self.looked_at = []
        hub.stop()
        roles = {"mod_ann": "moderator", "mod_bob": "moderator", "hostess": "owner"}
        everybody = [self.owner, *self.moderators, *self.authors, self.stranger, self.blocker, *self.newcomers, *self.people]
        hub.write(lambda database: settle(database, everybody, roles))
        hub.serve()
        self.line = Line(hub)

    def author(self):
        self.next_author += 1
        return self.authors[self.next_author % len(self.authors)]

    def newcomer(self, tokens=1):
        person = self.newcomers.pop()
        assert len(person.tokens) >= tokens
        return person

    def crowd_of(self, number):
        return self.people[:number]

    def until(self, what, found):
        return eventually(what, found)

    def ask(self, method, path, person=None, body=None, status=200):
        answer = self.line.ask(method, path, person and person.token, body)
        assert answer.status == status, f"{method} {path}: {answer}"
        return answer.json

    def content(self, title, **more):
        return {
            "side": "found", "category": "other", "title": title, "text": "It lies here.", "at": "52.52,13.405", "place": "Here",
            "precision": "near", "handover": "agree"} | more

    def listing(self, title, author=None, **more):
        return self.ask("POST", BOARD, author or self.author(), self.content(title, **more), 201)["id"]

    def end(self):
        """What must hold when all is over, also in the hub's own eyes."""
        self.line.close()
        self.hub.check(thoroughly=True)
        self.hub.stop()
        looked = self.hub.run("hub", "check")
        assert looked.returncode == 0, f"chirp hub check: {looked.stdout}{looked.stderr}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--rounds", type=int, default=4, help="of each race (of what is sold a quarter, registrations a twentieth, one at least)")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--kills", type=float, default=0.2, help="in which share of the rounds the hub is killed")
    parser.add_argument("--once", action="store_true", help="after a round without a kill nobody asks again (half of the passwords)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="after which a race begins no other round")
    parser.add_argument("--marks", type=int, default=1200, help="requests")
    parser.add_argument("--entries", type=int, default=600, help="of the feed that is paged")
    parser.add_argument("--pagings", type=int, default=len(feeds.ORDERS))
    parser.add_argument("--looks", type=int, default=30, help="at what is somebody else's")
    parser.add_argument("--buyers", type=int, default=60, help="of one exclusive licence, at once")
    parser.add_argument("--bids", type=int, default=400, help="at one auction")
    parser.add_argument("--deaths", type=int, default=4, help="of a hub that speaks with another server")
    parser.add_argument("--only", nargs="*", default=[], metavar="WORD", help="parts and races whose name holds one of the words")
    chosen = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)
    begin = time.monotonic()
    failed = []

    everything = tempfile.mkdtemp(prefix="chirp-races-")
    atexit.register(shutil.rmtree, everything, ignore_errors=True)
    places = f"{everything}/places.sqlite"

    def is_wanted(name):
        return not chosen.only or any(word in name for word in chosen.only)

    def parts(works, inhabit, **settings):
        """Does the parts that are wanted with one hub, one after the other. Whatever went wrong in one, the next begins."""
        works = [(name, work) for name, work in works if is_wanted(name)]
        if not works:
            return
        with tempfile.TemporaryDirectory(dir=everything, ignore_cleanup_errors=True) as top:
            hub = Hub(top, places, **settings)
            try:
                world = inhabit(hub)
                for name, work in works:
                    start = time.monotonic()
                    try:
                        told = work(world, random.Random(f"{chosen.seed} {name}"))
                        print(f"{name}: {told}, {time.monotonic() - start:.0f} s")
                    except Exception as error:
                        failed.append(name)
                        print(f"{name}: FAILED (seed {chosen.seed}): {''.join(traceback.format_exception(error))}{hub.said()}")
                        if hub.process.poll() is not None:
                            hub.serve()
                world.end()
                if os.path.exists(f"{hub.folder}/places.sqlite"):
                    shutil.copy(f"{hub.folder}/places.sqlite", places)
            finally:
                hub.end()

    def race(kind):
        rounds = max(1, round(chosen.rounds * kind.share)) if kind.share < 1 else chosen.rounds

        def work(world, dice):
            crowd = Crowd(world.hub, CALLERS)
            try:
                done, killed = races.run(kind(world), world, rounds, crowd, dice, chosen.kills, chosen.seconds, not chosen.once)
            finally:
                crowd.end()
            return f"{done} rounds of {CALLERS} callers, {killed} with a kill, one winner each"
        return kind.name, work

    def marking(world, dice):
        asked, took = marks.run(world, dice, chosen.marks)
        return f"{asked} requests by 200 people in {took:.0f} s, tallies are rows"

    def looking(world, dice):
        told = unseen.run(world, dice, chosen.looks)
        return "told by nothing from what does not exist" + "".join(
            f"\n  {what}: median {theirs:.3f} ms, of nobody {nobodys:.3f}, of medians {abs(theirs - nobodys):.3f}, of pairs {apart:+.3f}"
            for what, theirs, nobodys, apart in told)

    def paging(world, dice):
        told = feeds.run(world, dice, chosen.entries, chosen.pagings, chosen.entries // 10)
        return f"{len(told)} readings, each that was there throughout once\n  " + "\n  ".join(told[:6])

    def rushing(world, dice):
        return sales.rush(world, dice, chosen.buyers, kills=3 if chosen.buyers > 100 else 1)

    def storming(world, dice):
        is_whole = chosen.bids > 1000
        return bids.storm(world, dice, chosen.bids, kills=2 if is_whole else 1, seconds=60 if is_whole else 4)

    needed = 2 * chosen.rounds * sum(kind.share == 1 and is_wanted(kind.name) for kind in races.ALL) + 20
    parts(
        [*map(race, races.ALL), ("marks", marking), ("what is somebody else's", looking)], lambda hub: World(hub, needed))
    parts([("pages", paging)], lambda hub: World(hub, 0))
    parts(
        [("another server", lambda world, dice: deaths.run(world, dice, chosen.deaths))], deaths.Federation,
        CHIRP_HUB_FEDERATION="on", CHIRP_HUB_FEDERATION_INSECURE_LOOPBACK="true")
    trades = [*sales.ALL, bids.Bidding]
    if any(map(is_wanted, ["a thousand buyers", "ten thousand bids", *(kind.name for kind in trades)])):
        cards = Cards()
        parts(
            [*map(race, trades), ("a thousand buyers", rushing), ("ten thousand bids", storming)],
            lambda hub: Market(hub, len(trades) * chosen.rounds + 10, max(200, chosen.buyers), cards),
            CHIRP_HUB_BOARDS="beats", **cards.settings)
        cards.end()

    print(f"races: {'FAILED: ' + ', '.join(failed) if failed else 'all held'}, {time.monotonic() - begin:.0f} s (seed {chosen.seed})")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    # Whoever ends this ends the hub, too, and leaves nothing behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    # Whatever hangs says where when it is asked (kill -USR1).
    faulthandler.register(signal.SIGUSR1)
    main()
