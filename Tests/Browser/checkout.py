"""A payment service on 127.0.0.1 that speaks as Stripe does (docs.stripe.com/api): payment pages, payments that are taken or held, cards that
are kept, idempotency keys, and messages, each signed and sent twice, since that is what happens. Others connect accounts of their own, each with
objects, money and messages apart (docs.stripe.com/connect). Its money is nobody's."""

import contextlib
import hashlib
import hmac
import html
import http.server
import itertools
import json
import secrets
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

KEY = "sk_test_walk"
HOOK = "/api/hub/v1/payments/stripe"


def nested(pairs):
    """Fields of a form as `a[b]=c` makes them."""
    found = {}
    for name, value in pairs:
        *outer, last = [part.rstrip("]") for part in name.split("[")]
        place = found
        for part in outer:
            place = place.setdefault(part, {})
        place[last] = value
    return found


class Refused(Exception):
    """What a call is answered with instead."""

    def __init__(self, status, code):
        super().__init__(code)
        self.status, self.code = status, code


class CardService:
    """`settings` are what a hub is told of it; `hub` is told what happens, once there is one. `delay` is how many seconds it thinks first."""

    def __init__(self):
        self.secret, self.delay, self.hub = f"whsec_{secrets.token_hex(12)}", 0, None
        # Of the messages of connected accounts.
        self.connect_secret = f"whsec_{secrets.token_hex(12)}"
        self.objects, self.answers, self.numbers, self.lock = {}, {}, itertools.count(1), threading.RLock()
        # What each account has received, in the smallest unit; the key's own has no name. Whose objects are, whose are asked for, and pages that are open.
        self.received, self.owners, self.asker, self.links = {}, {}, "", {}
        self.asked, self.busy = [], 0
        # It tells nobody of anything.
        self.is_silent = False
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                # Browsers ask for it by themselves, and say so when there is none.
                if self.path == "/favicon.ico":
                    self.send_response(204)
                    self.end_headers()
                    return
                service.serve(self, "GET")

            def do_POST(self):
                service.serve(self, "POST")

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.settings = {
            "CHIRP_HUB_PAYMENTS": "stripe", "CHIRP_HUB_STRIPE_API": self.url, "CHIRP_HUB_STRIPE_KEY": KEY,
            "CHIRP_HUB_STRIPE_WEBHOOK_SECRET": self.secret,
        }
        # Only where others are to connect accounts.
        self.connecting = {"CHIRP_HUB_STRIPE_CONNECT_SECRET": self.connect_secret}
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def balance(self):
        return self.received.get("", 0)

    def end(self):
        self.server.shutdown()
        self.server.server_close()

    # HTTP

    def serve(self, handler, method):
        address = urllib.parse.urlsplit(handler.path)
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0)).decode()
        words = address.path.strip("/").split("/")
        if words[0] == "pay" and len(words) == 2:
            return self.page(handler, method, words[1], dict(urllib.parse.parse_qsl(body)))
        if words[0] == "connect" and len(words) == 2:
            return self.filled(handler, method, words[1])
        if words[0] != "v1" or handler.headers.get("Authorization") != f"Bearer {KEY}":
            return self.answer(handler, 404 if words[0] != "v1" else 401, "text/plain", "")
        self.asked.append(f"{method} {address.path}")
        self.busy += 1
        time.sleep(self.delay)
        pairs = urllib.parse.parse_qsl(body if method == "POST" else address.query, keep_blank_values=True)
        parts = [value for name, value in pairs if name.startswith("expand")]
        form = nested(pair for pair in pairs if not pair[0].startswith("expand"))
        with self.lock:
            self.asker = handler.headers.get("Stripe-Account", "")
            try:
                status, told = 200, self.whole(self.once(handler.headers.get("Idempotency-Key"), method, words[1:], form, body), parts)
            except Refused as error:
                status, told = error.status, {"error": {"type": "invalid_request_error", "code": error.code}}
        self.busy -= 1
        # Whoever has asked may be gone by now.
        with contextlib.suppress(OSError):
            self.answer(handler, status, "application/json", json.dumps(told))
        return None

    @staticmethod
    def answer(handler, status, kind, body, **headers):
        body = body.encode()
        handler.send_response(status)
        for name, value in ({"Content-Type": kind, "Content-Length": str(len(body))} | headers).items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    # What it is asked

    def once(self, key, method, words, form, body):
        """The same key is the same object, and another question under it is a fault (docs.stripe.com/api/idempotent_requests)."""
        if method != "POST" or key is None:
            return self.act(method, words, form)
        question = (tuple(words), body)
        if key not in self.answers:
            self.answers[key] = (question, self.act(method, words, form))
        if self.answers[key][0] != question:
            raise Refused(400, "idempotency_error")
        return self.answers[key][1]

    def act(self, method, words, form):
        match method, *words:
            case "POST", "accounts":
                made = self.made("acct", "account", charges_enabled=False, metadata=form.get("metadata", {}))
                self.owners[made["id"]] = made["id"]
                return made
            case "GET", "accounts", id:
                if self.objects.get(id, {}).get("object") != "account":
                    raise Refused(403, "account_invalid")
                return self.objects[id]
            case "POST", "account_links":
                name = secrets.token_hex(12)
                self.links[name] = form
                return {"object": "account_link", "url": f"{self.url}/connect/{name}"}
            case "POST", "customers":
                return self.made("cus", "customer", metadata=form.get("metadata", {}))
            case "POST", "checkout", "sessions":
                return self.session(form)
            case "POST", "checkout", "sessions", id, "expire":
                return self.turn(self.known(id), "open", "expired", "checkout.session.expired", url=None)
            case "GET", "checkout", "sessions", id:
                return self.known(id)
            case "GET", ("payment_intents" | "refunds"), id:
                return self.known(id)
            case "GET", ("payment_intents" | "disputes"):
                kind = words[0][:-1]
                found = [
                    one for id, one in self.objects.items()
                    if one["object"] == kind and self.owners[id] == self.asker and one.get("customer") == form.get("customer")]
                return {"object": "list", "data": found, "has_more": False}
            case "POST", "payment_intents", id, "capture":
                return self.take(self.turn(self.known(id), "requires_capture", "succeeded"))
            case "POST", "payment_intents", id, "cancel":
                return self.turn(self.known(id), "requires_capture", "canceled", "payment_intent.canceled")
            case "POST", "payment_methods", id, "detach":
                return self.known(id)
            case "POST", "refunds":
                return self.refund(self.known(form["payment_intent"]), form)
        raise Refused(404, "resource_missing")

    def session(self, form):
        item = form.get("line_items", {}).get("0", {}).get("price_data", {})
        more = form.get("payment_intent_data" if form["mode"] == "payment" else "setup_intent_data", {})
        made = self.made(
            "cs_test", "checkout.session", mode=form["mode"], status="open", payment_status="unpaid", metadata=form["metadata"],
            success_url=form["success_url"], cancel_url=form["cancel_url"], amount_total=int(item.get("unit_amount", 0)),
            currency=item.get("currency", form.get("currency")), title=item.get("product_data", {}).get("name", "Card"),
            capture_method=more.get("capture_method", "automatic"), intent_metadata=more.get("metadata", {}), customer=form.get("customer"))
        made["url"] = f"{self.url}/pay/{made['id']}"
        return made

    def refund(self, intent, form):
        charge = self.objects[intent["latest_charge"]]
        if charge["refunded"]:
            raise Refused(400, "charge_already_refunded")
        charge["refunded"] = True
        self.move(intent, -intent["amount"])
        self.tell("charge.refunded", charge)
        return self.made("re", "refund", amount=intent["amount"], currency=intent["currency"], status="succeeded", metadata=form.get("metadata", {}))

    # What it keeps

    def made(self, prefix, kind, **fields):
        id = f"{prefix}_{next(self.numbers)}"
        self.objects[id] = {"id": id, "object": kind, "created": int(time.time())} | fields
        self.owners[id] = self.asker
        return self.objects[id]

    def known(self, id):
        if self.owners.get(id) != self.asker:
            raise Refused(404, "resource_missing")
        return self.objects[id]

    def turn(self, one, old, new, event=None, **more):
        if one["status"] != old:
            raise Refused(400, "unexpected_state")
        one |= {"status": new} | more
        if event:
            self.tell(event, one)
        return one

    def whole(self, one, parts):
        """As it is answered, with those parts whole that were asked for."""
        if one["object"] == "list":
            return one | {"data": [self.whole(each, [part.removeprefix("data.") for part in parts]) for each in one["data"]]}
        told = dict(one)
        for part in parts:
            first, _, rest = part.partition(".")
            if told.get(first) in self.objects:
                told[first] = self.whole(self.objects[told[first]], [rest] if rest else [])
        return told

    def take(self, intent):
        """The money moves."""
        intent |= {"status": "succeeded", "amount_received": intent["amount"], "amount_capturable": 0}
        self.move(intent, intent["amount"])
        self.tell("payment_intent.succeeded", intent)
        return intent

    def move(self, intent, amount):
        owner = self.owners[intent["id"]]
        self.received[owner] = self.received.get(owner, 0) + amount

    # What sellers do

    def filled(self, handler, method, name):
        """The pages on which somebody fills in her account: they open once."""
        with self.lock:
            link = self.links.pop(name, None) if method == "POST" else self.links.get(name)
            if link is None:
                return self.answer(handler, 404, "text/plain", "")
            if method == "POST":
                self.charge(link["account"], True)
                return self.answer(handler, 303, "text/plain", "", Location=link["return_url"])
        return self.answer(handler, 200, "text/html; charset=utf-8", """<!doctype html><html lang=en><meta name=viewport content="width=device-width">
            <title>Your account</title><h1>Your account</h1><form method=post><p><button>Fill in</button></p></form>""")

    def charge(self, account, may):
        """It decides that an account may be charged, or may not."""
        self.objects[account]["charges_enabled"] = may
        self.tell("account.updated", self.objects[account])

    # What buyers do

    def page(self, handler, method, id, form):
        with self.lock:
            session = self.objects.get(id)
            if session is None:
                return self.answer(handler, 404, "text/plain", "")
            if method == "POST":
                self.asker = self.owners[id]
                target = session["cancel_url"] if "leave" in form else self.pay(session)
                return self.answer(handler, 303, "text/plain", "", Location=target)
        amount = f"{session['amount_total'] / 100:.2f} {session['currency'].upper()}"
        return self.answer(handler, 200, "text/html; charset=utf-8", f"""<!doctype html><html lang=en><meta name=viewport content="width=device-width">
            <title>Payment</title><h1>{html.escape(session['title'])}</h1><p>{amount}</p>
            <form method=post><p><button>Pay</button> <button name=leave value=yes>Leave</button></p></form>""")

    def pay(self, session):
        """A buyer pays, lets her money be held, or leaves her card, with a card that is good. Twice is once."""
        if session["status"] == "open":
            customer = session["customer"] or self.made("cus", "customer")["id"]
            card = self.made("pm", "payment_method", customer=customer)["id"]
            if session["mode"] == "setup":
                setup = self.made("seti", "setup_intent", status="succeeded", payment_method=card, metadata=session["intent_metadata"])
                session["setup_intent"] = setup["id"]
            else:
                intent = self.made(
                    "pi", "payment_intent", amount=session["amount_total"], amount_received=0, currency=session["currency"],
                    metadata=session["intent_metadata"], customer=customer, payment_method=card, status="requires_capture",
                    amount_capturable=session["amount_total"])
                charge = self.made("ch", "charge", payment_intent=intent["id"], refunded=False, disputed=False, metadata=intent["metadata"])
                intent["latest_charge"], session["payment_intent"] = charge["id"], intent["id"]
                if session["capture_method"] == "manual":
                    self.tell("payment_intent.amount_capturable_updated", intent)
                else:
                    self.take(intent)
                    session["payment_status"] = "paid"
            session |= {"status": "complete", "customer": customer}
            self.tell("checkout.session.completed", session)
        return session["success_url"]

    # What it tells

    def tell(self, kind, one):
        account = self.owners[one["id"]]
        event = {"id": f"evt_{next(self.numbers)}", "object": "event", "type": kind, "created": int(time.time()), "data": {"object": one}}
        event = json.dumps(event | ({"account": account} if account else {}))
        if not self.is_silent:
            threading.Thread(target=self.send, args=(event, self.connect_secret if account else self.secret), daemon=True).start()

    def send(self, event, secret):
        """Until it was taken twice; not for ever."""
        taken, end = 0, time.monotonic() + 60
        while taken < 2 and time.monotonic() < end:
            now = int(time.time())
            code = hmac.new(secret.encode(), f"{now}.{event}".encode(), hashlib.sha256).hexdigest()
            request = urllib.request.Request(
                (self.hub.url if self.hub else self.url) + HOOK, event.encode(), {"Stripe-Signature": f"t={now},v1={code}", "Content-Type": "application/json"})
            try:
                with urllib.request.urlopen(request, timeout=20) as answer:
                    taken += answer.status == 204
            except (urllib.error.URLError, OSError):
                time.sleep(0.3)
