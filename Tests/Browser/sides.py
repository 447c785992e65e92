"""Terminal and browser side by side (CH-16): every row of the README's table names a command that exists and a control or page that is there."""

import os
import re
import subprocess

import harness
import pages

README = os.path.join(harness.ROOT, "README.md")


def rows():
    """The table's rows: what one wants, the command, the page's address, and the words of a control on it, as far as it names one."""
    text = open(README, encoding="utf-8").read()
    table = text.split("<!-- side by side -->")[1].split("<!-- end -->")[0]
    for line in table.strip().splitlines()[2:]:
        what, terminal, browser = [cell.strip() for cell in line.strip("|").split("|")]
        yield what, re.findall(r"`(chirp [^`]+)`", terminal), re.search(r"`(/[^`]*)`", browser), re.findall(r"\"([^\"]+)\"", browser)


def test_every_row_of_the_table_holds_in_both_columns(hub):
    known = pages.scene(hub)
    wrong, count = [], 0
    page = known["bob"]
    for what, commands, path, controls in rows():
        count += 1
        for command in commands:
            # The words up to the first that stands for something.
            words = [word for word in command.split()[1:] if re.fullmatch(r"[a-z]+(-[a-z]+)*", word)]
            done = subprocess.run([harness.CHIRP, *words, "--help"], capture_output=True, text=True, env=hub.environment())
            if done.returncode != 0:
                wrong.append(f"{what}: {command}: {done.stderr.strip()[:200]}")
            for option in re.findall(r"--[a-z-]+", command):
                if option not in done.stdout:
                    wrong.append(f"{what}: {command} does not know {option}")
        if not path:
            wrong.append(f"{what}: no page")
            continue
        address = path[1].replace("ID", known["clip"]).replace("@handle", "@ann")
        answer = page.goto(hub.url + address)
        if answer.status != 200:
            wrong.append(f"{what}: {address} is {answer.status}")
        html = page.content()
        for control in controls:
            if control not in html:
                wrong.append(f"{what}: {address} has no \"{control}\"")
    assert count >= 12, count
    assert not wrong, "\n".join(wrong)
