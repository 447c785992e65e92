"""Checks the letters of a served hub with aiosmtpd: whoever signs up gets one, which a mail program can read, and whose link
confirms the address. A hub that was served without a mail server sends what waits once there is one.

Usage: mail.py ADDRESSES; the program is what CHIRP_PROGRAM names. The hub is one of its own, in a temporary folder.
"""

import email
import email.policy
import http.cookiejar
import json
import os
import queue
import re
import socket
import subprocess
import tempfile
import urllib.parse
import urllib.request

from aiosmtpd.controller import Controller


class Box:
    """Takes letters."""

    def __init__(self):
        self.letters = queue.Queue()

    async def handle_DATA(self, server, session, envelope):
        self.letters.put((envelope.mail_from, envelope.rcpt_tos, envelope.content))
        return "250 taken"


def submit(browser, url, page, fields):
    """Sends the form of a page as a browser does."""
    with browser.open(url + page) as answer:
        text = answer.read().decode()
    token = re.search(r'name="token" value="([^"]*)"', text).group(1)
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', text))
    data = urllib.parse.urlencode({**hidden, **fields, "token": token}).encode()
    path = re.search(r'<form method="post" action="([^"]*)"', text).group(1)
    with browser.open(urllib.request.Request(url + path, data, {"Origin": url})) as answer:
        return answer.read().decode()


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def main():
    box = Box()
    server = Controller(box, hostname="127.0.0.1", port=free_port())
    server.start()
    port = server.server.sockets[0].getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ, "HOME": folder, "XDG_DATA_HOME": folder, "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder,
            "XDG_CACHE_HOME": folder, "CHIRP_HUB_REGISTRATION": "open", "CHIRP_HUB_MAIL_HOST": "127.0.0.1",
            "CHIRP_HUB_MAIL_PORT": str(port),
        }
        program = os.environ["CHIRP_PROGRAM"]
        hub = subprocess.Popen(
            [program, "serve", "--port", str(free_port()), "--json"], env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        try:
            url = json.loads(hub.stdout.readline())["url"]
            browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
            fields = {"email": "ann@example.org", "username": "ann", "password": "correct horse battery"}
            assert "Look into your mail" in submit(browser, url, "/signup", fields)
            sender, recipients, content = box.letters.get(timeout=20)
            assert recipients == ["ann@example.org"] and sender.startswith("chirp@"), (sender, recipients)
            letter = email.message_from_bytes(content, policy=email.policy.default)
            assert letter["To"] == "ann@example.org" and letter["Subject"] == "Confirm your address", letter
            assert not letter.defects and letter["Date"].datetime and letter["Message-ID"], letter.defects
            link = re.search(r"\S+/confirm\?token=\S+", letter.get_content()).group(0)
            page = urllib.parse.urlsplit(link)
            submit(browser, url, f"{page.path}?{page.query}", {})
            # The browser that signed up is let in by it.
            with browser.open(url + "/settings") as answer:
                assert answer.geturl() == url + "/settings", f"the address is not confirmed: {answer.geturl()}"
            assert not os.path.exists(os.path.join(folder, "chirp", "hub", "mail")), "letters are also in the folder"
            checks = subprocess.run([program, "doctor", "--json"], env=environment, stdout=subprocess.PIPE, text=True)
            mail = [check for check in json.loads(checks.stdout)["checks"] if "mail" in check.values()]
            assert mail and mail[0]["level"] == "ok", checks.stdout
        finally:
            hub.terminate()
            hub.wait()
            server.stop()
    print("mail: a letter arrived, was read and confirmed an address")


main()
