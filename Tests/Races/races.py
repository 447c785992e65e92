"""Races that must have one winner: each prepares something that one of many callers can have, lets them ask at once, and looks at what they
were told and at what is written down.

A race is a class: `prepare` makes what is fought for, `acts` gives what each caller asks, `check` looks. It is called once for what was
asked first, and again after the same callers have repeated the same.
"""

import random
import sys
import time
import urllib.parse

from hub import BOARD, PASSWORD, Answer


def call(method, path, token=None, body=None, **headers):
    """What a caller asks: a function of her connection."""
    return lambda line: line.ask(method, path, token, body, {name.replace("_", "-"): value for name, value in headers.items()})


def count(answers, *statuses):
    return sum(answer.status in statuses for answer in answers)


class Race:
    # How often it is run when 1,000 are asked for: what takes a password takes 50 times as long as what does not.
    share = 1.0

    def __init__(self, world):
        self.world, self.hub = world, world.hub
        self.line = world.line

    def again(self):
        """Before the same callers repeat what they have asked."""

    def dead(self, dice):
        """While the hub is dead."""

    def finish(self):
        """When all have had their answers: brings what was begun to its end, and looks."""

    def tidy(self):
        """When the last round is over."""

    def ask(self, method, path, person=None, body=None, status=200, **headers):
        """One request that nobody disturbs."""
        answer = call(method, path, person and person.token, body, **headers)(self.line)
        assert answer.status == status, f"{method} {path}: {answer}"
        return answer.json if answer.body else None

    def listing(self, author, **more):
        content = {
            "side": "found", "category": "other", "title": "A thing that was found", "text": "It lies here.",
            "at": "52.5200,13.4050", "place": "Here", "precision": "near", "handover": "agree"}
        return self.ask("POST", BOARD, author, content | more, 201)["id"]

    def claim(self, listing, claimant):
        return self.ask("POST", f"{BOARD}/{listing}/claims", claimant, {"answer": "It is mine."}, 201)["id"]

    def sessions(self, person, number):
        """A token for each of so many callers, from one another's sessions."""
        return [person.tokens[index % len(person.tokens)] for index in range(number)]

    def only(self, answers, won, refused, killed, what=""):
        """One caller at most was told that it won, one exactly where the hub lived; all others were refused as they should be. Gives the
        winner's place, or nil."""
        for answer in answers:
            assert answer.status in won or answer.status in refused or killed and answer.status is None, f"{what}: {answer}"
        winners = [place for place, answer in enumerate(answers) if answer.status in won]
        assert len(winners) <= 1, f"{what}: {len(winners)} won"
        assert winners or killed, f"{what}: nobody won"
        return winners[0] if winners else None

    def repeated(self, before, answers, won, refused, killed, what=""):
        """After the hub has died somebody may win at last, if nobody has before; else nobody does. Gives the winner's place, or nil where
        the hub died before it could say so."""
        winner = self.only(answers, won, refused, True, what)
        assert all(answer.status for answer in answers), f"{what}: no answer"
        if not killed or before is not None:
            assert winner is None, f"{what}: somebody has won again"
        return before if before is not None else winner

    def outcome(self, before, answers, won, refused, killed, again):
        """Who has won among those who asked first, or after the same have asked again."""
        if again:
            return self.repeated(before, answers, won, refused, killed, self.name)
        return self.only(answers, won, refused, killed, self.name)


