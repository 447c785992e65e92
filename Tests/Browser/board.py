"""Lost & Found, walked through as people do it: with script and a position that the browser gives, and without both
(boards.md 5.4 point 1, 5.1 points 10, 11 and 14; LF-1 to LF-10, LF-19)."""

import io
import os
import re
import urllib.parse

import playwright.sync_api
from PIL import Image

import harness
from harness import fill, press, until
from listings import BOARD, photo

CAMDEN = {"latitude": 51.5390, "longitude": -0.1426, "accuracy": 20}
# Markup that would run, and letters that turn the direction of what follows.
HOSTILE = "<img src=x onerror=window.ran=1> \u202egnp.tac"
HELLO = os.path.join(harness.ROOT, "Samples/hello.wav")


def looks(page, name=""):
    """What holds for every page that is met on the way: it is no wider than a telephone, and nothing in it ran. A page that loads anew by
    itself meanwhile, since it waits for something, is looked at again."""
    for _ in range(5):
        try:
            return looks_once(page, name)
        except playwright.sync_api.Error as error:
            if "navigat" not in error.message:
                raise
            page.wait_for_load_state()
    return looks_once(page, name)


def looks_once(page, name):
    size = page.viewport_size
    for width in [360, 1280]:
        page.set_viewport_size({"width": width, "height": 800})
        too_wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert too_wide <= 0, f"{page.url} is {too_wide} px wider than {width}"
        keep(page, name, width)
    page.set_viewport_size(size)
    assert page.evaluate("window.ran") is None, page.url
    assert "HTML(text:" not in page.content(), f"{page.url} shows markup as text"


def keep(page, name, width):
    """For those who want to look at the walk: a folder in CHIRP_WALK."""
    folder = os.environ.get("CHIRP_WALK")
    if folder and name:
        os.makedirs(folder, exist_ok=True)
        page.screenshot(path=f"{folder}/{name}-{width}.png", full_page=True)


def patient(page):
    """A walk is long, and other checks run beside it."""
    page.set_default_timeout(45_000)
    return page


def go(page, name):
    """Follows a link of a page."""
    with page.expect_navigation():
        page.get_by_role("link", name=name, exact=True).first.click()


def choose(page, side, category, title, words):
    page.goto(urllib.parse.urljoin(page.url, f"{BOARD}/new"))
    page.check(f"#side-{side}")
    page.select_option("#category", category)
    fill(page, title=title, text=words)


def place(page, **more):
    fill(page, **more)
    page.locator(".listing-form button.main").click()
    page.wait_for_url(re.compile(rf"{BOARD}/[^/]+$"))
    assert not page.url.endswith("/new"), page.locator("[role=alert]").inner_text()
    return page.url


def titles(page):
    return page.locator(".listing-list .listing-card h2").all_inner_texts()


def distance(at):
    """Degrees between a point as forms have it and Camden; enough to tell whether it is there."""
    latitude, longitude = [float(part) for part in at.split(",")]
    return abs(latitude - CAMDEN["latitude"]) + abs(longitude - CAMDEN["longitude"])


def tells(page, pin):
    """Whether a page has a point within some 2 m of another. What is shown instead lies that near in one of ten thousand cases."""
    latitude, longitude = [float(part) for part in pin.split(",")]
    points = re.findall(r"(-?\d+\.\d+)(?:,|%2C) ?(-?\d+\.\d+)", page.content())
    return any(abs(float(north) - latitude) + abs(float(east) - longitude) < 0.00002 for north, east in points)


def pictures_are_clean(page):
    """Each picture of a page, in every width: upright, a JPEG, and silent about camera and place."""
    addresses = set()
    for source in page.locator(".listing-photos img").all():
        addresses |= {part.split()[0] for part in source.get_attribute("srcset").split(",")}
    assert len(addresses) >= 3, addresses
    for address in addresses:
        answer = page.request.get(urllib.parse.urljoin(page.url, address))
        bytes_ = answer.body()
        assert answer.status == 200 and bytes_[:3] == b"\xff\xd8\xff", address
        for betraying in [b"Exif", b"GPS", b"camera", b"http://ns.adobe.com"]:
            assert betraying not in bytes_, f"{betraying} in {address}"
        picture = Image.open(io.BytesIO(bytes_))
        assert not picture.getexif() and picture.height > picture.width, address


