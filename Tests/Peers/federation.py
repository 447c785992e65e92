"""Speaks with a served hub as other servers do, in both directions: once with bovine, which makes and checks signatures alone, and once with
pubby, which is such a server, with everything that it does by itself. Neither was written here.

Each person there follows somebody at the hub, is accepted, and hears of her clip once, with its sound; he likes, shares and answers it, takes all that back,
and unfollows. Then she follows him, by forms: what he posts is heard at the hub once; she likes, shares and answers it and takes that back; he deletes it,
she deletes hers, and unfollows. In the end one of bovine's moves to another server.

Usage: federation.py ADDRESSES, which is not used; the program is what CHIRP_PROGRAM names. The hub is one of its own, in a temporary folder.
"""

import os
import re
import sys
import time
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "elsewhere"))
from bovine_server import BovineServer
from hub import Hub, eventually, sound
from pubby_server import PubbyServer

OWNER = "me"
# So long nothing more may come: some rounds of what the hub delivers.
QUIET = 3


def told(hub, words):
    """How many notices say so."""
    return hub.owner.page("/notices").count(words)


def find(hub, server):
    """Her actor, as the other server finds it."""
    host = hub.url.removeprefix("http://")
    with urllib.request.urlopen(f"{hub.url}/.well-known/webfinger?resource=acct:{OWNER}@{host}", timeout=20) as answer:
        links = re.findall(rb'"href":"([^"]*/ap/actors/[^"]*)"', answer.read().replace(b"\\/", b"/"))
    actor = server.read(links[0].decode())
    assert actor["id"] == links[0].decode() and actor["type"] == "Person", actor
    return actor


def he_follows(hub, server):
    """From there to here."""
    author, title = find(hub, server), f"Tone for {server.title}"
    if isinstance(server, BovineServer):
        assert server.forge(author["inbox"], "Follow", author["id"]) in (401, 403)
    follow = server.follow(author)
    eventually("he is accepted", server.is_accepted)
    assert told(hub, f"@{server.name}") == 1
    hub.publish(title)
    (note,) = eventually("her clip is there", server.clips)
    assert note["type"] == "Note" and note["attributedTo"] == author["id"], note
    (clip,) = note["attachment"]
    assert clip["type"] == "Document" and clip["mediaType"] == "audio/mpeg" and clip["name"] == title, clip
    with urllib.request.urlopen(clip["url"], timeout=20) as heard:
        assert heard.headers["Content-Type"] == "audio/mpeg" and len(heard.read()) > 1000
    assert server.read(note["id"])["id"] == note["id"]
    time.sleep(QUIET)
    assert len(server.clips()) == 1, "it comes once"

    id = note["id"].rpartition("/")[2]
    like, share = server.like(note["id"], author), server.share(note["id"], author)
    answer = server.reply(note["id"], author, f"Lovely, says {server.title}")
    marks = "SELECT kind FROM remoteMarks WHERE post = ? ORDER BY kind"
    eventually("her clip is liked and shared", lambda: hub.rows(marks, id) == [("announce",), ("like",)])
    eventually("she reads the answer", lambda: told(hub, f"Lovely, says {server.title}") == 1)
    assert told(hub, f"@{server.name}") == 4, "a follow, a like, a share and an answer, each once"
    server.undo(like, author)
    eventually("the like is taken back", lambda: hub.rows(marks, id) == [("announce",)])
    server.undo(share, author)
    eventually("the share is taken back", lambda: hub.rows(marks, id) == [])
    server.delete(answer, author)
    eventually("the answer is gone", lambda: told(hub, f"Lovely, says {server.title}") == 0)

    # What she deletes is deleted there.
    (place,) = hub.rows("SELECT sequence FROM posts WHERE id = ?", id)[0]
    hub.owner.submit(f"/posts/{place}/delete", f"/posts/{place}/delete")
    eventually("her clip is deleted there", lambda: server.deleted() == [note["id"]])
    server.undo(follow, author)
    eventually("he follows no more", lambda: hub.rows("SELECT 1 FROM remoteFollowers") == [])
    hub.publish(f"Nobody's {title}")
    time.sleep(QUIET)
    assert len(server.clips()) == 1, "who does not follow hears nothing"
    return author