class AcceptingClaims(Race):
    """Two claims at a listing, both accepted at once by its author in several sessions (5.1.7)."""
    name = "a claim is accepted"
    refused = {409}

    def prepare(self, number):
        self.owner, self.claimants = self.world.author(), [self.world.newcomer(), self.world.newcomer()]
        self.item = self.listing(self.owner)
        self.claims = [self.claim(self.item, person) for person in self.claimants]
        self.winner = None

    def acts(self, size, dice):
        self.which = [index % 2 for index in range(size)]
        dice.shuffle(self.which)
        return [
            call("POST", f"{BOARD}/claims/{self.claims[which]}/acceptance", token, {"greeting": "Come and take it."})
            for which, token in zip(self.which, self.sessions(self.owner, size))]

    def check(self, answers, killed, again):
        self.winner = self.outcome(self.winner, answers, {200}, self.refused, killed, again)
        if killed and not again:
            return
        accepted = self.hub.rows("SELECT id, claimant FROM claims WHERE listing = ? AND state = 'accepted'", self.item)
        assert len(accepted) == 1, f"{len(accepted)} claims were accepted"
        id, claimant = accepted[0]
        if self.winner is not None:
            assert id == self.claims[self.which[self.winner]], "another claim was accepted than was said"
        told = self.hub.one(
            "SELECT COUNT(*) FROM notices WHERE account = ? AND cause = ?", claimant, f"claim:{id}:accepted")
        others = self.hub.one("SELECT COUNT(*) FROM notices WHERE cause LIKE 'claim:%:accepted' AND item = ?", self.item)
        assert (told, others) == (1, 1), f"{told} and {others} were told"
        # The conversation is opened by who accepts, or by the hub that comes after one that has died.
        self.world.until("the conversation is opened", lambda: self.hub.one(
            "SELECT greeted FROM claims WHERE id = ?", id))
        posts = self.hub.one("SELECT COUNT(*) FROM posts WHERE account = ? AND key = ?", self.owner.id, f"claim:{id}")
        assert posts == 1, f"the conversation was opened {posts} times"
        seen = self.ask("GET", f"{BOARD}/{self.item}/claims", self.owner)["claims"]
        assert sorted(claim["state"] for claim in seen) == ["accepted", "open"], seen
        for person, own in zip(self.claimants, self.claims):
            exact = self.ask("GET", f"{BOARD}/{self.item}", person)["place"].get("exact")
            assert (exact is not None) == (own == id), "the wrong one sees the place"


class EndingListings(Race):
    """A claim is accepted while the listing is settled and withdrawn (5.1.7)."""
    name = "a listing is settled, withdrawn, or a claim accepted"

    def prepare(self, number):
        self.owner, self.claimant = self.world.author(), self.world.newcomer()
        self.item = self.listing(self.owner)
        self.own = self.claim(self.item, self.claimant)
        self.end = self.accepted = None

    def acts(self, size, dice):
        self.kinds = [["accept", "settle", "withdraw"][index % 3] for index in range(size)]
        dice.shuffle(self.kinds)
        paths = {
            "accept": (f"{BOARD}/claims/{self.own}/acceptance", {}),
            "settle": (f"{BOARD}/{self.item}/closure", {"outcome": "returned"}),
            "withdraw": (f"{BOARD}/{self.item}/withdrawal", {"reason": "It is gone.", "sure": True})}
        return [
            call("POST", paths[kind][0], token, paths[kind][1])
            for kind, token in zip(self.kinds, self.sessions(self.owner, size))]

    def check(self, answers, killed, again):
        ends = [answer for kind, answer in zip(self.kinds, answers) if kind != "accept"]
        accepts = [answer for kind, answer in zip(self.kinds, answers) if kind == "accept"]
        kinds = [kind for kind in self.kinds if kind != "accept"]
        refused = {404, 409, 410}
        if again:
            self.end = self.repeated(self.end, ends, {200}, refused, killed, self.name)
            place = self.only(accepts, {200}, refused, True, self.name)
            assert place is None or killed and self.accepted is None, "a claim was accepted at last"
            self.accepted = self.accepted if self.accepted is not None else place
        else:
            self.end = self.only(ends, {200}, refused, killed, self.name)
            self.accepted = self.only(accepts, {200}, refused, True, self.name)
            if killed:
                return
        state, outcome, reason, version = self.hub.rows(
            "SELECT state, outcome, reason, version FROM items WHERE id = ?", self.item)[0]
        assert state in ("settled", "withdrawn") and version == 2, f"{state}, version {version}"
        assert (outcome, reason) == {"settled": ("returned", ""), "withdrawn": ("", "It is gone.")}[state]
        if self.end is not None:
            assert state == {"settle": "settled", "withdraw": "withdrawn"}[kinds[self.end]]
        claim = self.hub.one("SELECT state FROM claims WHERE id = ?", self.own)
        if self.accepted is not None:
            assert claim == "accepted", f"a claim is {claim} that was accepted"
        elif not killed:
            assert claim in ("open", "refused"), f"a claim is {claim} that nobody has accepted"
        expected = {"settled": 200, "withdrawn": 410}[state]
        answer = call("GET", f"{BOARD}/{self.item}", self.world.stranger.token)(self.line)
        assert answer.status == expected, f"{state}: {answer}"