def by_map(page, title):
    """Opens a listing from its marker on the map that is there."""
    if page.locator("[data-leaflet]").count() and page.locator(".player, [data-enhanced]:not([hidden])").count():
        page.locator("#map").scroll_into_view_if_needed()
        marker = page.locator(f".map-icon[aria-label^='{title}']")
        marker.wait_for()
        marker.click()
        page.locator(".leaflet-popup").get_by_role("link", name=title).click()
    else:
        page.locator("a.map-mark", has_text=title).first.click()
        page.locator(".map-preview:target").get_by_role("link", name=title).click()
    page.wait_for_load_state()
    assert page.locator("h1").inner_text() == title


def is_found(hub, page, title, near, name):
    """By words, by category, by place name and on the map; gives nothing, and is at the listing's page in the end."""
    page.goto(f"{hub.url}{BOARD}")
    fill(page, q=title.split()[0].lower())
    page.get_by_role("button", name="Search", exact=True).click()
    page.wait_for_url(re.compile("q="))
    assert title in titles(page), titles(page)
    looks(page)
    page.goto(f"{hub.url}{BOARD}")
    go(page, "Categories")
    go(page, "Pets")
    page.wait_for_url(re.compile("/category/pets"))
    assert title in titles(page), titles(page)
    looks(page)
    page.goto(f"{hub.url}{BOARD}")
    fill(page, place=near)
    page.get_by_role("button", name="Search", exact=True).click()
    page.wait_for_url(re.compile("place="))
    assert title in titles(page), titles(page)
    looks(page, f"{name}-2-found")
    by_map(page, title)


def is_gone(hub, page, title):
    for path in [BOARD, f"{BOARD}?q={title.split()[0]}", f"{BOARD}/category/pets"]:
        page.goto(hub.url + path)
        assert title not in titles(page), path


def no_complaints(*pages):
    for page in pages:
        # The browser says so of every page that is gone, and that is what was asked for.
        found = [text for text in page.complaints if "the server responded with a status of 410" not in text]
        assert not found, found


def claims(page, hub, listing, answer=None, voice=None):
    page.goto(listing)
    go(page, "This may be mine")
    assert "What is its name?" in page.locator("main").inner_text()
    looks(page)
    if answer:
        fill(page, answer=answer)
    if voice:
        page.set_input_files("[name=voice]", voice)
    press(page, "Send")
    assert page.url.split("?")[0] == listing
    assert "You have claimed this" in page.locator("main").inner_text()


def accepts(page, hub, listing, words, name):
    """Reads two claims, hears one, accepts one and refuses the other; goes on in the conversation."""
    page.goto(listing)
    go(page, "2 claims wait for your answer")
    assert words in page.locator("main").inner_text()
    sound = page.locator("audio").first.get_attribute("src")
    heard = page.request.get(urllib.parse.urljoin(page.url, sound))
    assert heard.status == 200 and len(heard.body()) > 1000
    looks(page, f"{name}-4-claims")
    page.locator(".post", has_text=words).get_by_role("button", name="Accept", exact=True).click()
    page.wait_for_url(re.compile("/messages/"))
    assert "I think that it is yours" in page.locator(".thread").inner_text()
    thread = page.url
    page.goto(f"{listing}/claims")
    page.get_by_role("button", name="No, thank you", exact=True).click()
    page.wait_for_load_state()
    page.goto(thread)
    return thread


def talks(ann, bob, listing):
    """Two who found each other: a message to and fro."""
    bob.goto(listing)
    assert "accepted your claim" in bob.locator("main").inner_text()
    go(bob, "Open the conversation")
    fill(bob, text="That is him. May I come at six?")
    press(bob, "Send")
    ann.reload()
    assert "May I come at six?" in ann.locator(".thread").inner_text()
    fill(ann, text="Yes, please ring twice")
    press(ann, "Send")
    bob.reload()
    assert "ring twice" in bob.locator(".thread").inner_text()


def returns(hub, ann, bob, listing, title):
    """It is back: said by a press, gone from every list, and kept with its end on the profile."""
    ann.goto(listing)
    go(ann, "It is back")
    looks(ann)
    ann.check("#outcome-returned")
    press(ann, "That is how it ended")
    assert "It went back to its owner" in ann.locator(".listing-state").inner_text()
    is_gone(hub, bob, title)
    bob.goto(f"{hub.url}/@ann")
    assert "It is back with its owner" in bob.locator("[aria-labelledby=listings]").inner_text()
    looks(bob)
    go(bob, "All listings of this person")
    assert title in titles(bob)
    bob.goto(listing)
    assert bob.locator("a.main", has_text="This may be mine").count() == 0


