"""The board of beats, walked through as people do it: a producer and an artist upload, a buyer hears, bids, is outbid, buys, pays at a payment
page and finds file and licence in the inbox; then one is asked for a beat, names a price, is offered another one, agrees, is paid, and hands it
over (boards.md 2.3, 5.2 point 1; AR-1 to AR-17)."""

import email
import email.policy
import os
import re
import shutil
import subprocess
import time
import urllib.parse
import wave

import numpy
from PIL import Image, ImageDraw

import harness
from board import go, looks, no_complaints, patient
from checkout import CardService
from harness import RATE, fill, press, until

BOARD = "/beats"


def music(path, seconds, tempo=96, seed=1):
    """A piece with a beat, in A minor: drums, a bass and chords, in stereo. Gives its path."""
    dice = numpy.random.default_rng(seed)
    samples = numpy.zeros((int(seconds * RATE), 2))

    def put(at, sound, left=1.0, right=1.0):
        start = int(at * RATE)
        sound = sound[: max(0, len(samples) - start)]
        samples[start:start + len(sound)] += sound[:, None] * [left, right]

    def tone(note, length, fall):
        times = numpy.arange(int(length * RATE)) / RATE
        hertz = 440 * 2 ** ((note - 69) / 12)
        return sum(numpy.sin(2 * numpy.pi * hertz * part * times) / part**2 for part in [1, 2, 3]) * numpy.exp(-times * fall)

    beat = 60 / tempo
    roots = [45, 41, 48, 43]
    for number in range(int(seconds / beat * 2)):
        at, root = number * beat / 2, roots[number // 8 % 4]
        times = numpy.arange(RATE // 6) / RATE
        if number % 4 == 0:
            put(at, 0.9 * numpy.sin(2 * numpy.pi * (50 + 60 * numpy.exp(-times * 40)) * times) * numpy.exp(-times * 18))
        if number % 4 == 2:
            put(at, 0.4 * dice.standard_normal(len(times)) * numpy.exp(-times * 25), 0.8, 1.0)
        put(at, 0.12 * dice.standard_normal(len(times)) * numpy.exp(-times * 90), 1.0, 0.6)
        put(at, 0.25 * tone(root + [0, 12, 7, 12][number % 4], beat / 2, 4))
        if number % 8 == 0:
            for note, side in zip([12, 15 if root in (45,) else 16, 19], [0.4, 1.0, 0.7]):
                put(at, 0.12 * tone(root + note, beat * 4, 0.6), side, 1.4 - side)
    samples *= 0.8 / abs(samples).max()
    with wave.open(path, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((samples * 32767).astype("<i2").tobytes())
    return path


def sung(path, folder, seconds):
    """An MP3 of one voice that glides and trembles, as artists send it. Gives its path."""
    times = numpy.arange(int(seconds * RATE)) / RATE
    pitch = 220 * 2 ** (numpy.round(4 * numpy.sin(times * 1.3)) / 12 + 0.02 * numpy.sin(2 * numpy.pi * 5.5 * times))
    phase = 2 * numpy.pi * numpy.cumsum(pitch) / RATE
    voice = sum(numpy.sin(phase * part) / part**1.5 for part in range(1, 9)) * (0.55 + 0.45 * numpy.sin(times * 2.1) ** 2)
    raw = f"{folder}/voice.f32"
    (0.2 * voice).astype("<f4").tofile(raw)
    subprocess.run(
        ["ffmpeg", "-loglevel", "error", "-f", "f32le", "-ar", str(RATE), "-ac", "1", "-i", raw, "-b:a", "192k", path], check=True)
    return path


def cover(path, colour="#274c77"):
    picture = Image.new("RGB", (900, 900), colour)
    pen = ImageDraw.Draw(picture)
    for ring in range(8):
        pen.ellipse([100 + ring * 45, 100 + ring * 45, 800 - ring * 45, 800 - ring * 45], outline="#e7ecef", width=6)
    picture.save(path, quality=88)
    return path


def is_a(page, hub, *roles):
    """Somebody says at the board what she is."""
    page.goto(f"{hub.url}{BOARD}")
    page.goto(f"{hub.url}{BOARD}/role")
    for role in roles:
        page.check(f"[name=role][value={role}]")
    press(page, "Save")
    assert page.url.endswith(f"{BOARD}/mine"), page.url


def offers(page, hub, path, name="", **fields):
    """Offers a track by the page; gives its address once its preview is there."""
    page.goto(f"{hub.url}{BOARD}/new")
    price = fields.pop("price", "amount")
    if fields.pop("draft", False):
        page.check("[name=draft]")
    page.set_input_files("#track", path)
    page.locator("[name=master]").wait_for(state="attached")
    if "cover" in fields:
        page.set_input_files("#cover", fields.pop("cover"))
    page.check(f"[name=price][value={price}]")
    fill(page, **fields)
    looks(page, f"{name}-form" if name else "")
    page.locator("[data-beat-form] button.main").click()
    page.wait_for_url(lambda address: re.search(rf"{BOARD}/(?!new)[^/]+$", address))
    looks(page, f"{name}-waiting" if name else "")
    page.locator(".beat-heard").first.wait_for(timeout=60_000)
    return page.url


def licenses(page, track, template, amount, name=""):
    """Offers a licence of a track by a template, for an amount."""
    page.goto(f"{track}/licences")
    go(page, template)
    fill(page, amount=amount)
    looks(page, f"{name}-licence" if name else "")
    press(page, "Offer")
    page.goto(track)
    assert template in page.locator(".beat-offers").inner_text()


def auctions(page, track, start, step, name=""):
    """Opens an auction that ends in an hour and a half."""
    page.goto(track)
    go(page, "Open an auction")
    ends = time.strftime("%Y-%m-%dT%H:%M", time.gmtime(time.time() + 5400))
    fill(page, start=start, step=step, ends=ends)
    looks(page, f"{name}-auction" if name else "")
    press(page, "Open it")
    assert page.locator("#auction").count() == 1, page.locator("main").inner_text()


def pays(page, service, what="Pay"):
    """On the payment page, and back."""
    assert page.url.startswith(service.url), page.url
    page.get_by_role("button", name=what, exact=True).click()
    page.wait_for_url(lambda address: not address.startswith(service.url))


def bids(page, track, amount, name=""):
    """From the page of a track, by what a bid binds to, to where the card is asked for."""
    page.goto(track)
    fill(page, **{"amount": amount})
    press(page, "See what it binds to")
    said = page.locator(".beat-binds").inner_text()
    assert amount in said and "cannot take the bid back" in said, said
    looks(page, f"{name}-binds" if name else "")
    page.locator("main form button.main").click()
    page.wait_for_load_state()


def mails(hub, name):
    """Letters to somebody, as what they are about and what they say."""
    found = []
    for path in sorted((os.path.join(hub.mail, file) for file in os.listdir(hub.mail)), key=os.path.getmtime):
        with open(path, "rb") as file:
            letter = email.message_from_binary_file(file, policy=email.policy.default)
        if f"{name}@example.org" in letter["To"]:
            found.append((letter["Subject"], letter.get_body(("plain",)).get_content()))
    return found


def hears(page, hub, track, sound, folder, name=""):
    """Presses play and hears the preview by the loudspeaker; gives its samples."""
    page.goto(track)
    source = page.locator("[data-player] audio").first.get_attribute("src")
    answer = page.request.get(urllib.parse.urljoin(page.url, source))
    assert answer.status == 200 and answer.headers["content-type"] == "audio/mpeg", (source, answer.status)
    with open(f"{folder}/preview.mp3", "wb") as file:
        file.write(answer.body())
    preview = harness.decoded(f"{folder}/preview.mp3", folder)
    scores, length = [], 5 * RATE // 2

    def hears_a_stretch():
        """Whether one stretch was heard without gaps, which a player leaves that gets no processor."""
        start = RATE // 2 + len(scores) * length
        if len(heard()) < start + length + 11 * RATE // 2:
            return False
        assert start + length <= len(preview), scores
        scores.append(harness.likeness_by_pieces(heard(), preview[start:start + length]))
        # Other music of this kind has 0.7 at the most.
        return scores[-1] > 0.8

    with sound.listening() as heard:
        page.get_by_role("button", name=re.compile("^Play")).first.click()
        looks(page, f"{name}-heard" if name else "")
        until(lambda: numpy.abs(heard()).max(initial=0) > 0.05, 30, what="sound")
        until(hears_a_stretch, 40, 0.2, what=lambda: f"a stretch of the preview in the loudspeaker ({scores})")
    page.get_by_role("button", name=re.compile("^Pause")).first.click()
    return preview


def got(page, hub, title, folder, name=""):
    """Finds a message with files and licence in the inbox; gives their bytes by name, and what the licence's own page says."""
    def there():
        page.goto(f"{hub.url}/messages")
        return title in page.locator("main").inner_text()

    until(there, 60, 0.3, f"the message with {title}")
    looks(page, f"{name}-inbox" if name else "")
    page.locator("main a[href*='/messages/']").first.click()
    page.wait_for_url(re.compile("/messages/"))
    looks(page, f"{name}-message" if name else "")
    thread = page.url
    links = [link.get_attribute("href") for link in page.locator(".thread a").all()]
    files = sorted({link for link in links if "/files/" in link})
    papers = sorted({link for link in links if link.endswith(".pdf")})
    checks = sorted({link for link in links if re.search(r"/licences/[^/]+$", link)})
    assert files and papers and checks, links
    found = {}
    for link in files:
        with page.expect_download() as coming:
            page.locator(f".thread a[href='{link}']").last.click()
        path = f"{folder}/{coming.value.suggested_filename}"
        coming.value.save_as(path)
        found[coming.value.suggested_filename] = open(path, "rb").read()
    paper = f"{folder}/licence.pdf"
    with page.expect_download() as coming:
        page.locator(f".thread a[href='{papers[-1]}']").last.click()
    coming.value.save_as(paper)
    if shutil.which("qpdf"):
        subprocess.run(["qpdf", "--check", paper], check=True, capture_output=True)
    page.goto(checks[-1])
    page.set_input_files("[name=paper]", paper)
    press(page, "Check")
    until(lambda: "byte for byte" in page.locator("[data-paper-told]").inner_text(), what="the licence is checked")
    assert page.locator("[data-paper-verdict=valid]").count() == 1
    looks(page, f"{name}-checked" if name else "")
    spoilt = bytearray(open(paper, "rb").read())
    spoilt[len(spoilt) // 2] ^= 1
    page.set_input_files("[name=paper]", {"name": "licence.pdf", "mimeType": "application/pdf", "buffer": bytes(spoilt)})
    press(page, "Check")
    until(lambda: "not the paper" in page.locator("[data-paper-told]").inner_text(), what="a spoilt licence is told")
    page.goto(thread)
    return found


def notices(page, hub):
    page.goto(f"{hub.url}/notices")
    return page.locator("main").inner_text()


def test_upload_hear_bid_be_outbid_buy_pay_find_file_and_licence_then_ask_price_counter_agree_pay_get_it(player, folder, sound):
    cards = CardService()
    hub = cards.hub = harness.Hub(player, folder, sound, **cards.settings)
    try:
        return walk(hub, cards, folder, sound)
    finally:
        hub.end()
        cards.end()


def walk(hub, cards, folder, sound):
    first, second = music(f"{folder}/night-bus.wav", 12), music(f"{folder}/rain.wav", 12, tempo=120, seed=2)
    mine = music(f"{folder}/made-for-you.wav", 12, tempo=84, seed=3)
    # The hub's owner sells by cards, others by hand.
    pia = patient(hub.owner())
    is_a(pia, hub, "producer")
    looks(pia, "beats-0-mine")
    auctioned = offers(
        pia, hub, first, "beats-1", title="Night bus", tags="dark, slow", text="Made at night.\nGood for a voice that is near.",
        amount="80", cover=cover(f"{folder}/cover.jpg"))
    looks(pia, "beats-1-offered")
    auctions(pia, auctioned, "20", "5", "beats-1")
    looks(pia, "beats-1-auctioned")
    sold = offers(pia, hub, second, title="Rain on tin", tags="bright", text="Drops, and a bass.", amount="29.90")
    licenses(pia, sold, "WAV lease", "29.90", "beats-2")
    licenses(pia, sold, "Exclusive licence", "400")
    looks(pia, "beats-2-licensed")

    ada = patient(hub.window())
    hub.sign_up("ada", ada)
    is_a(ada, hub, "artist")
    opened = offers(
        ada, hub, sung(f"{folder}/voice.mp3", folder, 12), "beats-3", title="A voice at the window", tags="soft",
        text="Looks for a slow beat.", amount="50", cover=cover(f"{folder}/cover2.jpg", "#6d3b47"))
    looks(ada, "beats-3-open")

    # A listener finds all three, and hears one.
    bob, eve = patient(hub.window()), patient(hub.window())
    hub.sign_up("bob", bob)
    hub.sign_up("eve", eve)
    bob.goto(f"{hub.url}{BOARD}")
    looks(bob, "beats-4-shop")
    titles = bob.locator(".beat-card h2").all_inner_texts()
    assert titles == ["A voice at the window", "Rain on tin", "Night bus"], titles
    go(bob, "Opens")
    assert bob.locator(".beat-card h2").all_inner_texts() == ["A voice at the window"]
    bob.goto(opened)
    looks(bob, "beats-4-open")
    go(bob, "Beats")
    go(bob, "Night bus")
    assert bob.url == auctioned
    looks(bob, "beats-4-beat")
    preview = hears(bob, hub, auctioned, sound, folder, "beats-4")
    # Nobody gets the recording itself before it is sold.
    samples = harness.decoded(first, folder)
    assert len(preview) != len(samples) or numpy.abs(preview - samples).max() > 0.1
    press(bob, "Like")
    press(bob, "Archive")

    # He bids, and somebody bids more.
    bids(bob, auctioned, "20", "beats-5")
    assert cards.objects[bob.url.rsplit("/", 1)[-1]]["capture_method"] == "manual"
    pays(bob, cards)
    looks(bob, "beats-5-back")
    bob.goto(auctioned)
    until(lambda: bob.reload() and "is the highest" in bob.locator("#auction").inner_text(), 30, 0.3, "the bid")
    looks(bob, "beats-5-leading")
    bids(eve, auctioned, "27.50")
    pays(eve, cards)
    # The page tells him while he looks at it.
    until(lambda: "27.50" in bob.locator("[data-auction-level]").inner_text(), 40, 0.2, "the higher bid on the page")
    looks(bob, "beats-5-outbid")
    told = bob.locator("#auction").inner_text()
    assert "You were outbid" in told, told
    assert "news of an auction" in notices(bob, hub), notices(bob, hub)
    looks(bob, "beats-5-notice")
    until(lambda: any("bid more than you" in subject and auctioned in text for subject, text in mails(hub, "bob")), 30, 0.3, "the letter")
    held = [one for one in cards.objects.values() if one["object"] == "payment_intent"]
    until(lambda: sorted(one["status"] for one in held) == ["canceled", "requires_capture"], 90, 0.3, "his money is let go")
    assert cards.balance == 0

    # He buys another one: the licence, his name for the contract, the payment page, and back.
    bob.goto(f"{hub.url}{BOARD}")
    go(bob, "Rain on tin")
    bob.get_by_role("link", name="Buy", exact=True).nth(0).click()
    bob.wait_for_url(re.compile("/purchase$"))
    looks(bob, "beats-6-buy")
    fill(bob, name="Bob Ünal Łaski")
    press(bob, "Go on to paying")
    pays(bob, cards)
    until(lambda: bob.locator("[data-sale-state=delivered]").count() or (bob.wait_for_timeout(300), bob.reload())[0], 60, what="the delivery")
    looks(bob, "beats-6-bought")
    found = got(bob, hub, "Rain on tin", folder, "beats-6")
    files = {name: content for name, content in found.items() if name.endswith(".wav")}
    assert list(files.values()) == [open(second, "rb").read()], list(found)
    assert cards.balance == 2990
    said = subprocess.run(["pdftotext", f"{folder}/licence.pdf", "-"], capture_output=True, text=True, check=True).stdout
    assert "Bob Ünal Łaski" in said and "Rain on tin" in said, said[:800]
    # Nobody else gets it.
    link = [link.get_attribute("href") for link in bob.locator(".thread a").all() if "/files/" in link.get_attribute("href")][0]
    assert eve.request.get(link).status == 404
    assert hub.window().goto(link).url.split("?")[0].endswith("/signin")

    asked(hub, cards, pia, bob, mine, folder)
    no_complaints(pia, ada, bob, eve)
    return f"{len(cards.asked)} calls to the payment service, {cards.balance / 100:.2f} EUR taken"


def asked(hub, cards, pia, bob, mine, folder):
    """One is asked for a beat like another, names a price, is offered another one and agrees; it is paid, made, and handed over."""
    handle = pia.locator("a[href*='/@']").first.get_attribute("href").rsplit("@", 1)[-1]
    bob.goto(f"{hub.url}/@{handle}")
    looks(bob, "beats-7-profile")
    go(bob, "Ask for a beat")
    fill(bob, words="Something slow for rain, three minutes.\nWith room for a voice.")
    looks(bob, "beats-7-ask")
    press(bob, "Ask")
    request = bob.url
    assert re.search(rf"{BOARD}/requests/", request), request
    looks(bob, "beats-7-asked")

    # Each sees whose turn it is, and moves in it alone.
    assert bob.locator("main form[action*='/requests/']").count() == 0
    assert "I ask you for a beat" in notices(pia, hub), notices(pia, hub)
    pia.goto(f"{hub.url}{BOARD}/requests")
    looks(pia, "beats-7-requests")
    pia.goto(request)
    pia.fill("#amount", "60")
    fill(pia, words="With all stems")
    press(pia, "Name this price")
    bob.goto(request)
    assert "It is to cost 60" in bob.locator(".beat-state").inner_text(), bob.locator(".beat-state").inner_text()
    looks(bob, "beats-7-priced")
    # The form to agree has the amount on the table.
    bob.fill("#amount", "45")
    press(bob, "Offer this instead")
    pia.goto(request)
    looks(pia, "beats-7-countered")
    pia.get_by_role("button", name=re.compile("^Agree to 45")).click()
    pia.wait_for_load_state()
    bob.goto(request)
    assert "Agreed: 45" in bob.locator(".beat-state").inner_text(), bob.locator(".beat-state").inner_text()
    looks(bob, "beats-7-agreed")
    before = cards.balance
    press(bob, "Pay")
    pays(bob, cards)
    looks(bob, "beats-7-paid")
    assert cards.balance == before + 4500

    # It is made when it is paid, and nobody else sees it.
    track = offers(pia, hub, mine, title="Made for Bob", amount="45", draft=True)
    until(lambda: pia.goto(request) and pia.locator("select[name=track]").count(), 60, 0.3, "her turn")
    pia.select_option("[name=track]", label="Made for Bob")
    looks(pia, "beats-7-delivers")
    press(pia, "Hand it over")
    looks(pia, "beats-7-delivered")
    found = got(bob, hub, "Made for Bob", folder, "beats-7")
    assert open(mine, "rb").read() in found.values(), list(found)
    bob.goto(request)
    assert "Delivered, for 45" in bob.locator(".beat-state").inner_text()
    assert hub.window().goto(track).status in (404, 410)
