"""Checks payments with the official library for Stripe and with localstripe: which signatures are believed, whether the loopback service is
what that library expects, and whether cards are charged, holds taken and let go, and payments given back at a service that was not written
here.

Usage: stripe_orders.py ADDRESSES, a file with the JSON that `loopback serve` prints. CHIRP_LOOPBACK names that program.
"""

import hashlib
import hmac
import http.server
import json
import os
import queue
import random
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from unittest import mock

import stripe

LOOPBACK = os.environ.get("CHIRP_LOOPBACK", ".build/release/loopback")
KEY = "sk_test_12345"
NOW = 1_800_000_000


class Verifier:
    """The project's own check of signatures."""

    def __init__(self):
        self.process = subprocess.Popen([LOOPBACK, "verify"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def believes(self, header, body, secrets, now):
        question = {"header": header, "body": body, "secrets": secrets, "now": now}
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip() == "yes"

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=10)


def library_believes(header, body, secrets, now):
    """The library knows one secret at a time."""
    for secret in secrets:
        try:
            with mock.patch("time.time", lambda: now):
                stripe.Webhook.construct_event(body, header, secret)
            return True
        except (stripe.SignatureVerificationError, ValueError, TypeError):
            pass
    return False


def code(body, secret, at):
    return hmac.new(secret.encode(), f"{at}.{body}".encode(), hashlib.sha256).hexdigest()


def mutated(chance, header):
    """The header with one to three changes, or none."""
    alphabet = "0123456789abcdefABCDEFtv=, _+-\t.;"
    for _ in range(chance.choice([0, 1, 1, 1, 2, 3])):
        place = chance.randrange(len(header) + 1)
        match chance.randrange(8):
            case 0:
                header = header[:place] + chance.choice(alphabet) + header[place:]
            case 1:
                header = header[:place] + header[place + 1:]
            case 2:
                header = header[:place] + chance.choice(alphabet) + header[place + 1:]
            case 3:
                header = ",".join(chance.sample(header.split(","), len(header.split(","))))
            case 4:
                header += "," + chance.choice(["v1=00", "v0=11", "t=1", "t=", "v1", "t", "", "v1=", "x=y=z"])
            case 5:
                header = chance.choice(["v1=00,", "v0=11,", "t=1,", " ", ",", "t= ", "v1,"]) + header
            case 6:
                header = header.replace("t=", chance.choice(["t= ", "t=+", "t=0", "t=-", "T=", "t=_", "t=1_", "t=="]), 1)
            case 7:
                header = header.replace("v1=", chance.choice(["v2=", "v1==", "V1=", "v1= ", "v1=x="]), 1)
    return header


def check_signatures():
    seed = int(os.environ.get("CHIRP_TEST_SEED", time.time_ns() // 1_000_000))
    chance = random.Random(seed)
    verifier = Verifier()
    believed = 0
    for _ in range(10_000):
        body = json.dumps({"id": "evt_1", "object": "event", "n": chance.randrange(1000), "text": chance.choice("aé€😀")})
        right, other = "whsec_" + str(chance.randrange(100)), "whsec_other"
        age = chance.choice([0, 0, 0, 1, 299, 300, 301, 1000, -5, -1000])
        at = NOW - age
        signer = chance.choice([right, right, right, other, "whsec_guessed"])
        header = f"t={at},v1={code(body, signer, at)}"
        if chance.random() < 0.3:
            header += f",v1={code(body, right, at)},v0=00"
        header = mutated(chance, header)
        secrets = chance.choice([[right], [right], [other, right], [""], [" "]])
        if chance.random() < 0.05:
            body += " "
        ours, theirs = verifier.believes(header, body, secrets, NOW), library_believes(header, body, secrets, NOW)
        assert ours == theirs, f"CHIRP_TEST_SEED={seed}: {header!r} {secrets} ours {ours}, theirs {theirs}"
        believed += ours
    verifier.close()
    assert 1000 < believed < 9000, believed
    print(f"signatures: 10,000 alike, {believed} believed")


def check_loopback(base):
    """The official client buys at the loopback service."""
    stripe.api_base, stripe.api_key = base, "sk_test_loopback"
    stripe.api_version, stripe.max_network_retries = "2024-06-20", 0
    fields = {
        "mode": "payment", "success_url": "https://hub.example.org/", "client_reference_id": "order",
        "metadata": {"order": "order"}, "payment_intent_data": {"metadata": {"order": "order"}},
        "line_items": [{"quantity": 1, "price_data": {
            "currency": "eur", "unit_amount": 1250, "product_data": {"name": "A beat"}}}],
    }
    first = stripe.checkout.Session.create(idempotency_key="key", **fields)
    again = stripe.checkout.Session.create(idempotency_key="key", **fields)
    assert first.id == again.id and first.amount_total == 1250 and first.status == "open"
    try:
        stripe.checkout.Session.create(idempotency_key="key", **{**fields, "client_reference_id": "other"})
        raise AssertionError("another question under the same key was answered")
    except stripe.IdempotencyError:
        pass
    # A browser would be sent to an address that is nobody's.
    request = urllib.request.Request(first.url, b"", method="POST")
    try:
        urllib.request.build_opener(Stays()).open(request, timeout=10)
    except urllib.error.HTTPError as error:
        assert error.code == 303, error.code
    paid = stripe.checkout.Session.retrieve(first.id, expand=["payment_intent.latest_charge"])
    assert paid.payment_status == "paid" and paid.payment_intent.latest_charge.paid
    refund = stripe.Refund.create(payment_intent=paid.payment_intent.id)
    assert refund.status == "succeeded" and refund.amount == 1250
    try:
        stripe.Refund.create(payment_intent=paid.payment_intent.id)
        raise AssertionError("a payment was given back twice")
    except stripe.InvalidRequestError as error:
        assert error.code == "charge_already_refunded", error.code
    print("loopback service: as the official client expects")


class Stays(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Hook(http.server.BaseHTTPRequestHandler):
    """Takes what localstripe tells."""

    taken = queue.Queue()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.taken.put((self.headers["Stripe-Signature"], body))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def call(base, path, fields):
    request = urllib.request.Request(base + path, urllib.parse.urlencode(fields).encode(), {"Authorization": f"Bearer {KEY}"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.loads(answer.read() or b"null")


def check_localstripe():
    with socket.socket(socket.AF_INET6) as one:
        one.bind(("::", 0))
        port = one.getsockname()[1]
    base = f"http://127.0.0.1:{port}"
    server = subprocess.Popen(
        [sys.executable, "-m", "localstripe", "--port", str(port), "--from-scratch"], stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    try:
        for _ in range(400):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        hook = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
        threading.Thread(target=hook.serve_forever, daemon=True).start()
        secret = "whsec_localstripe"
        call(base, "/_config/webhooks/hub", {"url": f"http://127.0.0.1:{hook.server_address[1]}/", "secret": secret})
        bids = subprocess.Popen(
            [LOOPBACK, "bids", base, KEY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        names = json.loads(bids.stdout.readline())
        customer = call(base, "/v1/customers", {"email": "buyer@example.org"})["id"]

        def card():
            method = call(base, "/v1/payment_methods", {
                "type": "card", "card[number]": "4242424242424242", "card[exp_month]": "12", "card[exp_year]": "2040",
                "card[cvc]": "123"})
            call(base, f"/v1/payment_methods/{method['id']}/attach", {"customer": customer})
            return method["id"]

        def hold(order):
            intent = call(base, "/v1/payment_intents", {
                "amount": "8000", "currency": "eur", "customer": customer, "payment_method": card(), "confirm": "true",
                "capture_method": "manual", "metadata[order]": order})
            assert intent["status"] == "requires_capture", intent["status"]
            return intent["id"]

        given = {"customer": customer, "card": card(), "hold": hold(names["hold"]), "lost": hold(names["lost"])}
        bids.stdin.write(json.dumps(given) + "\n")
        bids.stdin.flush()
        states = json.loads(bids.stdout.readline())
        assert bids.wait(timeout=20) == 0
        assert states == ["paid", "paid", "released", "refunded"], states
        check_hooks(secret)
    finally:
        server.terminate()
        server.wait(timeout=10)
    print("localstripe: charged, taken, let go, given back")


def check_hooks(secret):
    """What localstripe has signed is believed; it sends a second later."""
    verifier = Verifier()
    kinds = set()
    while "payment_intent.succeeded" not in kinds:
        header, body = Hook.taken.get(timeout=20)
        now = int(time.time())
        assert verifier.believes(header, body, [secret], now), header
        assert not verifier.believes(header, body, ["whsec_other"], now)
        kinds.add(json.loads(body)["type"])
    verifier.close()


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        addresses = json.load(file)
    check_signatures()
    check_loopback(addresses["stripe"])
    check_localstripe()