def is_reported(hub, page, judge, listing, name):
    """Somebody reports a listing, the hub's owner looks at it and warns its author, who reads why."""
    page.goto(listing)
    go(page, "Report")
    page.select_option("[name=reason]", "spam")
    fill(page, text="This sells something")
    looks(page)
    press(page, "Report")
    assert "with the moderators" in page.locator("main").inner_text()
    judge.goto(f"{hub.url}/moderation/reports")
    case = judge.locator("main a[href*='/moderation/cases/']")
    judge.goto(urllib.parse.urljoin(judge.url, case.first.get_attribute("href")))
    assert "This sells something" in judge.locator("main").inner_text()
    looks(judge, f"{name}-6-case")
    judge.select_option("[name=what]", "warning")
    judge.uncheck("[name=hide]")
    fill(judge, why="This is no place to sell things")
    with judge.expect_navigation():
        judge.get_by_role("button", name="Decide", exact=True).click()
    assert "Warning" in judge.locator("main").inner_text()


def is_warned(hub, page):
    page.goto(f"{hub.url}/settings/standing")
    assert "This is no place to sell things" in page.locator("main").inner_text()


def is_withdrawn(ann, bob, listing):
    ann.goto(listing)
    go(ann, "Take back")
    looks(ann)
    fill(ann, reason="I changed my mind")
    ann.check("#sure")
    press(ann, "Take back")
    answer = bob.goto(listing)
    assert answer.status == 410
    said = bob.locator("main").inner_text()
    assert "This listing is gone" in said and "Its author took it back" in said, said
    assert "changed my mind" not in said
    looks(bob)


def shows_hostile(page, listing):
    """It is text, and turns nothing round that is not its own."""
    page.goto(listing)
    shown = page.locator("h1").inner_text()
    assert shown.startswith("<img src=x onerror=window.ran=1>"), shown
    assert "\u202e" not in shown
    assert page.locator("h1 img").count() == 0
    looks(page)
    for path in [BOARD, f"{BOARD}/category/other"]:
        page.goto(page.url.split(BOARD)[0] + path)
        assert any(title.startswith("<img src=x") for title in titles(page)), titles(page)
        looks(page)


def test_a_walk_with_script_and_a_given_position(own_hub, sound, folder):
    hub = own_hub
    harness.chirps(f"{folder}/said.wav", 3)
    ann = patient(hub.window(geolocation=CAMDEN, permissions=["geolocation", "microphone"]))
    ann.add_init_script(harness.SPOKEN)
    hub.sign_up("ann", ann)

    # Placed: a photograph, the pin where she is, a voice by the microphone, a secret question.
    choose(ann, "found", "pets", "Tabby cat with a bell", "Sits on the wall of the lock.\nHungry, and kind.")
    ann.set_input_files("[name=files]", photo(f"{folder}/cat.jpg"))
    ann.locator("[data-pictures] img").wait_for()
    ann.locator("[data-speak]").click()
    ann.locator("[data-speak].speaking").wait_for()
    sound.speak(f"{folder}/said.wav").wait()
    ann.locator("[data-speak]").click()
    ann.locator("[data-voice-kept] input[name=clip]").wait_for(state="attached")
    ann.locator("[data-here]").click()
    until(lambda: ann.input_value("[name=pin-place]"), what="the position")
    pin = ann.input_value("[name=pin-place]")
    assert distance(pin) < 0.001
    assert any("position was taken" in text for text in harness.spoken(ann)), harness.spoken(ann)
    assert ann.is_checked("#precision-near")
    looks(ann, "script-1-form")
    cat = place(ann, question="What is its name?", reward="None, really")
    looks(ann, "script-1-placed")

    # Somebody else finds it, first by where he is; others see a place within 300 m and never the place itself.
    bob = patient(hub.window(geolocation=CAMDEN | {"latitude": 51.5300}, permissions=["geolocation"]))
    bob.add_init_script(harness.SPOKEN)
    bob.goto(f"{hub.url}{BOARD}")
    bob.get_by_role("button", name="Near me", exact=True).click()
    bob.wait_for_url(re.compile(r"at=51\.530%2C-0\.143"))
    assert titles(bob) == ["Tabby cat with a bell"]
    assert re.search(r"under 1 km|\d+ k?m", bob.locator(".listing-card .byline").inner_text())
    looks(bob, "script-2-near")
    go(bob, "Forget my position")
    is_found(hub, bob, "Tabby cat with a bell", "London", "script")
    assert bob.url.split("?")[0] == cat
    assert not tells(bob, pin)
    pictures_are_clean(bob)
    assert bob.locator(".player audio").count() == 1
    looks(bob, "script-3-listing")

    # A position that is refused: a place can be typed instead.
    refused = patient(hub.window(permissions=[]))
    refused.goto(f"{hub.url}{BOARD}")
    refused.get_by_role("button", name="Near me", exact=True).click()
    refused.locator("[data-near-problem]", has_text="Type a place instead").wait_for(timeout=20_000)
    assert refused.evaluate("document.activeElement.name") == "place"
    looks(refused, "script-2-refused")

    # Claimed by two, in words and aloud.
    hub.sign_up("bob", bob)
    claims(bob, hub, cat, answer="His name is Oscar")
    carol = hub.sign_up("carol", patient(hub.window()))
    claims(carol, hub, cat, voice=HELLO)
    thread = accepts(ann, hub, cat, "His name is Oscar", "script")
    talks(ann, bob, cat)
    looks(ann, "script-5-talk")
    # The other side sees the place itself now, and nobody else does.
    bob.goto(cat)
    assert tells(bob, pin)
    carol.goto(cat)
    assert not tells(carol, pin)
    returns(hub, ann, bob, cat, "Tabby cat with a bell")
    assert thread

    # A title that would do harm; reported, looked at, warned of.
    choose(ann, "lost", "other", HOSTILE, "Call me <script>window.ran=1</script> javascript:alert(1)")
    hostile = place(ann, place="London")
    shows_hostile(bob, hostile)
    judge = patient(hub.owner())
    is_reported(hub, bob, judge, hostile, "script")
    is_warned(hub, ann)
    is_withdrawn(ann, bob, hostile)
    no_complaints(ann, carol, judge, bob, refused)


