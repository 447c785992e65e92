internal import ChirpCore
internal import ChirpHTTP
internal import Foundation
internal import Synchronization

extension LoopbackStripe {
    static func answer(_ request: LoopbackServer.Request, _ book: Book) -> LoopbackServer.Reply {
        book.state.withLock { state in
            if request.path.hasPrefix("/pay/") { return page(request, &state) }
            if request.path.hasPrefix("/connect/") { return pages(request, &state) }
            if request.path == "/messages" { return told(after: request.query["after"], state) }
            guard request.headers["Authorization"]?.hasPrefix("Bearer sk_") == true else {
                return failure(401, "invalid_request_error", "")
            }
            state.asker = request.headers["Stripe-Account"] ?? ""
            var lost: LoopbackServer.Reply?
            if let index = state.faults.firstIndex(where: { $0.path == request.path }) {
                let fault = state.faults.remove(at: index).reply
                guard fault.cutAfter == 0 else { return fault }
                lost = fault
            }
            let reply = kept(request, &state)
            return lost ?? reply
        }
    }

    /// The same key is the same answer, and another question under it is a fault (docs.stripe.com/api/idempotent_requests).
    private static func kept(_ request: LoopbackServer.Request, _ state: inout State) -> LoopbackServer.Reply {
        guard request.method == "POST", let key = request.headers["Idempotency-Key"] else {
            return act(request, &state)
        }
        let name = "\(request.headers["Stripe-Account"] ?? "") \(key)"
        let question = Array(request.path.utf8) + [10] + request.body
        if let known = state.answers[name] {
            return known.question == question ? known.reply : failure(400, "idempotency_error", "")
        }
        let reply = act(request, &state)
        state.answers[name] = (question, reply)
        return reply
    }

    static func failure(_ status: Int, _ type: String, _ code: String, decline: String = "") -> LoopbackServer.Reply {
        var error: [String: any Sendable] = ["type": type, "message": "refused"]
        if !code.isEmpty { error["code"] = code }
        if !decline.isEmpty { error["decline_code"] = decline }
        return .json(status, String(decoding: json(["error": error]), as: UTF8.self))
    }

    static func found(_ object: [String: any Sendable]) -> LoopbackServer.Reply {
        .json(200, String(decoding: json(object), as: UTF8.self))
    }

    private static func act(_ request: LoopbackServer.Request, _ state: inout State) -> LoopbackServer.Reply {
        let words = request.path.split(separator: "/").map(String.init)
        guard words.count >= 2, words[0] == "v1" else { return failure(404, "invalid_request_error", "") }
        let text = String(decoding: request.body, as: UTF8.self)
        let pairs = PercentEncoding.fields(of: text)
        let queries = request.query.filter { $0.key.hasPrefix("expand") }.map(\.value)
        // A query may name the same field several times, of which the server keeps one: those that clients here ask for.
        let parts =
            pairs.filter { $0.name.hasPrefix("expand") }.map(\.value) + queries
            + (queries.isEmpty
                ? [] : ["payment_intent", "payment_intent.latest_charge", "setup_intent", "latest_charge"])
        let form = nested(request.form)
        if let refusal = apart(request, words, state) { return refusal }
        switch (request.method, words[1], words.count) {
        case ("POST", "customers", 2):
            let id = state.made("cus", "customer", ["metadata": form["metadata"] ?? [String: any Sendable]()])
            return found(state.whole(id))
        case ("POST", "checkout", 3): return session(form, &state, base: request.headers["Host"] ?? "")
        case ("GET", "checkout", 4), ("GET", "payment_intents", 3), ("GET", "refunds", 3):
            guard let id = words.last, state.objects[id] != nil else {
                return failure(404, "invalid_request_error", "resource_missing")
            }
            return found(state.whole(id, parts))
        case ("POST", "checkout", 5): return expire(words[3], &state)
        case ("GET", "payment_intents", 2), ("GET", "disputes", 2): return list(words[1], request.query, &state)
        case ("POST", "payment_intents", 2): return intent(form, parts, &state)
        case ("POST", "payment_intents", 4): return move(words[2], words[3], parts, &state)
        case ("POST", "payment_methods", 4):
            state.objects[words[2]]?["customer"] = nil
            return found(state.whole(words[2]))
        case ("POST", "refunds", 2): return refund(form, &state)
        case ("POST", "accounts", 2): return account(form, &state)
        case ("GET", "accounts", 3): return account(words[2], state)
        case ("POST", "account_links", 2): return link(form, &state, base: request.headers["Host"] ?? "")
        default: return failure(404, "invalid_request_error", "")
        }
    }

