"""Checks that a hub's feeds reach who has subscribed to them at a WebSub hub that was not written here (Flask-WebSub): the feed names
the hub and itself, somebody subscribes there, a clip is published, the hub is told, fetches the feed and hands it on, signed.

Usage: websub.py ADDRESSES; the addresses are not used, the program is what CHIRP_PROGRAM names. Both hubs have names and addresses as on the
Internet, so all of it runs in a network of its own (`unshare`), which nothing leaves; where the system gives none, it says so.
"""

import hashlib
import hmac
import http.server
import logging
import math
import os
import queue
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import wave

CLIPS, HUB, ADDRESS = "clips.example.org", "websub.example.net", "93.184.216.34"
TITLE, SECRET, CALLBACK = "Rain & <b>wind</b>", "between hub and subscriber", 8077
AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt"


def enter():
    """Goes on in a network and a view of the files of its own."""
    if os.environ.get("CHIRP_WEBSUB_INSIDE"):
        return
    unshare = ["unshare", "-mn"] if os.geteuid() == 0 else ["unshare", "-rmn"]
    if subprocess.run(unshare + ["true"], capture_output=True).returncode:
        print("websub: not checked, since this system gives no network of one's own (unshare)")
        sys.exit()
    os.environ["CHIRP_WEBSUB_INSIDE"] = "1"
    os.execvp(unshare[0], unshare + [sys.executable] + sys.argv)


def run(*words):
    subprocess.run(words, check=True, capture_output=True)


def furnish(folder):
    """Names, addresses, and an authority that all programs trust."""
    run("ip", "link", "set", "lo", "up")
    run("ip", "address", "add", f"{ADDRESS}/32", "dev", "lo")
    with open(f"{folder}/hosts", "w") as hosts:
        hosts.write(f"127.0.0.1 localhost\n{ADDRESS} {CLIPS} {HUB}\n")
    request = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    run(*request, "-subj", "/CN=Tests", "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem", "-addext",
        f"subjectAltName=DNS:{CLIPS},DNS:{HUB}")
    run("mount", "--bind", f"{folder}/hosts", "/etc/hosts")
    run("mount", "--bind", f"{folder}/cert.pem", AUTHORITIES)


def websub_hub(folder):
    import celery
    import flask
    import flask_websub.hub
    import werkzeug.serving

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    worker = celery.Celery("hub")
    # What is to be done is done at once, and what goes wrong with it is heard.
    worker.conf.task_always_eager = worker.conf.task_eager_propagates = True
    storage = flask_websub.hub.SQLite3HubStorage(f"{folder}/websub.sqlite")
    hub = flask_websub.hub.Hub(storage, worker, REQUEST_TIMEOUT=10)
    application = flask.Flask("hub")
    application.config["PUBLISH_SUPPORTED"] = True
    application.register_blueprint(hub.build_blueprint(url_prefix="/hub"))
    asked = []

    @application.after_request
    def note(response):
        asked.append((dict(flask.request.form), response.status_code))
        return response

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/cert.pem", f"{folder}/key.pem")
    server = werkzeug.serving.make_server(ADDRESS, 8443, application, threaded=True, ssl_context=context)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return asked


class Subscriber(http.server.BaseHTTPRequestHandler):
    """Says yes to what it has asked for, and keeps what it is told."""
    told = queue.Queue()

    def do_GET(self):
        challenge = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)["hub.challenge"][0].encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(challenge)))
        self.end_headers()
        self.wfile.write(challenge)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.told.put((self.headers, body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *words):
        pass


def record(path):
    with wave.open(path, "wb") as file:
        file.setparams((1, 2, 16000, 0, "NONE", ""))
        file.writeframes(b"".join(struct.pack("<h", int(9000 * math.sin(n / 12))) for n in range(16000)))


def answers():
    try:
        socket.create_connection((ADDRESS, 443), 1).close()
        return True
    except OSError:
        return False


def check(folder):
    import feedparser
    import requests

    asked = websub_hub(folder)
    listener = http.server.ThreadingHTTPServer(("127.0.0.1", CALLBACK), Subscriber)
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CHIRP_")}
    environment |= {f"XDG_{name}_HOME": os.path.join(folder, name) for name in ["CONFIG", "DATA", "STATE", "CACHE"]}
    environment |= {
        "HOME": folder, "CHIRP_HUB_PUBLIC_URL": f"https://{CLIPS}", "CHIRP_HUB_BIND": ADDRESS, "CHIRP_HUB_PORT": "443",
        "CHIRP_HUB_TLS_CERTIFICATE": f"{folder}/cert.pem", "CHIRP_HUB_TLS_KEY": f"{folder}/key.pem",
        "CHIRP_HUB_WEB_SUB_HUB": f"https://{HUB}:8443/hub",
    }
    chirp = os.environ["CHIRP_PROGRAM"]
    log = open(f"{folder}/log", "w+b")
    served = subprocess.Popen([chirp, "serve"], env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        end = time.monotonic() + 60
        while not answers():
            assert served.poll() is None and time.monotonic() < end, "the hub does not answer"
            time.sleep(0.1)
        # Found as programs find it.
        links = requests.get(f"https://{CLIPS}/feed.xml", timeout=20).links
        topic, hub = links["self"]["url"], links["hub"]["url"]
        assert topic == f"https://{CLIPS}/feed.xml" and hub == f"https://{HUB}:8443/hub", links
        wish = {"hub.mode": "subscribe", "hub.topic": topic, "hub.callback": f"http://127.0.0.1:{CALLBACK}/", "hub.secret": SECRET}
        answer = requests.post(hub, data=wish, timeout=20)
        assert answer.status_code == 202, answer.text
        assert Subscriber.told.empty()
        record(f"{folder}/take.wav")
        begin = time.monotonic()
        subprocess.run([chirp, "publish", f"{folder}/take.wav", "--title", TITLE], env=environment, check=True, capture_output=True)
        headers, body = Subscriber.told.get(timeout=60)
        seconds = time.monotonic() - begin
        method, signature = headers["X-Hub-Signature"].split("=")
        assert hmac.new(SECRET.encode(), body, getattr(hashlib, method)).hexdigest() == signature, headers
        assert 'rel="hub"' in headers["Link"] and 'rel="self"' in headers["Link"], headers
        feed = feedparser.parse(body)
        assert not feed.bozo and [entry.title for entry in feed.entries] == [TITLE], feed
        # Everybody's feeds and the owner's, in both forms, each once.
        end = time.monotonic() + 30
        while sum(form.get("hub.mode") == "publish" for form, _ in asked) < 4 and time.monotonic() < end:
            time.sleep(0.1)
        told = [form["hub.topic"] for form, status in asked if form["hub.mode"] == "publish" and status == 202]
        names = {f"https://{CLIPS}{path}" for path in ["/feed.xml", "/feed.json", "/@me/feed.xml", "/@me/feed.json"]}
        assert set(told) == names and len(told) == 4, asked
        print(f"websub: Flask-WebSub told a subscriber of a clip {seconds:.1f} s after it was published; 4 feeds announced, each once")
    finally:
        served.terminate()
        served.wait()
        listener.shutdown()
        log.close()


def main():
    enter()
    with tempfile.TemporaryDirectory() as folder:
        furnish(folder)
        os.environ["REQUESTS_CA_BUNDLE"] = AUTHORITIES
        check(folder)


main()
