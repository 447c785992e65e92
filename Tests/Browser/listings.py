"""What the checks of Lost & Found share: photographs as telephones make them, and a board with something on it."""

import os
import tempfile

from PIL import Image, ImageDraw, ImageFilter

BOARD = "/lost-and-found"
API = "/api/hub/v1/lost-and-found"

# Ground, light, and a few shapes each: kind, place in hundredths of the picture, colour.
SCENES = {
    "cat": ("#a9bfa0", [
        ("rectangle", (0, 72, 100, 100), "#6f8566"), ("ellipse", (28, 40, 68, 88), "#4a3c33"), ("ellipse", (36, 22, 62, 52), "#57483e"),
        ("polygon", (38, 30, 40, 14, 47, 25), "#57483e"), ("polygon", (60, 30, 58, 14, 51, 25), "#57483e"),
        ("ellipse", (42, 33, 46, 38), "#e6d069"), ("ellipse", (52, 33, 56, 38), "#e6d069"), ("ellipse", (47, 50, 51, 55), "#c9a227"),
        ("pieslice", (55, 62, 90, 90), "#4a3c33")]),
    "keys": ("#c9c2b4", [
        ("ellipse", (20, 28, 46, 62), "#b98a2e"), ("ellipse", (27, 37, 39, 53), "#c9c2b4"), ("rectangle", (44, 42, 82, 49), "#b98a2e"),
        ("rectangle", (68, 49, 72, 58), "#b98a2e"), ("rectangle", (76, 49, 80, 62), "#b98a2e"), ("ellipse", (14, 55, 34, 82), "#2f6f6a")]),
    "bag": ("#b7c7d3", [
        ("rectangle", (0, 78, 100, 100), "#8798a3"), ("rounded_rectangle", (26, 30, 74, 84), "#7a2f38"), ("arc", (38, 14, 62, 46), "#3b1d20"),
        ("rounded_rectangle", (33, 54, 67, 78), "#8d3b45"), ("rectangle", (47, 52, 53, 58), "#d9b35b")]),
    "bicycle": ("#cfd6c4", [
        ("rectangle", (0, 76, 100, 100), "#9aa58b"), ("ring", (14, 46, 44, 86), "#2b2f33"), ("ring", (56, 46, 86, 86), "#2b2f33"),
        ("line", (29, 66, 44, 40), "#1f5f8b"), ("line", (44, 40, 66, 40), "#1f5f8b"), ("line", (50, 66, 66, 40), "#1f5f8b"),
        ("line", (29, 66, 50, 66), "#1f5f8b"), ("line", (44, 40, 50, 66), "#1f5f8b"), ("line", (71, 66, 64, 34), "#1f5f8b")]),
}


