"""Lost & Found by keyboard alone, by Tab, Shift+Tab, arrows, Enter, Space and letters: the focus shows and is never lost, and each page on
the way is told to a screen reader in the order of reading (boards.md 5.1 point 14, LF-1 to LF-10, LF-14)."""

import re

import harness
import listings
import readers
from harness import until
from listings import BOARD, photo
from readers import Keys

CAT = "Tabby cat with a bell"
# What is met on the way, beside the page's head: the headings as they are read out.
READ = {
    "form": [(1, "Place a listing")],
    "listing": [(1, CAT), (2, "About")],
    "own": [(1, CAT), (2, "Claims"), (2, "About"), (2, "Yours")],
    "search": [(1, "Lost & Found"), (2, "Listings found"), (2, CAT)],
    "claim": [(1, "This may be mine")],
    "claims": [(1, "Claims"), (2, CAT)],
    "talk": [(1, "bob (@bob)")],
    "notices": [(1, "Notices")],
    "end": [(1, "It is back")],
    "report": [(1, "Report")],
}


class Walker(Keys):
    """Somebody with a keyboard, on a hub."""

    def __init__(self, hub, name):
        super().__init__(hub.window())
        self.hub, self.name, self.met = hub, name, {}
        self.page.set_default_timeout(30_000)
        self.page.add_init_script(harness.SPOKEN)
        # From the beginning, since a window that opens at once would be missed.
        self.choosing = []
        self.page.on("filechooser", lambda chooser: self.choosing.append(chooser))

    def signs_up(self):
        self.page.goto(f"{self.hub.url}/signup")
        self.fill("email", f"{self.name}@example.org")
        self.fill("username", self.name)
        self.fill("password", harness.PASSWORD)
        self.go()
        # The letter is opened in another program.
        self.page.goto(self.hub.letter(self.name, "/confirm"))
        self.follow("Confirm")

    def reads(self, what):
        """A page as a screen reader has it, and all of it by Tab."""
        self.wrong += readers.reading(self.page)
        self.met[what] = self.round()
        said = readers.headings(self.page)
        assert said == READ[what], f"{what} is read as {said}"

    def says(self, words):
        until(lambda: any(words in text for text in harness.spoken(self.page)), what=f"{words} ({harness.spoken(self.page)})")

    def chooses(self, key, path):
        """A file in the window of the system, which is not the page's."""
        self.press(key)
        until(lambda: self.page.wait_for_timeout(20) or self.choosing, what="the window for files")
        self.choosing.pop().set_files(path)

    def shows(self, words):
        assert words in self.page.locator("main").inner_text(), f"{words} is not at {self.page.url}"