class DecidingClaims(Race):
    """A claim is accepted, refused and taken back at once."""
    name = "a claim is accepted, refused or taken back"

    def prepare(self, number):
        self.owner, self.claimant = self.world.author(), self.world.newcomer()
        self.item = self.listing(self.owner)
        self.own = self.claim(self.item, self.claimant)
        self.end = None

    def acts(self, size, dice):
        self.kinds = [["acceptance", "refusal", "withdrawal"][index % 3] for index in range(size)]
        dice.shuffle(self.kinds)
        return [
            call("POST", f"{BOARD}/claims/{self.own}/{kind}", (self.claimant if kind == "withdrawal" else self.owner).token, {})
            for kind in self.kinds]

    def check(self, answers, killed, again):
        kinds = [kind for kind in self.kinds if kind != "acceptance"]
        ends = [answer for kind, answer in zip(self.kinds, answers) if kind != "acceptance"]
        accepts = [answer for kind, answer in zip(self.kinds, answers) if kind == "acceptance"]
        self.only(accepts, {200}, {409}, True, self.name)
        self.end = self.outcome(self.end, ends, {200}, {409}, killed, again)
        if killed and not again:
            return
        state, answer = self.hub.rows("SELECT state, answer FROM claims WHERE id = ?", self.own)[0]
        assert state in ("refused", "withdrawn"), f"a claim is {state} in the end"
        assert state == "refused" or answer == "", "an answer is kept that was taken back"
        if self.end is not None:
            assert state == {"refusal": "refused", "withdrawal": "withdrawn"}[kinds[self.end]]
        place = self.ask("GET", f"{BOARD}/{self.item}", self.claimant)["place"]
        assert place.get("exact") is None, "who has no accepted claim sees the place itself"


class Claiming(Race):
    """Somebody claims a listing in several sessions at once."""
    name = "a listing is claimed"

    def prepare(self, number):
        self.owner, self.claimant = self.world.author(), self.world.newcomer(tokens=4)
        self.item = self.listing(self.owner)
        self.winner = None

    def acts(self, size, dice):
        return [
            call("POST", f"{BOARD}/{self.item}/claims", token, {"answer": f"Mine, says {place}."})
            for place, token in enumerate(self.sessions(self.claimant, size))]

    def check(self, answers, killed, again):
        self.winner = self.outcome(self.winner, answers, {201}, {409}, killed, again)
        if killed and not again:
            return
        rows = self.hub.rows("SELECT id, answer FROM claims WHERE listing = ?", self.item)
        assert len(rows) == 1, f"{len(rows)} claims"
        if self.winner is not None:
            assert rows[0][1] == f"Mine, says {self.winner}."
        told = self.hub.one("SELECT COUNT(*) FROM notices WHERE account = ? AND cause = ?", self.owner.id, f"claim:{rows[0][0]}")
        assert told == 1, f"the author was told {told} times"