def she_follows(hub, server, author):
    """From here to there."""
    title = f"Far by {server.title}"
    hub.owner.submit("/follow", "/follow/elsewhere", {"name": f"@{server.name}"})
    hub.owner.submit(f"/@{server.name}", "/follow")
    eventually("he is asked", server.is_followed)
    server.accept(author)
    state = "SELECT state FROM remoteFollows JOIN remoteActors ON remoteActors.id = actor WHERE address = ?"
    eventually("she is accepted", lambda: hub.rows(state, server.id) == [("accepted",)])
    note = server.publish(title, author)
    page = eventually("his clip is heard", lambda: re.search(rf"/c/([0-9A-Za-z]+)\">{title}<", hub.owner.page("/")))
    clip = f"/c/{page.group(1)}"
    assert hub.owner.page("/").count(f"{clip}\">{title}<") == 1 and server.fetched == 1, "once, and fetched once"
    assert hub.status(f"/media/{page.group(1)}.mp3") == 200
    assert hub.status(clip) == 404, "those who do not follow do not see it"

    place = re.search(r"/posts/(\d+)/share", hub.owner.page(clip)).group(1)

    def act(verb):
        hub.owner.submit(clip, f"/posts/{place}/{verb}", {"back": clip})
    act("like")
    eventually("he hears of the like", lambda: server.marks(note) == ["Like"])
    act("share")
    eventually("and of the share", lambda: server.marks(note) == ["Announce", "Like"])
    hub.owner.submit(clip, f"/posts/{place}/reply", {"text": "Lovely"})
    (words,) = eventually("and of the answer", lambda: server.replies(note))
    assert "Lovely" in words and f"@{server.name}" in re.sub(r"<[^>]*>", "", words), words
    time.sleep(QUIET)
    assert server.marks(note) == ["Announce", "Like"] and len(server.replies(note)) == 1, "each once"
    act("unlike")
    eventually("the like is taken back there", lambda: server.marks(note) == ["Announce"])
    act("unshare")
    eventually("the share is taken back there", lambda: server.marks(note) == [])
    ((answer,),) = hub.rows("SELECT sequence FROM posts WHERE replyTo = ?", int(place))
    hub.owner.submit(f"/posts/{answer}/delete", f"/posts/{answer}/delete")
    eventually("the answer is deleted there", lambda: server.replies(note) == [])

    server.delete(note, author)
    eventually("his clip is gone here", lambda: title not in hub.owner.page("/"))
    assert hub.status(f"/media/{page.group(1)}.mp3") in (404, 410)
    hub.owner.submit(f"/@{server.name}", "/unfollow")
    eventually("she follows no more", lambda: not server.is_followed())
    server.publish(f"Unheard {title}", author)
    time.sleep(QUIET)
    assert hub.rows("SELECT 1 FROM remoteClips") == [] and server.fetched == 1, "whom nobody follows is not heard"
    assert server.unsigned == 0, "each question is signed"


def he_moves(hub, old, author, tone):
    """Somebody whom she follows goes to another server, which says so as well."""
    hub.owner.submit(f"/@{old.name}", "/follow")
    new, other = BovineServer(tone, "rob", [old.id]), BovineServer(tone, "eve")
    try:
        old.move(other.id, author)
        old.move(new.id, author)
        eventually("he is asked at his new place", new.is_followed)
        time.sleep(QUIET)
        assert len(new.of("Follow")) == 1 and not other.is_followed(), "once, and only where it is confirmed"
        assert told(hub, "has moved to") == 1
    finally:
        new.end()
        other.end()


def main():
    hub = Hub()
    tone = os.path.join(hub.folder, "tone.wav")
    sound(tone)
    try:
        for kind in (BovineServer, PubbyServer):
            server = kind(tone)
            try:
                author = he_follows(hub, server)
                she_follows(hub, server, author)
                if kind is BovineServer:
                    he_moves(hub, server, author, tone)
            finally:
                server.end()
            print(
                f"federation: {server.title} follows, is accepted, gets a clip with its sound once, likes, shares, answers, takes back;"
                " and the same from here to there")
    finally:
        hub.end()


main()
