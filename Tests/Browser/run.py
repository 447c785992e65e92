"""Runs the checks in a real browser: every function `test_...` of the files beside this one, in files' order.

Usage: run.py [WORDS...]; with words, only those tests whose file or name holds one of them. A test takes what its parameters name: `hub`
is shared by a file, `own_hub` is nobody else's, `folder` an empty folder, `sound` the sound server.
"""

import importlib.util
import inspect
import os
import sys
import tempfile
import time
import traceback

from playwright.sync_api import sync_playwright

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import harness  # noqa: E402

FILES = ["pages", "two_people", "keyboard", "record", "live", "messages", "frame", "offline", "sides", "figures"]


def tests(words):
    for name in FILES:
        path = os.path.join(HERE, f"{name}.py")
        if not os.path.exists(path):
            continue
        spec = importlib.util.spec_from_file_location(f"check_{name}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found = [
            (key, value) for key, value in vars(module).items()
            if key.startswith("test_") and inspect.isfunction(value) and value.__module__ == spec.name
        ]
        chosen = [pair for pair in found if not words or any(word in f"{name}.{pair[0]}" for word in words)]
        if chosen:
            yield name, chosen


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="chirp-browser-") as folder, sync_playwright() as player:
        sound = harness.Sound(f"{folder}/sound")
        number = 0

        def empty():
            nonlocal number
            number += 1
            path = f"{folder}/{number}"
            os.makedirs(path)
            return path

        try:
            for name, found in tests(sys.argv[1:]):
                shared = None
                for key, test in found:
                    began = time.monotonic()
                    own = None
                    try:
                        given = {}
                        for wanted in inspect.signature(test).parameters:
                            if wanted == "hub":
                                shared = shared or harness.Hub(player, empty(), sound)
                                given[wanted] = shared
                            elif wanted == "own_hub":
                                own = given[wanted] = harness.Hub(player, empty(), sound)
                            elif wanted == "folder":
                                given[wanted] = empty()
                            elif wanted == "sound":
                                given[wanted] = sound
                            elif wanted == "player":
                                given[wanted] = player
                        told = test(**given)
                        passed += 1
                        print(f"ok    {name}: {key[5:].replace('_', ' ')} ({time.monotonic() - began:.1f} s)", flush=True)
                        if told:
                            print(f"      {told}", flush=True)
                    except Exception:
                        failed += 1
                        print(f"WRONG {name}: {key[5:].replace('_', ' ')} ({time.monotonic() - began:.1f} s)", flush=True)
                        traceback.print_exc(file=sys.stdout)
                    finally:
                        if own:
                            own.end()
                if shared:
                    shared.end()
        finally:
            sound.end()
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


main()