class Editing(Race):
    """Fifty edits of one version (5.1.7)."""
    name = "a version is edited"

    def prepare(self, number):
        self.owner = self.world.author()
        self.item = self.listing(self.owner)
        self.winner = None

    def content(self, place):
        return {
            "category": "bags", "title": f"Edit {place}", "text": f"As {place} has it.", "at": f"48.{place + 10},11.5",
            "place": f"Place {place}", "precision": "exact", "handover": "bring", "question": f"Which, {place}?", "version": 1}

    def acts(self, size, dice):
        return [
            call("PUT", f"{BOARD}/{self.item}", token, self.content(place))
            for place, token in enumerate(self.sessions(self.owner, size))]

    def check(self, answers, killed, again):
        self.winner = self.outcome(self.winner, answers, {200}, {409}, killed, again)
        if killed and not again:
            return
        found = self.ask("GET", f"{BOARD}/{self.item}", self.owner)
        assert found["version"] == 2, found
        place = int(found["title"].split()[1])
        assert self.winner in (None, place), f"{place} has won and not {self.winner}"
        content = self.content(place)
        assert (found["text"], found["question"]) == (content["text"], content["question"]), "half of an edit"
        assert f"{found['place']['latitude']:.2f}" == f"48.{place + 10}", f"half of an edit: {found['place']}"


class SettlingEdits(Race):
    """A listing is settled while it is edited (5.1.7)."""
    name = "a listing is settled or edited"

    def prepare(self, number):
        self.owner = self.world.author()
        self.item = self.listing(self.owner)
        self.end = self.edit = None

    def acts(self, size, dice):
        self.kinds = [["edit", "settle"][index % 2] for index in range(size)]
        dice.shuffle(self.kinds)

        def act(place, kind, token):
            if kind == "settle":
                return call("POST", f"{BOARD}/{self.item}/closure", token, {"outcome": "returned"})
            return call("PUT", f"{BOARD}/{self.item}", token, Editing.content(self, place))
        return [act(place, *pair) for place, pair in enumerate(zip(self.kinds, self.sessions(self.owner, size)))]

    def check(self, answers, killed, again):
        ends = [answer for kind, answer in zip(self.kinds, answers) if kind == "settle"]
        edits = [answer for kind, answer in zip(self.kinds, answers) if kind == "edit"]
        refused = {409, 410}
        edit = self.only(edits, {200}, refused, True, self.name)
        if again:
            self.end = self.repeated(self.end, ends, {200}, refused, killed, self.name)
            assert edit is None or killed and self.edit is None, "it was edited again"
        else:
            self.end = self.only(ends, {200}, refused, killed, self.name)
        self.edit = self.edit if self.edit is not None else edit
        if killed and not again:
            return
        title, state, version, changed, ended = self.hub.rows(
            "SELECT title, state, version, changed, ended FROM items WHERE id = ?", self.item)[0]
        assert state == "settled" and changed == ended, f"{state}: changed after it had ended"
        assert version == 2 + title.startswith("Edit"), f"version {version} of {title}"
        if self.edit is not None:
            assert title.startswith("Edit"), "an edit is lost that was taken"
        elif not killed:
            assert version == 2, "an edit is there that was refused"


class Placing(Race):
    """A listing is placed under one key by fifty tries of one person: all get the same."""
    name = "a listing is placed once"

    def prepare(self, number):
        self.owner, self.key = self.world.author(), f"key-{number}"
        self.first = None

    def acts(self, size, dice):
        content = {
            "side": "found", "category": "keys", "title": f"Keys {self.key}", "text": "Three of them.", "at": "50.1,8.6",
            "place": "There", "precision": "near"}
        return [
            call("POST", BOARD, token, content, Idempotency_Key=self.key) for token in self.sessions(self.owner, size)]

    def check(self, answers, killed, again):
        said = [answer for answer in answers if answer.status is not None]
        assert killed and not again or len(said) == len(answers)
        assert count(said, 201) == len(said), [answer for answer in said if answer.status != 201][:1]
        found = {answer.json["id"] for answer in said} | ({self.first} if self.first else set())
        assert len(found) <= 1, f"{len(found)} listings"
        self.first = min(found, default=None)
        rows = self.hub.rows("SELECT id FROM items WHERE account = ? AND title = ?", self.owner.id, f"Keys {self.key}")
        assert len(rows) == 1 or killed and not again and not rows, f"{len(rows)} listings"
        assert not rows or self.first in (None, rows[0][0])


