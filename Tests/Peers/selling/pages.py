"""Payment pages over localstripe, which has none: a session for buying, holding or keeping a card becomes localstripe's own customers, cards
and intents when its page is sent, and its sums, states and messages are localstripe's. Everything else that is asked goes through to it.

Three more things of the real service that it lacks are here: the same key is the same answer, payments are listed by customer, and pages
tell that they were completed."""

import hashlib
import hmac
import http.server
import json
import threading
import time
import urllib.error
import urllib.parse
import urllib.request


class Pages:
    """`localstripe` is its address, `tell` takes the content and the signature of a message."""

    def __init__(self, localstripe, key, secret, tell):
        self.localstripe, self.key, self.secret, self.tell = localstripe, key, secret, tell
        self.lock, self.sessions, self.answers = threading.RLock(), {}, {}
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()

    def call(self, method, path, fields=None):
        """Asks localstripe: gives its status and what it says."""
        content = urllib.parse.urlencode(fields).encode() if fields is not None else None
        request = urllib.request.Request(
            self.localstripe + path, content, {"Authorization": f"Bearer {self.key}"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or b"{}")

    def made(self, path, **fields):
        status, thing = self.call("POST", path, fields)
        assert status == 200, (path, status, thing)
        return thing

    # What buyers do.

    def press(self, address, number="4242424242424242"):
        """A page is filled in with a card and sent; says whether that was taken."""
        with self.lock:
            session = self.sessions[address.rsplit("/", 1)[1]]
            assert session["status"] == "open", session
            customer = session["customer"] or self.made("/v1/customers", **{"metadata[of]": session["id"]})["id"]
            card = self.made("/v1/payment_methods", **{
                "type": "card", "card[number]": number, "card[exp_month]": "12", "card[exp_year]": "2040", "card[cvc]": "123"})
            status, _ = self.call("POST", f"/v1/payment_methods/{card['id']}/attach", {"customer": customer})
            if status != 200:
                return False
            if session["mode"] == "setup":
                setup = self.made("/v1/setup_intents", customer=customer, **{"metadata[order]": session["metadata"]["order"]})
                self.made(f"/v1/setup_intents/{setup['id']}/confirm", payment_method=card["id"])
                session["setup_intent"] = setup["id"]
            else:
                status, intent = self.call("POST", "/v1/payment_intents", {
                    "amount": session["amount_total"], "currency": session["currency"], "customer": customer,
                    "payment_method": card["id"], "confirm": "true", "capture_method": session["capture"],
                    "metadata[order]": session["metadata"]["order"]})
                if status != 200:
                    return False
                session["payment_intent"] = intent["id"]
                session["payment_status"] = "paid" if intent["status"] == "succeeded" else "unpaid"
            session.update(customer=customer, status="complete", url=None)
            event = {
                "id": f"evt_{session['id']}", "object": "event", "type": "checkout.session.completed",
                "data": {"object": session}}
        content, now = json.dumps(event).encode(), int(time.time())
        code = hmac.new(self.secret.encode(), f"{now}.".encode() + content, hashlib.sha256).hexdigest()
        self.tell(content, f"t={now},v1={code}")
        return True

    # What the hub asks.

    def answer(self, method, path, query, fields):
        words = path.strip("/").split("/")
        match (method, *words):
            case ("POST", "v1", "checkout", "sessions"):
                return 200, self.open(fields)
            case ("GET", "v1", "checkout", "sessions", id) if id in self.sessions:
                return 200, self.whole(self.sessions[id])
            case ("POST", "v1", "checkout", "sessions", id, "expire") if id in self.sessions:
                if self.sessions[id]["status"] != "open":
                    return 400, {"error": {"type": "invalid_request_error"}}
                self.sessions[id].update(status="expired", url=None)
                return 200, self.sessions[id]
            case ("GET", "v1", "payment_intents"):
                status, found = self.call("GET", "/v1/payment_intents?limit=100")
                wanted = dict(urllib.parse.parse_qsl(query)).get("customer")
                found["data"] = [one for one in found.get("data", []) if one["customer"] == wanted]
                return status, found
        return self.call(method, path + (f"?{query}" if query else ""), fields if method == "POST" else None)

    def open(self, fields):
        until, mode = int(fields["expires_at"]), fields["mode"]
        assert time.time() + 1800 <= until <= time.time() + 86_400, "a page lives from half an hour to a day"
        id = f"cs_test_{len(self.sessions) + 1}"
        session = {
            "id": id, "object": "checkout.session", "mode": mode, "status": "open", "payment_status": "unpaid",
            "url": f"{self.base}/pay/{id}", "metadata": {"order": fields["metadata[order]"]}, "customer": fields.get("customer"),
            "payment_intent": None, "setup_intent": None, "expires_at": until}
        if mode == "payment":
            session["amount_total"] = int(fields["line_items[0][price_data][unit_amount]"])
            session["currency"] = fields["line_items[0][price_data][currency]"]
            session["capture"] = fields.get("payment_intent_data[capture_method]", "automatic")
        self.sessions[id] = session
        return session

    def whole(self, session):
        """With its intents as localstripe has them now."""
        session = dict(session)
        for name in ["payment_intent", "setup_intent"]:
            if session[name]:
                session[name] = self.call("GET", f"/v1/{name}s/{session[name]}")[1]
        return session

    def once(self, method, path, query, body, key):
        with self.lock:
            if key and key in self.answers:
                known, answer = self.answers[key]
                return answer if known == (path, body) else (400, {"error": {"type": "idempotency_error"}})
            answer = self.answer(method, path, query, dict(urllib.parse.parse_qsl(body)))
            if key:
                self.answers[key] = ((path, body), answer)
            return answer

    def handler(pages):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def take(self):
                path, _, query = self.path.partition("?")
                body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                status, thing = 401, {"error": {"type": "invalid_request_error"}}
                if self.headers.get("Authorization") == f"Bearer {pages.key}":
                    status, thing = pages.once(self.command, path, query, body, self.headers.get("Idempotency-Key"))
                content = json.dumps(thing).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = take

            def log_message(self, *_):
                pass

        return Handler