    private static func session(
        _ form: [String: any Sendable], _ state: inout State, base: String
    ) -> LoopbackServer.Reply {
        let mode = form["mode"] as? String ?? ""
        guard state.mayBeCharged else { return failure(400, "invalid_request_error", "") }
        let expires = (form["expires_at"] as? String).flatMap { Int64($0) } ?? state.now + 86_400
        guard ["payment", "setup"].contains(mode), form["success_url"] is String else {
            return failure(400, "invalid_request_error", "parameter_missing")
        }
        guard expires >= state.now + 30 * 60, expires <= state.now + 86_400 else {
            return failure(400, "invalid_request_error", "parameter_invalid_integer")
        }
        var fields: [String: any Sendable] = [
            "mode": mode, "status": "open", "payment_status": mode == "setup" ? "no_payment_required" : "unpaid",
            "expires_at": expires, "metadata": form["metadata"] ?? [String: any Sendable](),
            "success_url": form["success_url"] ?? "", "cancel_url": form["cancel_url"] ?? "",
        ]
        for field in ["client_reference_id", "customer"] { fields[field] = form[field] }
        if mode == "payment" {
            guard let items = form["line_items"] as? [String: any Sendable],
                let item = items["0"] as? [String: any Sendable],
                let price = item["price_data"] as? [String: any Sendable],
                let amount = (price["unit_amount"] as? String).flatMap({ Int64($0) }), amount > 0,
                let currency = price["currency"] as? String
            else { return failure(400, "invalid_request_error", "parameter_missing") }
            fields["amount_total"] = amount
            fields["currency"] = currency
            let data = form["payment_intent_data"] as? [String: any Sendable] ?? [:]
            fields["capture_method"] = data["capture_method"] ?? "automatic"
            fields["intent_metadata"] = data["metadata"] ?? [String: any Sendable]()
        } else {
            fields["currency"] = form["currency"]
            let data = form["setup_intent_data"] as? [String: any Sendable] ?? [:]
            fields["intent_metadata"] = data["metadata"] ?? [String: any Sendable]()
        }
        let id = state.made("cs_test", "checkout.session", fields)
        state.objects[id]?["url"] = "http://\(base)/pay/\(id)"
        return found(state.whole(id))
    }

    private static func expire(_ id: String, _ state: inout State) -> LoopbackServer.Reply {
        guard state.text(id, "status") == "open" else { return failure(400, "invalid_request_error", "") }
        state.objects[id]?["status"] = "expired"
        state.objects[id]?["url"] = nil
        state.tell("checkout.session.expired", id)
        return found(state.whole(id))
    }

    private static func list(
        _ kind: String, _ query: [String: String], _ state: inout State
    ) -> LoopbackServer.Reply {
        let (object, field) = kind == "disputes" ? ("dispute", "payment_intent") : ("payment_intent", "customer")
        let ids = state.objects.filter { entry in
            entry.value["object"] as? String == object && entry.value[field] as? String == query[field]
                && state.owners[entry.key] ?? "" == state.asker
        }.keys
        let data = ids.sorted().map { state.whole($0, ["latest_charge"]) }
        return found(["object": "list", "data": data, "has_more": false, "url": "/v1/\(kind)"])
    }

    private static func intent(
        _ form: [String: any Sendable], _ parts: [String], _ state: inout State
    ) -> LoopbackServer.Reply {
        guard let amount = (form["amount"] as? String).flatMap({ Int64($0) }), amount > 0,
            let currency = form["currency"] as? String
        else { return failure(400, "invalid_request_error", "parameter_missing") }
        let card = form["payment_method"] as? String ?? ""
        let id = state.made(
            "pi", "payment_intent",
            [
                "amount": amount, "amount_received": Int64(0), "amount_capturable": Int64(0), "currency": currency,
                "capture_method": form["capture_method"] ?? "automatic", "status": "requires_confirmation",
                "metadata": form["metadata"] ?? [String: any Sendable](), "customer": form["customer"] ?? "",
                "client_secret": "none",
            ])
        guard form["confirm"] as? String == "true" else { return found(state.whole(id, parts)) }
        let kind = state.objects[card]?["kind"] as? String ?? card
        guard kind != Card.empty.rawValue else {
            state.objects[id]?["status"] = "requires_payment_method"
            state.tell("payment_intent.payment_failed", id)
            return failure(402, "card_error", "card_declined", decline: "insufficient_funds")
        }
        state.confirm(id, card: card)
        return found(state.whole(id, parts))
    }

    private static func move(
        _ id: String, _ act: String, _ parts: [String], _ state: inout State
    ) -> LoopbackServer.Reply {
        guard state.objects[id] != nil else { return failure(404, "invalid_request_error", "resource_missing") }
        let status = state.text(id, "status")
        switch (act, status) {
        case ("capture", "requires_capture"): state.take(id)
        case ("cancel", "requires_capture"), ("cancel", "requires_payment_method"), ("cancel", "requires_confirmation"):
            state.objects[id]?["status"] = "canceled"
            state.tell("payment_intent.canceled", id)
        default: return failure(400, "invalid_request_error", "payment_intent_unexpected_state")
        }
        return found(state.whole(id, parts))
    }

    private static func refund(_ form: [String: any Sendable], _ state: inout State) -> LoopbackServer.Reply {
        guard let intent = form["payment_intent"] as? String, state.text(intent, "status") == "succeeded" else {
            return failure(400, "invalid_request_error", "")
        }
        let charge = state.text(intent, "latest_charge")
        guard state.objects[charge]?["refunded"] as? Bool == false else {
            return failure(400, "invalid_request_error", "charge_already_refunded")
        }
        let refund = state.giveBack(intent, charge, form["metadata"])
        return found(state.whole(refund))
    }
}