class Writing(Race):
    """A message to a listing's author is sent under one key by fifty tries."""
    name = "a message is sent once"

    def prepare(self, number):
        self.owner, self.writer, self.key = self.world.author(), self.world.newcomer(tokens=4), f"message-{number}"
        self.item = self.listing(self.owner)

    def acts(self, size, dice):
        content = {"text": f"Is it still there? {self.key}", "key": self.key}
        return [
            call("POST", f"{BOARD}/{self.item}/messages", token, content) for token in self.sessions(self.writer, size)]

    def check(self, answers, killed, again):
        said = [answer for answer in answers if answer.status is not None]
        assert killed and not again or len(said) == len(answers)
        assert count(said, 200) == len(said), [answer for answer in said if answer.status != 200][:1]
        assert len({answer.body for answer in said}) <= 1, "several conversations"
        posts = self.hub.one("SELECT COUNT(*) FROM posts WHERE account = ?", self.writer.id)
        assert posts == 1 or killed and not again and posts == 0, f"{posts} messages"
        letters = self.hub.one("SELECT COUNT(*) FROM strangerLetters WHERE account = ?", self.writer.id)
        assert letters == posts, f"{letters} people who were written to"


class Following(Race):
    """Fifty people follow somebody and follow her no longer (5.1.7)."""
    name = "people follow and unfollow"

    def prepare(self, number):
        self.star = self.world.newcomer()

    def acts(self, size, dice):
        self.wanted = [[dice.random() < 0.6 for _ in range(dice.randint(1, 4))] for _ in range(size)]

        def act(person, steps):
            def do(line):
                answer = Answer()
                for follows in steps:
                    path = f"/api/v1/accounts/{self.star.id}/{'follow' if follows else 'unfollow'}"
                    answer = line.ask("POST", path, person.token)
                    if answer.status is None:
                        break
                    assert answer.status == 200 and answer.json["following"] == follows, answer
                return answer
            return do
        return [act(*pair) for pair in zip(self.world.crowd_people, self.wanted)]

    def again(self):
        """Each repeats the last."""
        for steps in self.wanted:
            del steps[:-1]

    def check(self, answers, killed, again):
        if killed and not again:
            return
        assert count(answers, 200) == len(answers), [answer for answer in answers if answer.status != 200][:1]
        expected = {person.id for person, steps in zip(self.world.crowd_people, self.wanted) if steps[-1]}
        rows = [row[0] for row in self.hub.rows("SELECT follower FROM follows WHERE followed = ?", self.star.id)]
        assert set(rows) == expected and len(rows) == len(expected), "who follows is not who has said so last"
        tally = self.ask("GET", f"/api/v1/accounts/{self.star.id}")["followers_count"]
        assert tally == len(rows), f"{tally} are said to follow, and {len(rows)} do"
        told = self.hub.rows("SELECT actor, COUNT(*) FROM notices WHERE account = ? AND kind = 'follow' GROUP BY actor", self.star.id)
        assert all(times == 1 for _, times in told), "somebody was told of twice"
        assert {actor for actor, _ in told} >= expected, "somebody follows of whom nothing was told"


