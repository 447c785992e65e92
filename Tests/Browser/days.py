"""A frame that is left on for days, by a clock that is moved (boards.md 5.5.3)."""

import time

import harness
from frame import RECORDER, people, post, set_up, until


def test_72_hours_with_200_lost_connections_and_50_restarts(own_hub, folder):
    """The page's clock is moved; the cuts and restarts are real."""
    hub = own_hub
    ann, bob = people(hub)
    wire = harness.Wire()
    window = hub.browser(arguments=wire.arguments)
    context = window.new_context(viewport={"width": 1280, "height": 800}, storage_state=bob.context.storage_state())
    page = context.new_page()
    harness.watch(page)
    page.add_init_script(RECORDER)
    page.clock.install()
    page.goto(f"{hub.url}/frame")
    page.clock.resume()
    set_up(hub, page)
    hub.api(page, "PUT", "/api/hub/v1/frame", {"style": {"fadeIn": 10, "stay": 10, "fadeOut": 10, "gap": 10}})
    measuring = context.new_cdp_session(page)

    def memory():
        measuring.send("HeapProfiler.collectGarbage")
        told = measuring.send("Runtime.getHeapUsage")
        return told["usedSize"]

    written, first, backs = [], None, []
    hours = 0.0
    for turn in range(250):
        if turn % 5 == 4:
            hub.restart()
        else:
            wire.cut()
        text = f"Update {turn}"
        if turn % 2 == 0:
            post(hub, ann, text)
            written.append(text)
        wire.mend()
        began = time.monotonic()
        page.clock.fast_forward("17:17")
        hours += 17.28 / 60
        if turn % 2 == 0:
            until(lambda: page.evaluate("shown.at(-1)") == text, 20, 0.02, f"{text} after {hours:.1f} hours")
            backs.append(time.monotonic() - began)
        if first is None and hours >= 1:
            first = memory()
    grown = memory() - first
    assert page.evaluate("shown") == written
    assert hours > 71.9, hours
    assert grown < 5_000_000, grown
    assert max(backs) < 10, max(backs)
    assert not page.locator(".problem").count()
    return (f"{len(written)} updates once each over {hours:.0f} hours, memory {grown / 1e6:+.1f} MB after the first hour, "
            f"back within {max(backs):.1f} s")
