"""A service for payments by card on 127.0.0.1, as slow as it is told to be: pages on which something is paid, payments, refunds
(docs.stripe.com/api), and signed messages that come three times, in any order, late, or never. Its money is nobody's."""

import hashlib
import heapq
import hmac
import http.client
import http.server
import itertools
import json
import random
import threading
import time
import urllib.parse

KEY, SECRET = "sk_test_races", "whsec_races"


class Refused(Exception):
    def __init__(self, code, status=400):
        super().__init__(code)
        self.code, self.status = code, status


class Cards:
    # How often each message is sent, and which share of them is lost.
    COPIES, LOST = 3, 0.05

    def __init__(self, hub_port=None, delay=(0.01, 0.1)):
        self.hub_port, self.delay = hub_port, delay
        self.lock = threading.RLock()
        self.objects, self.answers, self.count = {}, {}, itertools.count(1)
        self.dice = random.Random(1)
        self.coming, self.wake, self.is_over = [], threading.Condition(), False
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.server.daemon_threads = True
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.threads = [threading.Thread(target=self.server.serve_forever, daemon=True)]
        self.threads += [threading.Thread(target=self.send, daemon=True) for _ in range(3)]
        for thread in self.threads:
            thread.start()

    @property
    def settings(self):
        """Of a hub whose owner is paid here."""
        return {
            "CHIRP_HUB_PAYMENTS": "stripe", "CHIRP_HUB_STRIPE_KEY": KEY, "CHIRP_HUB_STRIPE_WEBHOOK_SECRET": SECRET,
            "CHIRP_HUB_STRIPE_API": self.base}

    def end(self):
        with self.wake:
            self.is_over = True
            self.wake.notify_all()
        self.server.shutdown()
        self.server.server_close()

    # What buyers do.

    def pay(self, address):
        """A page is filled in and sent; says whether that was taken."""
        with self.lock:
            session = self.objects[address.split("/")[-1]]
            if session["status"] != "open" or session["expires_at"] <= time.time():
                return False
            charge = self.make("ch", "charge", refunded=False, disputed=False)
            intent = self.make(
                "pi", "payment_intent", status="succeeded", amount=session["amount_total"],
                amount_received=session["amount_total"], amount_capturable=0, currency=session["currency"],
                metadata=session["metadata"], customer=None, payment_method=None, latest_charge=charge)
            charge["payment_intent"], charge["metadata"] = intent["id"], session["metadata"]
            session.update(status="complete", payment_status="paid", payment_intent=intent, url=None)
            self.tell("payment_intent.succeeded", intent)
            self.tell("checkout.session.completed", session)
            return True

    def of(self, order):
        """What was paid for an order, and what of it went back."""
        with self.lock:
            intents = [
                one for one in self.objects.values()
                if one["object"] == "payment_intent" and one["metadata"].get("order") == order]
            return sum(one["amount"] for one in intents), sum(
                one["amount"] for one in intents if one["latest_charge"]["refunded"])

    # What it keeps.

    def make(self, prefix, kind, **fields):
        one = {"id": f"{prefix}_{next(self.count)}", "object": kind} | fields
        self.objects[one["id"]] = one
        return one

    def act(self, method, path, fields):
        words = path.strip("/").split("/")
        match (method, *words):
            case ("POST", "v1", "checkout", "sessions"):
                return self.open(fields)
            case ("GET", "v1", "checkout", "sessions", id) | ("GET", "v1", "payment_intents", id):
                if id not in self.objects:
                    raise Refused("resource_missing", 404)
                return self.objects[id]
            case ("POST", "v1", "checkout", "sessions", id, "expire"):
                session = self.objects[id]
                if session["status"] != "open":
                    raise Refused("invalid")
                session.update(status="expired", url=None)
                self.tell("checkout.session.expired", session)
                return session
            case ("POST", "v1", "refunds"):
                intent = self.objects[fields["payment_intent"]]
                charge = intent["latest_charge"]
                if charge["refunded"]:
                    raise Refused("charge_already_refunded")
                charge["refunded"] = True
                self.tell("charge.refunded", charge)
                return self.make("re", "refund", status="succeeded", amount=intent["amount"], currency=intent["currency"])
            case ("GET", "v1", "disputes"):
                return {"object": "list", "data": []}
        raise Refused("unknown", 404)

    def open(self, fields):
        until = int(fields["expires_at"])
        if fields["mode"] != "payment" or not time.time() + 1800 <= until <= time.time() + 86_400:
            raise Refused("parameter_invalid")
        session = self.make(
            "cs_test", "checkout.session", mode="payment", status="open", payment_status="unpaid", expires_at=until,
            amount_total=int(fields["line_items[0][price_data][unit_amount]"]),
            currency=fields["line_items[0][price_data][currency]"], payment_intent=None, setup_intent=None, customer=None,
            metadata={"order": fields["metadata[order]"]})
        session["url"] = f"{self.base}/pay/{session['id']}"
        return session

    def once(self, method, path, fields, key):
        """The same key is the same answer, and another question under it is a fault."""
        with self.lock:
            question = (path, tuple(sorted(fields.items())))
            if key and key in self.answers:
                known, answer = self.answers[key]
                return answer if known == question else (400, {"error": {"type": "idempotency_error"}})
            try:
                answer = (200, json.loads(json.dumps(self.act(method, path, fields))))
            except Refused as refusal:
                answer = (refusal.status, {"error": {"type": "invalid_request_error", "code": refusal.code}})
            except KeyError as error:
                answer = (400, {"error": {"type": "invalid_request_error", "code": f"missing {error}"}})
            if key:
                self.answers[key] = (question, answer)
            return answer

    def handler(cards):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def answer(self):
                path, _, query = self.path.partition("?")
                body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                fields = dict(urllib.parse.parse_qsl(body or query))
                if self.headers.get("Authorization") != f"Bearer {KEY}":
                    status, content = 401, {"error": {"type": "invalid_request_error"}}
                else:
                    # Half of the time it takes is before it has done anything, half before its answer is there.
                    wait = cards.dice.uniform(*cards.delay) / 2
                    time.sleep(wait)
                    status, content = cards.once(self.command, path, fields, self.headers.get("Idempotency-Key"))
                    time.sleep(wait)
                content = json.dumps(content).encode()
                try:
                    self.send_response(status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content)
                except OSError:
                    # Who has asked is dead.
                    self.close_connection = True

            do_GET = do_POST = answer

            def handle(self):
                try:
                    super().handle()
                except OSError:
                    pass

            def log_message(self, *_):
                pass

        return Handler

    # What it tells.

    def tell(self, kind, thing):
        # A message says a part of an object by its name.
        thing = {name: value["id"] if isinstance(value, dict) and "id" in value else value for name, value in thing.items()}
        text = json.dumps({"id": f"evt_{next(self.count)}", "object": "event", "type": kind, "data": {"object": thing}})
        if self.dice.random() < self.LOST:
            return
        with self.wake:
            for _ in range(self.COPIES):
                heapq.heappush(self.coming, (time.monotonic() + self.dice.uniform(0, 0.3), next(self.count), 0, text))
            self.wake.notify_all()

    def send(self):
        while True:
            with self.wake:
                while not self.is_over and (not self.coming or self.coming[0][0] > time.monotonic()):
                    self.wake.wait(self.coming[0][0] - time.monotonic() if self.coming else None)
                if self.is_over:
                    return
                _, number, tries, text = heapq.heappop(self.coming)
            if self.deliver(text) or tries > 20:
                continue
            with self.wake:
                heapq.heappush(self.coming, (time.monotonic() + 0.3, number, tries + 1, text))

    def deliver(self, text):
        now = int(time.time())
        code = hmac.new(SECRET.encode(), f"{now}.{text}".encode(), hashlib.sha256).hexdigest()
        connection = http.client.HTTPConnection("127.0.0.1", self.hub_port, timeout=30)
        try:
            connection.request(
                "POST", "/api/hub/v1/payments/stripe", text.encode(),
                {"Content-Type": "application/json", "Stripe-Signature": f"t={now},v1={code}"})
            return connection.getresponse().status == 204
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()