def places(ann, folder):
    """A form with every kind of field, first with too little in it; gives the listing's address."""
    ann.follow("Lost & Found")
    ann.follow("Place a listing")
    ann.reads("form")
    # Enter in a field sends the form, and what was wrong is told at once and beside each field.
    ann.to(field="title")
    ann.write(CAT)
    ann.go()
    assert ann.page.evaluate("document.activeElement.getAttribute('role')") == "alert"
    faults = readers.faults(ann.page)
    assert "Please" in faults["Category"], faults
    ann.wrong += readers.reading(ann.page)
    # From what was wrong to the field, by its link.
    ann.to(starting="Category:")
    ann.press("Enter")
    told = ann.focus()
    assert told["field"] == "category", told
    ann.press("P", "e")
    assert ann.page.input_value("[name=category]") == "pets"
    ann.to(field="side", is_back=True)
    ann.press("ArrowDown")
    if not ann.page.is_checked("#side-found"):
        ann.press("ArrowDown")
    assert ann.page.is_checked("#side-found")
    ann.is_kept()
    ann.fill("text", "Sits on the wall of the lock.")
    ann.to(field="files")
    ann.chooses("Enter", photo(f"{folder}/cat.jpg"))
    ann.page.locator("[data-pictures] img").wait_for()
    ann.is_kept()
    ann.says("Picture 1 was taken in")
    ann.to("Leave picture 1 out")
    ann.press("Enter")
    assert ann.page.locator("[data-pictures] img").count() == 0
    assert ann.focus()["field"] == "files"
    ann.chooses("Space", photo(f"{folder}/cat.jpg"))
    ann.page.locator("[data-pictures] img").wait_for()
    # A place by its name takes the map there; the pin is set by Enter and moved by arrows.
    ann.fill("place", "London")
    ann.to(starting="Map: press the place")
    until(lambda: ann.page.input_value("[name=pin-zoom]") == "11", what="the map of London")
    ann.press("+")
    until(lambda: ann.page.input_value("[name=pin-zoom]") == "12", what="a closer map")
    ann.press("ArrowUp")
    ann.press("Enter")
    ann.is_kept()
    ann.says("Chosen: 51.")
    before = ann.page.input_value("[name=pin-place]")
    ann.to(starting="Pin:")
    ann.press("ArrowLeft", "ArrowLeft", "Shift+ArrowDown")
    ann.is_kept()
    after = ann.page.input_value("[name=pin-place]")
    assert float(after.split(",")[1]) < float(before.split(",")[1]) and float(after.split(",")[0]) < float(before.split(",")[0]), (before, after)
    ann.says(f"Chosen: {after}")
    ann.to(field="precision")
    ann.press("ArrowUp")
    assert ann.page.is_checked("#precision-exact")
    ann.press("ArrowDown")
    assert ann.page.is_checked("#precision-near")
    ann.to(field="from")
    ann.write("11202026")
    ann.press("Tab")
    ann.write("0930AM")
    assert ann.page.input_value("[name=from]") == "2026-11-20T09:30", ann.page.input_value("[name=from]")
    ann.fill("question", "What is its name?")
    ann.to("Publish", tag="button")
    ann.go("Space")
    assert re.search(rf"{BOARD}/\w+$", ann.page.url), ann.page.locator("[role=alert]").inner_text()
    ann.reads("own")
    return ann.page.url


def finds(bob):
    """By words, by category, and by the markers of the map."""
    bob.follow("Lost & Found")
    bob.fill("q", "cat")
    bob.go()
    bob.page.locator(".map-icon").first.wait_for()
    bob.reads("search")
    bob.follow("Categories")
    bob.follow("Pets")
    bob.shows(CAT)
    # The map has what the list has, and nothing of other categories.
    bob.page.locator(".map-icon").first.wait_for()
    assert [label.split(" –")[0] for label in bob.page.locator(".map-icon").evaluate_all("(all) => all.map((one) => one.ariaLabel)")] == [CAT]
    # Several things are one marker on a map of the earth: Enter goes closer until each has its own.
    bob.follow("Lost & Found")
    bob.page.locator(".map-icon").first.wait_for()
    bob.to(starting="Map of what")
    told = bob.tab()
    while not told["name"].startswith(CAT):
        assert told["name"] != "Zoom in", bob.page.locator(".map-icon").evaluate_all("(all) => all.map((one) => one.ariaLabel)")
        if "zoom in" not in told["name"]:
            told = bob.tab()
            continue
        with bob.page.expect_response(re.compile("/markers")):
            bob.press("Enter")
        # The list beside it is another one too.
        bob.page.wait_for_timeout(300)
        # Where it is several things now, the focus is on the map that has them.
        bob.is_kept()
        told = bob.focus() if bob.page.evaluate("document.activeElement.matches('.map-icon')") else bob.tab()
    bob.press("Space")
    bob.page.locator(".leaflet-popup").wait_for()
    assert bob.focus()["name"] == CAT
    bob.press("Escape")
    bob.page.locator(".leaflet-popup").wait_for(state="detached")
    assert bob.focus()["name"].startswith(f"{CAT} –")
    bob.press("Enter")
    bob.page.locator(".leaflet-popup").wait_for()
    bob.go("Enter")
    bob.reads("listing")


