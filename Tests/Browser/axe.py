"""What axe finds on every page: light and dark, wide and narrow, and with letters of twice the size (boards.md 5.1.14, hub.md 10)."""

import json

from axe_playwright_python.base import AXE_SCRIPT

from pages import RULES, paths, state


def looks_at_all(hub, browser=None, **look):
    """What is wrong on any page for anybody who may see it, in one look."""
    wrong, windows = [], {}
    for kind, path in paths(hub):
        if kind not in windows:
            windows[kind] = hub.window(browser, storage_state=state(hub, kind), **look)
        page = windows[kind]
        page.goto(hub.url + path, wait_until="load")
        # What fades in is looked at when it is there.
        page.evaluate("document.getAnimations().forEach((animation) => animation.effect.getTiming().iterations < 9 && animation.finish())")
        page.evaluate(AXE_SCRIPT)
        for rule in page.evaluate(f"axe.run({json.dumps(RULES)})")["violations"]:
            wrong.append(f"{kind} {path}: {rule['id']} at {[node['target'] for node in rule['nodes']][:3]}")
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if wide > 0:
            wrong.append(f"{kind} {path}: {wide} px wider than the window")
    assert not wrong, "\n".join([f"{len(wrong)} findings"] + wrong)


def test_nothing_is_found_light_in_letters_of_twice_the_size(hub):
    large = hub.browser(arguments=["--blink-settings=defaultFontSize=32,minimumFontSize=0"])
    looks_at_all(hub, large, color_scheme="light", width=1280)


def test_nothing_is_found_dark_and_narrow(hub):
    """320 px; those of 360 px are looked at by `pages`."""
    looks_at_all(hub, color_scheme="dark", width=320)
