"""The author of a beat lets its voice begin elsewhere for each listener; a part of somebody's preview turns up, and the author asks whose it was
(boards.md 3.1, idea 2)."""

import subprocess

from beats import is_a, music, offers
from board import go, looks, no_complaints, patient
from harness import press, until


def cut(content, folder, name):
    """Half a minute of a preview, coded again. Gives its path."""
    with open(f"{folder}/{name}.mp3", "wb") as file:
        file.write(content)
    path = f"{folder}/{name}-cut.mp3"
    subprocess.run(
        ["ffmpeg", "-loglevel", "error", "-y", "-ss", "4.2", "-t", "30", "-i", f"{folder}/{name}.mp3", "-b:a", "64k", path], check=True)
    return path


def asks(page, track, path, answer):
    """Sends a recording and reads whose copy it is."""
    page.goto(f"{track}/copies")
    page.set_input_files("#copy", path)
    press(page, "Whose copy is it?")
    page.locator(f"[data-beat-copy={answer}]").wait_for()
    return page.locator("[role=status]").inner_text()


def test_a_copy_of_a_preview_names_the_listener_whose_it_was(own_hub, folder):
    hub = own_hub
    pia, bob, uma, visitor = (patient(hub.window()) for _ in range(4))
    for name, page in [("pia", pia), ("bob", bob), ("uma", uma)]:
        hub.sign_up(name, page)
    is_a(pia, hub, "producer")
    track = offers(pia, hub, music(f"{folder}/tide.wav", 45), title="Low tide", text="Slow.", amount="12.50")
    bob.goto(track)
    assert bob.locator("[data-beat-own]").count() == 0
    go(pia, "Whose copy is it?")
    looks(pia, "copies-1-off")
    press(pia, "Let the voice begin elsewhere for each listener")
    until(lambda: pia.reload() and pia.locator("[data-beat-tag=ready]").count(), 60, 0.3, "where the voice may begin")
    looks(pia, "copies-1-on")

    # Each is told before anything is heard, and gets one of her own as soon as it is made.
    previews = {}
    for name, page in [("bob", bob), ("uma", uma)]:
        page.goto(track)
        assert "is made for you" in page.locator("[data-beat-own]").inner_text()
        looks(page, f"copies-2-{name}")
        source = page.locator("[data-player] audio").get_attribute("src")
        assert source.endswith("/heard.mp3"), source
        until(lambda: "/media/" not in page.request.get(hub.url + source).url, 90, 0.5, "a preview of her own")
        previews[name] = page.request.get(hub.url + source).body()
    visitor.goto(track)
    assert visitor.locator("[data-beat-own]").count() == 0
    common = visitor.request.get(hub.url + visitor.locator("[data-player] audio").get_attribute("src")).body()
    assert len({common, *previews.values()}) == 3

    for name, content in previews.items():
        said = asks(pia, track, cut(content, folder, name), "listener")
        assert name in said and not [other for other in previews if other != name and other in said], said
    looks(pia, "copies-3-named")
    said = asks(pia, track, cut(common, folder, "common"), "everybody")
    assert "bob" not in said and "uma" not in said, said
    asks(pia, track, cut(open(music(f"{folder}/other.wav", 40, tempo=120, seed=2), "rb").read(), folder, "other"), "other-track")
    assert bob.request.get(f"{track}/copies").status == 404
    no_complaints(pia, bob, uma, visitor)
    return said