def claims(bob):
    bob.follow("Save", tag="button")
    assert bob.page.get_by_role("button", name="Do not save any more").count() == 1
    bob.follow("This may be mine")
    bob.reads("claim")
    bob.follow("Send")
    assert bob.page.evaluate("document.activeElement.getAttribute('role')") == "alert"
    assert "Write an answer" in readers.faults(bob.page)["What is its name?"], readers.faults(bob.page)
    bob.to(field="answer")
    bob.write("His name is Oscar")
    bob.follow("Send")
    bob.shows("You have claimed this")
    bob.follow("Saved")
    bob.shows(CAT)


def decides(ann, bob):
    """From the notice to the claim, and into the conversation; both talk."""
    ann.follow("Notices")
    ann.reads("notices")
    ann.follow(CAT)
    ann.follow("1 claim waits for your answer")
    ann.reads("claims")
    ann.shows("His name is Oscar")
    ann.follow("Accept")
    assert "/messages/" in ann.page.url
    ann.reads("talk")
    bob.follow("Notices")
    bob.follow(CAT)
    bob.shows("accepted your claim")
    bob.follow("Open the conversation")
    bob.fill("text", "That is him. May I come at six?")
    bob.follow("Send")
    bob.shows("May I come at six?")
    # It comes in by itself, and is told; nothing that is written meanwhile is lost.
    ann.fill("text", "Yes, please ring")
    ann.says("May I come at six?")
    ann.is_kept()
    ann.write(" twice")
    ann.follow("Send")
    ann.shows("Yes, please ring twice")
    bob.says("ring twice")


def ends(ann, bob, listing):
    """Something else of hers is reported; hers is back."""
    bob.follow("Lost & Found")
    bob.follow("Good watches, cheap")
    bob.follow("Report")
    bob.reads("report")
    bob.to(field="reason")
    bob.press("S")
    bob.fill("text", "This sells something")
    bob.follow("Report", tag="button")
    bob.shows("with the moderators")
    ann.follow("Lost & Found")
    ann.follow("Mine")
    ann.follow(CAT)
    assert ann.page.url == listing
    ann.follow("It is back")
    ann.reads("end")
    ann.to(field="outcome")
    ann.press("ArrowUp", "ArrowDown")
    assert ann.page.is_checked("#outcome-returned")
    ann.follow("That is how it ended")
    assert "It went back to its owner" in ann.page.locator(".listing-state").inner_text()


def test_lost_and_found_by_keyboard_alone(own_hub, folder):
    hub = own_hub
    ann, bob = Walker(hub, "ann"), Walker(hub, "bob")
    ann.signs_up()
    listing = places(ann, folder)
    # So that there is more than one thing on the map, and something to report.
    other = hub.window(storage_state=ann.page.context.storage_state())
    for title, at in [("A key of brass", "51.53,-0.102"), ("A green key", "51.54,-0.112"), ("Two keys", "51.55,-0.122"), ("Good watches, cheap", "48.85,2.35")]:
        listings.placed(hub, other, side="found", category="keys", title=title, text="From a shop.", place="", at=at, precision="exact")
    other.context.close()
    bob.signs_up()
    finds(bob)
    assert bob.page.url.split("?")[0] == listing
    claims(bob)
    decides(ann, bob)
    ends(ann, bob, listing)
    found = sorted(set(ann.wrong + bob.wrong))
    assert not found, "\n".join([f"{len(found)} findings"] + found)
    for walker in [ann, bob]:
        # What was sent with faults in it is answered with 422, and the browser says so.
        complaints = [text for text in walker.page.complaints if "status of 422" not in text]
        assert not complaints, complaints
    return f"{ann.presses + bob.presses} presses; {len(ann.met) + len(bob.met)} pages read"