def photo(path, what="cat"):
    """A photograph as telephones make them: it lies on its side, and says where it was taken and by which camera. Gives the path."""
    ground, shapes = SCENES[what]
    side = 1200
    picture = Image.new("RGB", (side, 1600), ground)
    pen = ImageDraw.Draw(picture)
    for kind, place, colour in shapes:
        spot = [value * (side if index % 2 == 0 else 1600) // 100 for index, value in enumerate(place)]
        if kind == "ring":
            pen.ellipse(spot, outline=colour, width=26)
        elif kind == "line":
            pen.line(spot, fill=colour, width=26)
        elif kind == "arc":
            pen.arc(spot, 180, 360, fill=colour, width=30)
        elif kind == "pieslice":
            pen.pieslice(spot, 300, 90, fill=colour)
        elif kind == "rounded_rectangle":
            pen.rounded_rectangle(spot, 60, fill=colour)
        else:
            getattr(pen, kind)(spot, fill=colour)
    picture = picture.filter(ImageFilter.GaussianBlur(3)).transpose(Image.Transpose.ROTATE_90)
    told = Image.Exif()
    told[0x0112] = 6
    told[0x010F] = "Ann's own camera"
    told.get_ifd(0x8825).update({1: "N", 2: (51.0, 32.0, 20.4), 3: "W", 4: (0.0, 8.0, 33.4)})
    picture.save(path, quality=88, exif=told)
    assert Image.open(path).getexif().get_ifd(0x8825)[2][0] == 51
    return path


def token(page):
    return page.evaluate("JSON.parse(document.getElementById('facts').textContent).facts.token")


def placed(hub, page, picture=None, **fields):
    """Places a listing as a program does, as the page's person; gives its id."""
    page.goto(f"{hub.url}{BOARD}/mine")
    if picture:
        with tempfile.TemporaryDirectory() as folder:
            body = open(photo(os.path.join(folder, "photo.jpg"), picture), "rb").read()
        answer = page.request.post(
            f"{hub.url}{API}/pictures", data=body,
            headers={"Content-Type": "application/octet-stream", "X-Chirp-Form": token(page), "Origin": hub.url})
        assert answer.status == 201, answer.text()
        fields["pictures"] = [answer.json()["id"]]
    status, listing = hub.api(page, "POST", API, {"text": "", "language": "en"} | fields)
    assert status == 201, listing
    return listing["id"]


def act(hub, page, path, **fields):
    status, told = hub.api(page, "POST", f"{API}/{path}", fields)
    assert status in (200, 201), (path, told)
    return told


def furnish(hub, ann, bob, carol):
    """A board with some things on it around London: Ann's, one of Bob's, claims, a match, a saved search. Gives their ids by name."""
    made = {}
    cat = dict(side="found", category="pets", place="London", at="51.5390,-0.1426", precision="near")
    made["listing"] = placed(
        hub, ann, "cat", title="Tabby cat with a bell", question="What is its name?", reward="",
        text="Sits on the wall of the lock and waits.\nHungry, and kind. I give it milk until somebody comes.", handover="collect", **cat)
    for name, what, side, category, title, at in [
        ("keys", "keys", "found", "keys", "Three keys on a green ring", "51.5033,-0.1195"),
        ("seen", "bicycle", "lost", "vehicles", "Blue bicycle, a bell like a bird", "51.5246,-0.0983"),
        ("pass", None, "lost", "documents", "Travel pass in a red cover", "51.5154,-0.1755"),
    ]:
        made[name] = placed(
            hub, ann, what, side=side, category=category, title=title, place="London", at=at, precision="exact",
            text="Please write if you know anything of it.")
    placed(hub, ann, side="lost", category="glasses", title="Reading glasses, horn-rimmed", place="Berlin", text="Left in a train.")
    made["own"] = placed(
        hub, bob, "bag", side="lost", category="bags", title="Dark red bag of leather", place="London", at="51.5308,-0.1238",
        precision="near", text="With a book and a scarf in it. The clasp is brass.", reward="A cake", handover="agree",
        question="Whose name stands in the book?", phone="+44 20 7946 0000")
    placed(hub, carol, "bag", side="found", category="bags", title="Leather bag, dark red, with a brass clasp", place="London",
           at="51.5301,-0.1230", precision="near", text="A scarf is in it.")
    act(hub, carol, f"{made['own']}/claims", answer="I have seen it at the desk of the station, on the shelf behind.")
    bob.goto(f"{hub.url}{BOARD}/{made['listing']}")
    act(hub, bob, f"{made['listing']}/claims", answer="His name is Oscar.")
    hub.api(bob, "PUT", f"{API}/{made['listing']}/save")
    status, alert = hub.api(bob, "POST", f"{API}/alerts", {"q": "cat", "place": "London", "within": "10"})
    assert status == 201, alert
    made["alert"] = alert["id"]
    status, thread = hub.api(bob, "POST", f"{API}/{made['keys']}/messages", {"text": "Is one of them for a bicycle?\nI lost mine on Sunday."})
    assert status in (200, 201), thread
    made["thread"] = thread["thread"]
    made["gone"] = placed(hub, ann, side="lost", category="toys", title="A wooden horse", text="It has three legs.", place="London")
    act(hub, ann, f"{made['gone']}/withdrawal", reason="It was under the bed", sure="yes")
    return made


def judged(hub, ann, bob, carol, owner):
    """Cases about listings: one that waits, and one that ended with a warning for Bob. Gives their ids by name."""
    made = {}
    # Who has reported something has to wait before she reports again.
    for name, person, reporter, title in [("case", ann, carol, "Good watches, cheap"), ("decided", bob, ann, "Telephones of last year")]:
        thing = placed(hub, person, side="found", category="other", title=title, place="London", text="Many of them. Please write.")
        reporter.goto(f"{hub.url}{BOARD}/mine")
        status, case = hub.api(reporter, "POST", f"/api/hub/v1/items/{thing}/reports", {"reason": "spam", "text": "This sells something."})
        assert status in (200, 201), case
        made |= {name: case["id"], "doubtful": thing}
    owner.goto(f"{hub.url}/moderation/cases/{made['decided']}")
    owner.select_option("[name=what]", "warning")
    owner.fill("[name=why]", "This is no place to sell things.")
    with owner.expect_navigation():
        owner.get_by_role("button", name="Decide", exact=True).click()
    return made
