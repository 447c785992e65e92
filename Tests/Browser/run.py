"""Runs the checks in a real browser: every function `test_...` of the files beside this one.

Usage: run.py [WORDS...]; with words, only those tests whose file or name holds one of them. A test takes what its parameters name: `hub`
is shared by a file, `own_hub` is nobody else's, `folder` an empty folder, `sound` the sound server.

Each file, or part of one, has a browser and a sound server of its own. Three run at a time, since a check waits for speech and pictures
more than it computes; what measures time or compares what is heard runs alone, last. What went wrong is done once more at the end, alone: a
busy machine drops sound, and the verdict is that of the quiet one. Both are said, and kept in .build/run-twice (Scripts/test-summary).
"""

import concurrent.futures
import importlib.util
import inspect
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback

from playwright.sync_api import sync_playwright

HERE = os.path.dirname(os.path.abspath(__file__))
TWICE = os.path.join(HERE, "../../.build/run-twice/pages")
sys.path.insert(0, HERE)
import harness  # noqa: E402

# Files, or those tests of one whose name holds what follows the dot. The longest first, so that none is left over at the end.
TOGETHER = [
    "axe.light", "axe.dark", "pages", "days", "board", "hostile", "live", "record", "by_keys", "feed", "records_by_keys", "beats", "beats_badly",
    "keyboard", "copies", "frame", "offline", "sides", "push", "messages", "cards", "ears", "passkeys"]
ALONE = ["records", "uploads", "two_people", "figures"]
BESIDE = 3


def tests(parts, words):
    for name, _, part in (one.partition(".") for one in parts):
        path = os.path.join(HERE, f"{name}.py")
        if not os.path.exists(path):
            continue
        spec = importlib.util.spec_from_file_location(f"check_{name}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found = [
            (key, value) for key, value in vars(module).items()
            if key.startswith("test_") and part in key and inspect.isfunction(value) and value.__module__ == spec.name
        ]
        chosen = [pair for pair in found if not words or any(word in f"{name}.{pair[0]}" for word in words)]
        if chosen:
            yield name, chosen


def run(parts, words):
    """Runs files or parts of them in this process; gives how many passed, and the names of those that failed with the reason, a line."""
    chosen = list(tests(parts, words))
    passed, failed = 0, {}
    if not chosen:
        return passed, failed
    with tempfile.TemporaryDirectory(prefix="chirp-browser-", ignore_cleanup_errors=True) as folder, sync_playwright() as player:
        sound = harness.Sound(f"{folder}/sound")
        number = 0

        def empty():
            nonlocal number
            number += 1
            path = f"{folder}/{number}"
            os.makedirs(path)
            return path

        try:
            for name, found in chosen:
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
                    except Exception as error:
                        failed[f"{name}.{key}"] = f"{type(error).__name__}: {error}"
                        print(f"WRONG {name}: {key[5:].replace('_', ' ')} ({time.monotonic() - began:.1f} s)", flush=True)
                        traceback.print_exc(file=sys.stdout)
                    finally:
                        if own:
                            own.end()
                if shared:
                    shared.end()
        finally:
            sound.end()
    return passed, failed


def main():
    words = sys.argv[1:]
    if words and words[0] == "--file":
        passed, failed = run(words[1:2], words[2:])
        print(json.dumps([passed, failed]))
        sys.exit(1 if failed else 0)
    began = time.monotonic()
    passed, failed, again = 0, 0, {}

    def child(name, *words):
        command = [sys.executable, os.path.abspath(__file__), "--file", name, *words]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        lines = done.stdout.rstrip().split("\n")
        try:
            good, wrong = json.loads(lines[-1])
        except (TypeError, ValueError):
            # One that died has told nothing.
            return "\n".join(lines), 0, {f"{name.partition('.')[0]}.": f"the file ended with {done.returncode}: {lines[-1]}"}
        return "\n".join(lines[:-1]), good, wrong

    with concurrent.futures.ThreadPoolExecutor(BESIDE) as pool:
        for told, good, wrong in pool.map(lambda name: child(name, *words), TOGETHER):
            passed += good
            again |= wrong
            if told:
                print(told, flush=True)
    for name in ALONE:
        told, good, wrong = child(name, *words)
        passed += good
        again |= wrong
        if told:
            print(told, flush=True)
    os.makedirs(os.path.dirname(TWICE), exist_ok=True)
    with open(TWICE, "w") as twice:
        for key, first in again.items():
            print(f"once more, alone: {key}", flush=True)
            # A file that died is done as a whole.
            told, good, wrong = child(key.split(".")[0], key)
            passed, failed = passed + good, failed + len(wrong)
            print(told, flush=True)
            first = " ".join(first.split())[:240]
            twice.write(f"check\t{key}\t{'failed' if wrong else 'passed'}\t{first}\n")
    subprocess.run([os.path.join(HERE, "../../Scripts/test-summary"), "--twice", "pages"], check=True)
    print(f"{passed} passed, {failed} failed, {time.monotonic() - began:.0f} s")
    sys.exit(1 if failed or not passed else 0)


main()