class DecidingCases(Race):
    """Two moderators decide about whose a listing is (5.1.7)."""
    name = "a case is decided by two moderators"
    verdicts = ["show", "freeze", "hide"]

    def prepare(self, number):
        self.owner, self.claimant = self.world.author(), self.world.newcomer()
        self.item = self.listing(self.owner)
        receipt = self.ask(
            "POST", f"/api/hub/v1/items/{self.item}/reports", self.claimant,
            {"reason": "ownership", "text": "I have the receipt."})
        assert receipt["freezes"], receipt
        self.case = receipt["id"]
        self.winner = None

    def acts(self, size, dice):
        self.whats = [dice.choice(self.verdicts) for _ in range(size)]
        return [
            call(
                "POST", f"/api/hub/v1/moderation/cases/{self.case}/decisions",
                self.world.moderators[place % 2].token, {"what": what, "state": "open", "why": f"Says {place}"})
            for place, what in enumerate(self.whats)]

    def check(self, answers, killed, again):
        self.winner = self.outcome(self.winner, answers, {200}, {409}, killed, again)
        if killed and not again:
            return
        rows = self.hub.rows('SELECT sequence, what, why, "by" FROM decisions WHERE "case" = ?', self.case)
        assert len(rows) == 1, f"{len(rows)} decisions"
        decision, what, why, moderator = rows[0]
        place = int(why.split()[1])
        assert self.winner in (None, place) and what == self.whats[place], "another decision counts than was said"
        assert moderator == self.world.moderators[place % 2].id
        hidden, frozen = self.hub.rows("SELECT hidden, frozen FROM items WHERE id = ?", self.item)[0]
        assert (hidden, frozen) == (what == "hide", what == "freeze"), f"{what}: hidden {hidden}, frozen {frozen}"
        for person in (self.owner, self.claimant):
            told = self.hub.one("SELECT COUNT(*) FROM notices WHERE account = ? AND cause = ?", person.id, f"decision:{decision}")
            assert told == 1, f"somebody was told {told} times"


class Verifying(Race):
    """Ten people who may say whether an attempt counts say so at once, some that it does and some that it does not: two who agree decide, and
    nobody after them (5.1.7)."""
    name = "an attempt is verified by two"
    challenges = "/api/hub/v1/challenges"
    verdicts = {"verification": "verify", "rejection": "reject"}

    def prepare(self, number):
        # Nobody sets more than a few a day, and nobody has two attempts at one that are not decided.
        if number % 10 == 0:
            self.challenge = self.ask(
                "POST", self.challenges, self.world.author(),
                {"template": "mostInAMinute", "category": "skill", "title": "Claps", "text": "In a minute.", "needs": "",
                 "key": f"race {number}"}, 201)["id"]
            self.verifiers = self.world.people[:10]
            for person in self.verifiers:
                self.ask("PUT", f"{self.challenges}/{self.challenge}/verifiers/{person.handle}", self.world.moderators[0])
        self.tried = self.world.newcomer()
        attempt = self.ask(
            "POST", f"{self.challenges}/{self.challenge}/attempts", self.tried,
            {"score": str(10 + number % 10), "version": 1, "key": f"race {number}"}, 201)
        assert attempt["state"] == "waiting", attempt
        self.attempt = attempt["id"]

    def acts(self, size, dice):
        self.said = [dice.choice(list(self.verdicts)) for _ in range(size)]
        return [
            call(
                "POST", f"{self.challenges}/attempts/{self.attempt}/{verdict}", self.verifiers[place % 10].token,
                {"reason": f"Says {place}"})
            for place, verdict in enumerate(self.said)]

    def check(self, answers, killed, again):
        said = [answer for answer in answers if answer.status is not None]
        assert killed and not again or len(said) == len(answers)
        # What was rejected is seen by its author alone.
        refused = {404, 409}
        assert count(said, 200, *refused) == len(said), [answer for answer in said if answer.status not in refused | {200}][:1]
        if killed and not again:
            return
        state, sequence = self.hub.rows("SELECT state, sequence FROM attempts WHERE id = ?", self.attempt)[0]
        rows = self.hub.rows('SELECT "by", what FROM verdicts WHERE attempt = ?', sequence)
        assert len({by for by, _ in rows}) == len(rows), "somebody has said two things"
        agreeing = {what: sum(one == what for _, one in rows) for what in self.verdicts.values()}
        decided = {"verified": "verify", "rejected": "reject"}[state]
        # Of three two agree, and whoever comes later says nothing any more.
        assert len(rows) <= 3 and agreeing[decided] == 2, f"{state} by {agreeing}"
        if not killed and not again:
            assert count(said, 200) == len(rows), f"{count(said, 200)} were told that it counts, {len(rows)} did"
        told = self.hub.one(
            "SELECT COUNT(*) FROM notices WHERE account = ? AND kind IN ('verified', 'rejected')", self.tried.id)
        assert told == 1, f"its author was told {told} times"
        held = self.hub.one("SELECT COUNT(*) FROM holds WHERE attempt = ?", sequence)
        # Each of ten at a challenge is better than those before.
        assert (held > 0) == (state == "verified"), f"{state}, and holds {held}"


