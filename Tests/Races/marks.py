"""Marks (5.1.4): people put marks to listings and posts and take them away, all at once, repeated and in any order. The tallies equal the
rows, nobody counts twice, and the same request twice changes nothing."""

import random
import time

from hub import BOARD, Crowd

OF_LISTINGS = "SELECT account FROM itemMarks WHERE item = (SELECT sequence FROM items WHERE id = ?) AND kind = "
OF_POSTS = "SELECT account FROM marks WHERE post = ? AND kind = "
ROWS = {
    "save": f"{OF_LISTINGS}'save'", "view": f"{OF_LISTINGS}'view'",
    "favourite": f"{OF_POSTS}'favourite'", "bookmark": f"{OF_POSTS}'bookmark'",
}


def request(kind, thing, is_on):
    if kind == "save":
        return ("PUT" if is_on else "DELETE"), f"{BOARD}/{thing}/save"
    return "POST", f"/api/v1/statuses/{thing}/{'' if is_on else 'un'}{kind}"


def everything(hub):
    """Every mark with its instant; when something was opened is new each time."""
    return (hub.rows("SELECT account, kind, item, iif(kind = 'view', 0, at) FROM itemMarks ORDER BY 1, 2, 3"),
            hub.rows("SELECT account, kind, post, created FROM marks ORDER BY 1, 2, 3"),
            hub.rows("SELECT * FROM itemTallies WHERE saves + views + watches + ups + downs > 0 ORDER BY item"))


def tallies(world, listings, posts):
    """What is said is what is written down."""
    for item in listings:
        found = world.ask("GET", f"{BOARD}/{item}")
        for name, kind in [("saves", "save"), ("views", "view")]:
            rows = [row[0] for row in world.hub.rows(ROWS[kind], item)]
            assert len(set(rows)) == len(rows) == found[name], f"{found[name]} {name}, and {len(rows)} rows"
    for post in posts:
        rows = [row[0] for row in world.hub.rows(ROWS["favourite"], post)]
        said = world.ask("GET", f"/api/v1/statuses/{post}")["favourites_count"]
        assert len(set(rows)) == len(rows) == said, f"{said} like it, and {len(rows)} rows"


def run(world, dice, requests, people=200):
    people = world.crowd_of(people)
    listings = [world.listing(f"A thing to mark {number}") for number in range(20)]
    posts = [
        world.ask("POST", "/api/v1/statuses", world.author(), {"status": f"Something to like {number}", "visibility": "public"})["id"]
        for number in range(5)]
    crowd = Crowd(world.hub, len(people))
    things = [("save", item) for item in listings] + [(kind, post) for post in posts for kind in ("favourite", "bookmark")]
    begin = time.monotonic()
    asked = 0
    try:
        # What each asks, one after the other; some of it is what she has asked before, once more.
        wanted = {}

        def plan(length, person):
            acts = []
            for _ in range(length):
                if acts and dice.random() < 0.3:
                    acts.append(dice.choice(acts))
                else:
                    kind, thing = dice.choice(things)
                    acts.append((kind, thing, dice.random() < 0.6))
            for kind, thing, is_on in acts:
                wanted[kind, thing, person.id] = is_on
            return acts

        def doing(acts, person, dying=False):
            def do(line):
                for kind, thing, is_on in acts:
                    answer = line.ask(*request(kind, thing, is_on), person.token)
                    if dying and answer.status is None:
                        return
                    assert answer.status == 200, f"{kind} {is_on}: {answer}"
                    if kind != "save":
                        assert answer.json[{"favourite": "favourited", "bookmark": "bookmarked"}[kind]] == is_on, answer
            return do

        def right():
            for kind, thing in things:
                rows = [row[0] for row in world.hub.rows(ROWS[kind], thing)]
                expected = {person.id for person in people if wanted.get((kind, thing, person.id))}
                assert len(rows) == len(set(rows)) and set(rows) == expected, f"{kind}: {len(rows)} rows for {len(expected)} people"
            tallies(world, listings, posts)

        share = max(1, requests // len(people) // 2)
        less = max(1, share // 5)
        plans = [plan(share, person) for person in people]
        crowd.ask([doing(*pair) for pair in zip(plans, people)])
        asked += share * len(people)
        right()

        # The same once more, in the same order: nothing is changed by it in the end, whatever it was meanwhile.
        crowd.ask([doing(*pair) for pair in zip(plans, people)])
        asked += share * len(people)
        right()

        # What is so already is asked for again, by each twice at once: not even an instant changes.
        before = everything(world.hub)
        final = [
            [(kind, thing, wanted[kind, thing, person.id]) for kind, thing in things if (kind, thing, person.id) in wanted]
            for person in people]
        for acts in final:
            dice.shuffle(acts)
            del acts[less:]
        half = len(people) // 2
        for start in (0, half):
            some, theirs = people[start:start + half], final[start:start + half]
            crowd.ask([doing(*pair) for pair in list(zip(theirs, some)) * 2])
            asked += 2 * sum(map(len, theirs))
        assert everything(world.hub) == before, "what was so already has changed something"

        # While the hub dies: what nobody was told of has happened or has not, and counts once; then everybody repeats it.
        acts = [plan(less, person) for person in people]
        crowd.ask([doing(*pair, dying=True) for pair in zip(acts, people)], kill_after=dice.uniform(0.02, 0.3))
        world.hub.serve()
        tallies(world, listings, posts)
        world.hub.check()
        crowd.ask([doing(*pair) for pair in zip(acts, people)])
        asked += 2 * less * len(people)
        right()

        # Everybody opens the same, on two connections, and saves it and does not: whoever is last, rows and tallies agree.
        def looking(person, seed):
            def do(line):
                own = random.Random(seed)
                for _ in range(less):
                    item = own.choice(listings)
                    assert line.ask("GET", f"{BOARD}/{item}", person.token).status == 200
                    assert line.ask(*request("save", item, own.random() < 0.5), person.token).status == 200
            return do
        for start in (0, half):
            crowd.ask([looking(person, dice.random()) for person in people[start:start + half] * 2])
            asked += 2 * less * 2 * half
        tallies(world, listings, posts)
        world.hub.check()

        return asked, time.monotonic() - begin
    finally:
        crowd.end()
