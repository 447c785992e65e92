"""Without a network: what was read is there, what was heard can be heard again, and it can be erased (issue 15: offline and installed)."""

import os

import harness
from harness import press, until

SAMPLE = os.path.join(harness.ROOT, "Samples/hello.wav")


def reader(hub, folder):
    """Bob, who follows Ann, in a browser that keeps things, behind a wire that can be cut."""
    wire = harness.Wire()
    window = hub.browser(arguments=wire.arguments, folder=folder)
    page = window.pages[0]
    page.set_default_timeout(15_000)
    harness.watch(page)
    return wire, page


def ready(page):
    page.wait_for_function("() => navigator.serviceWorker.controller || navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    page.wait_for_function("() => navigator.serviceWorker.controller")


def test_what_was_read_is_there_without_a_network_and_gone_after_signing_out(own_hub, folder):
    hub = own_hub
    hub.sign_up("ann").context.close()
    clip = hub.publish("ann", SAMPLE, "My first clip").rsplit("/", 1)[-1]
    wire, page = reader(hub, folder)
    hub.sign_up("bob", page)
    ready(page)
    page.goto(f"{hub.url}/c/{clip}")
    page.goto(f"{hub.url}/")
    wire.cut()
    page.goto(f"{hub.url}/c/{clip}")
    assert "My first clip" in page.content()
    page.locator("[data-kept]").wait_for(state="visible")
    page.goto(f"{hub.url}/@somebody")
    assert page.get_by_role("heading", level=1).inner_text() == "No connection"
    wire.mend()
    page.goto(f"{hub.url}/c/{clip}")
    assert page.locator("[data-kept]").is_hidden()
    page.goto(f"{hub.url}/signout")
    press(page, "Sign out")
    kept = page.evaluate("caches.open('chirp-pages').then((cache) => cache.keys()).then((keys) => keys.map((key) => key.url))")
    assert all(url.endswith("/offline") or url == page.url for url in kept), kept


def test_a_clip_that_was_kept_plays_without_a_network_also_from_its_middle(own_hub, folder):
    hub = own_hub
    hub.sign_up("ann").context.close()
    clip = hub.publish("ann", SAMPLE, "My first clip").rsplit("/", 1)[-1]
    wire, page = reader(hub, folder)
    page.goto(f"{hub.url}/c/{clip}")
    ready(page)
    page.evaluate(f"navigator.serviceWorker.controller.postMessage({{ keep: '/media/{clip}.mp3' }})")
    until(lambda: page.evaluate("caches.open('chirp-clips').then((cache) => cache.keys()).then((keys) => keys.length)") == 1)
    whole = page.evaluate(f"fetch('/media/{clip}.mp3').then((answer) => answer.arrayBuffer()).then((bytes) => bytes.byteLength)")
    wire.cut()
    part = page.evaluate(
        f"""fetch('/media/{clip}.mp3', {{ headers: {{ Range: 'bytes=100-' }} }}).then(async (answer) =>
            [answer.status, (await answer.arrayBuffer()).byteLength, answer.headers.get('Content-Range')])""")
    assert part == [206, whole - 100, f"bytes 100-{whole - 1}/{whole}"], part
    length = page.evaluate(
        f"""new Promise((done, failed) => {{ const audio = new Audio('/media/{clip}.mp3'); audio.preload = 'auto';
            audio.oncanplaythrough = () => done(audio.duration); audio.onerror = () => failed(audio.error.message); }})""")
    assert length > 1, length


def test_what_is_kept_is_shown_below_5_MB_and_can_be_erased(own_hub, folder):
    hub = own_hub
    hub.sign_up("ann").context.close()
    wire, page = reader(hub, folder)
    hub.sign_up("bob", page)
    ready(page)
    for path in ["/", "/search", "/public", "/help", "/about", "/@ann", "/@bob", "/notices", "/bookmarks"]:
        page.goto(hub.url + path)
    stored = page.evaluate("navigator.storage.estimate().then((told) => told.usage)")
    assert stored < 5_000_000, stored
    page.goto(f"{hub.url}/settings/offline")
    row = page.locator("[data-kind=pages]")
    until(lambda: "kB" in row.locator("[data-size]").inner_text(), what="the size")
    row.get_by_role("button").click()
    page.get_by_role("button", name="Keep", exact=True).click()
    assert page.evaluate("caches.has('chirp-pages')")
    row.get_by_role("button").click()
    page.get_by_role("dialog").get_by_role("button", name="Erase", exact=True).click()
    until(lambda: page.locator("[role=status]").inner_text() == "Erased", what="erasing")
    assert not page.evaluate("caches.has('chirp-pages')")
    return f"{stored / 1000:.0f} kB stored after nine pages"


def test_a_browser_may_install_it(hub):
    page = hub.window()
    page.goto(hub.url + "/")
    manifest = page.request.get(f"{hub.url}/manifest.webmanifest")
    assert manifest.headers["content-type"] == "application/manifest+json"
    told = manifest.json()
    assert told["start_url"] == "/" and told["display"] == "standalone" and told["icons"]
    wire = page.context.new_cdp_session(page)
    answer = wire.send("Page.getAppManifest")
    assert answer["url"].endswith("/manifest.webmanifest") and not answer["errors"], answer
    assert not page.complaints, page.complaints