class Forgetting(Race):
    """Somebody opens listings while she says that nothing of it is to be kept: nothing is."""
    name = "what was looked at is not kept"

    def prepare(self, number):
        self.person = self.world.newcomer(tokens=4)
        if not self.world.looked_at:
            self.world.looked_at = [self.listing(self.world.author()) for _ in range(8)]

    def acts(self, size, dice):
        tokens = self.sessions(self.person, size)
        off = dice.sample(range(size), 2)
        return [
            call("PUT", f"{BOARD}/viewed/keeping", token, {"on": False}) if place in off
            else call("GET", f"{BOARD}/{self.world.looked_at[place % 8]}", token) for place, token in enumerate(tokens)]

    def check(self, answers, killed, again):
        said = [answer for answer in answers if answer.status is not None]
        assert killed and not again or len(said) == len(answers)
        assert count(said, 200) == len(said), [answer for answer in said if answer.status != 200][:1]
        kept = self.hub.one("SELECT COUNT(*) FROM itemMarks WHERE account = ? AND kind = 'view'", self.person.id)
        unkept = self.hub.one("SELECT COUNT(*) FROM listingsUnkept WHERE account = ?", self.person.id)
        assert unkept == 1 or killed and not again, "it was not written down"
        assert kept == 0 or unkept == 0, f"{kept} are kept"


class SigningUp(Race):
    """What the races of newcomers share."""
    share = 0.05
    invitation = None

    def sign_up(self, handle, mail):
        body = {"handle": handle, "mail": mail, "password": PASSWORD}
        if self.invitation:
            body["invitation"] = self.invitation
        return call("POST", "/api/hub/v1/account", None, body)


class TakingHandles(SigningUp):
    """Fifty people want one name, or one that looks like it (5.1.7)."""
    name = "a handle is taken at registration"

    def prepare(self, number):
        self.number = number
        self.winner = None

    def acts(self, size, dice):
        # 1, l and i look alike.
        self.handles = [f"rac{letter}_h{self.number}x" for letter in dice.choices("1liLI", k=size)]
        return [self.sign_up(handle, f"h{self.number}.{place}@example.org") for place, handle in enumerate(self.handles)]

    def check(self, answers, killed, again):
        # Who has won already is told what everybody is told whose address is known.
        winner = self.only(answers, {202}, {422}, killed or again, self.name)
        for answer in answers:
            assert answer.status != 422 or list(answer.json["errors"]) == ["handle"], answer
        # Who has won and asks again is told that the name is taken, as everybody is: it is looked at before the address.
        if again and self.winner is not None and winner is not None:
            assert winner == self.winner, "somebody else has won"
        self.winner = self.winner if winner is None else winner
        if killed and not again:
            return
        rows = self.hub.rows("SELECT handle, mail, state FROM accounts WHERE mail LIKE ?", f"h{self.number}.%@example.org")
        assert len(rows) == 1, f"{len(rows)} accounts"
        handle, mail, state = rows[0]
        place = int(mail.split("@")[0].split(".")[1])
        self.winner = place if self.winner is None and again else self.winner
        assert (place, handle, state) == (self.winner, self.handles[place].lower(), "unconfirmed")


class TakingAddresses(SigningUp):
    """Fifty registrations with one mail address, of which nobody learns whether it was known (5.1.7)."""
    name = "a mail address is taken at registration"

    def prepare(self, number):
        self.number = number

    def acts(self, size, dice):
        return [
            self.sign_up(f"m{self.number}x{place}", dice.choice([f"m{self.number}@example.org", f"M{self.number}@Example.ORG"]))
            for place in range(size)]

    def check(self, answers, killed, again):
        said = [answer for answer in answers if answer.status is not None]
        assert killed and not again or len(said) == len(answers)
        taken = [answer for answer in said if answer.status == 422 and list(answer.json["errors"]) == ["handle"]]
        assert count(said, 202) + len(taken) == len(said) and len(taken) <= again, [answer for answer in said if answer.status != 202][:2]
        rows = self.hub.rows("SELECT handle FROM accounts WHERE mail = ?", f"m{self.number}@example.org")
        assert len(rows) == 1 or killed and not again and not rows, f"{len(rows)} accounts"
        handles = self.hub.one("SELECT COUNT(*) FROM accounts WHERE handle LIKE ?", f"m{self.number}x%")
        assert handles == len(rows), f"{handles} names are taken"