def test_a_walk_without_script_and_without_a_position(own_hub, folder):
    hub = own_hub
    plain = dict(java_script_enabled=False)
    ann = hub.sign_up("ann", patient(hub.window(**plain)))

    # Placed: the map is a picture that is pressed, and nothing that was typed or sent is lost meanwhile.
    choose(ann, "found", "pets", "Tabby cat with a bell", "Sits on the wall of the lock.\nHungry, and kind.")
    ann.set_input_files("[name=files]", photo(f"{folder}/cat.jpg"))
    ann.set_input_files("[name=voice]", HELLO)
    fill(ann, place="London", question="What is its name?")
    ann.locator("button[name=pin-move][value=closer]").click()
    ann.wait_for_load_state()
    assert ann.input_value("[name=title]") == "Tabby cat with a bell"
    assert ann.locator("[data-pictures] img").count() == 1
    assert ann.locator("[data-voice-kept] audio").count() == 1
    looks(ann, "plain-1-form")
    assert distance(ann.input_value("[name=pin-at]")) < 0.5, ann.input_value("[name=pin-at]")
    ann.locator("input.map-wide").click(position={"x": 200, "y": 120})
    ann.wait_for_load_state()
    assert "Chosen: 51." in ann.locator(".map-chosen").inner_text()
    cat = place(ann)
    looks(ann, "plain-1-placed")

    bob = patient(hub.window(**plain))
    bob.goto(f"{hub.url}{BOARD}")
    # Without script nothing is there that does nothing.
    assert not bob.get_by_role("button", name="Near me", exact=True).is_visible()
    is_found(hub, bob, "Tabby cat with a bell", "London", "plain")
    assert bob.url.split("#")[0] == cat
    pictures_are_clean(bob)
    looks(bob, "plain-3-listing")
    # A name that no place has; and one that is not quite right.
    bob.goto(f"{hub.url}{BOARD}?place=Qqxzzy")
    assert "No place of this name is known here" in bob.locator("main").inner_text()
    bob.goto(f"{hub.url}{BOARD}?place=Londno")
    assert "Did you mean" in bob.locator("main").inner_text()
    looks(bob, "plain-2-meant")

    hub.sign_up("bob", bob)
    claims(bob, hub, cat, answer="His name is Oscar")
    carol = hub.sign_up("carol", patient(hub.window(**plain)))
    claims(carol, hub, cat, voice=HELLO)
    accepts(ann, hub, cat, "His name is Oscar", "plain")
    talks(ann, bob, cat)
    returns(hub, ann, bob, cat, "Tabby cat with a bell")

    choose(ann, "lost", "other", HOSTILE, "Call me <script>window.ran=1</script> javascript:alert(1)")
    hostile = place(ann, place="London")
    shows_hostile(bob, hostile)
    judge = patient(hub.owner(**plain))
    is_reported(hub, bob, judge, hostile, "plain")
    is_warned(hub, ann)
    is_withdrawn(ann, bob, hostile)
    no_complaints(ann, bob, carol, judge)