class Inviting(SigningUp):
    """Fifty people with one invitation (5.1.7)."""
    name = "an invitation is used"

    def prepare(self, number):
        self.number = number
        self.ask("PUT", "/api/hub/v1/moderation/registration", self.world.owner, {"registration": "invite"})
        link = self.ask("POST", "/api/hub/v1/moderation/invitations", self.world.owner)["url"]
        self.invitation = urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)["invitation"][0]
        self.winner = None

    def acts(self, size, dice):
        # Behind a number stands a letter that looks like no digit: else two rounds want one name.
        return [
            self.sign_up(f"guest{self.number}x{place}", f"i{self.number}.{place}@example.org") for place in range(size)]

    def check(self, answers, killed, again):
        winner = self.only(answers, {202}, {422}, killed or again, self.name)
        for answer in answers:
            assert answer.status != 422 or answer.json["type"].endswith("/dead-link") or again and list(answer.json["errors"]) == ["handle"], answer
        # Who has won and asks again is told that the name is taken, as everybody is: it is looked at before the address.
        if again and self.winner is not None and winner is not None:
            assert winner == self.winner, "somebody else has won"
        self.winner = self.winner if winner is None else winner
        if killed and not again:
            return
        rows = self.hub.rows("SELECT mail FROM accounts WHERE mail LIKE ?", f"i{self.number}.%@example.org")
        assert len(rows) == 1, f"{len(rows)} accounts"
        place = int(rows[0][0].split("@")[0].split(".")[1])
        self.winner = place if self.winner is None and again else self.winner
        assert place == self.winner

    def tidy(self):
        self.ask("PUT", "/api/hub/v1/moderation/registration", self.world.owner, {"registration": "open"})


ALL = [
    AcceptingClaims, EndingListings, DecidingClaims, Claiming, Editing, SettlingEdits, Placing, Writing, Following, DecidingCases,
    Verifying, Forgetting, TakingHandles, TakingAddresses, Inviting,
]


def run(race, world, rounds, crowd, dice, kills, seconds, repeats):
    """Runs a race so many times, or for so long; in some rounds the hub is killed at any moment. Gives how many there were of both.

    Everybody asks once more after a kill, and after every round where `repeats` says so."""
    size, usual, killed_rounds, done = len(crowd.lines), [0.05], 0, 0
    end = time.monotonic() + seconds
    for number in range(rounds):
        if time.monotonic() > end:
            break
        race.prepare(number)
        seed = dice.random()
        acts = race.acts(size, random.Random(seed))
        race.killed = killed = dice.random() < kills
        moment = dice.uniform(0, 1.2) * sorted(usual)[len(usual) // 2] if killed else None
        try:
            answers, took = crowd.ask(acts, moment)
            if killed:
                killed_rounds += 1
                race.dead(dice)
                world.hub.serve()
            else:
                usual = (usual + [took])[-9:]
            race.check(answers, killed, again=False)
            if killed or repeats:
                race.again()
                answers, _ = crowd.ask(acts)
                race.check(answers, killed, again=True)
            race.finish()
            done += 1
            if killed or number == rounds - 1:
                world.hub.check()
            if done % 50 == 0:
                print(f"{race.name}: {done} of {rounds} rounds, {killed_rounds} with a kill", file=sys.stderr, flush=True)
        except AssertionError as error:
            raise AssertionError(f"{race.name}, round {number}{' (killed)' if killed else ''}: {error}") from error
    race.tidy()
    return done, killed_rounds
