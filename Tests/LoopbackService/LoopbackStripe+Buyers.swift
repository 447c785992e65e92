internal import ChirpHTTP
internal import Foundation
internal import Synchronization

extension LoopbackStripe.State {
    /// The page of a session is completed by its buyer.
    mutating func complete(_ session: String, card: LoopbackStripe.Card) -> Bool {
        guard text(session, "status") == "open", number(session, "expires_at") > now else { return false }
        asker = owners[session] ?? ""
        let customer = objects[session]?["customer"] as? String ?? made("cus", "customer", [:])
        let method = made("pm", "payment_method", ["customer": customer, "kind": card.rawValue, "type": "card"])
        let metadata = objects[session]?["intent_metadata"] ?? Object()
        if text(session, "mode") == "setup" {
            let setup = made(
                "seti", "setup_intent", ["status": "succeeded", "payment_method": method, "metadata": metadata])
            objects[session]?["setup_intent"] = setup
            tell("setup_intent.succeeded", setup)
        } else {
            guard card == .good else { return false }
            let intent = made(
                "pi", "payment_intent",
                [
                    "amount": number(session, "amount_total"), "amount_received": Int64(0),
                    "amount_capturable": Int64(0), "currency": text(session, "currency"),
                    "capture_method": text(session, "capture_method"), "metadata": metadata, "customer": customer,
                ])
            confirm(intent, card: method)
            objects[session]?["payment_intent"] = intent
            let isPaid = text(intent, "status") == "succeeded"
            objects[session]?["payment_status"] = isPaid ? "paid" : "unpaid"
        }
        objects[session]?["status"] = "complete"
        objects[session]?["customer"] = customer
        tell("checkout.session.completed", session)
        return true
    }

    /// The time of a page is over.
    mutating func expire(_ session: String) {
        guard text(session, "status") == "open" else { return }
        objects[session]?["status"] = "expired"
        tell("checkout.session.expired", session)
    }

    /// The whole payment goes back.
    mutating func giveBack(_ intent: String, _ charge: String, _ metadata: (any Sendable)?) -> String {
        let (amount, currency) = (number(intent, "amount"), text(intent, "currency"))
        asker = owners[intent] ?? ""
        let refund = made(
            "re", "refund",
            [
                "amount": amount, "currency": currency, "payment_intent": intent, "charge": charge,
                "status": "succeeded", "metadata": metadata ?? Object(),
            ])
        objects[charge]?["refunded"] = true
        objects[charge]?["amount_refunded"] = amount
        book(-amount, of: intent)
        tell("charge.refunded", charge)
        return refund
    }
}

extension LoopbackStripe {
    /// A buyer fills in the page at an address and presses the button.
    ///
    /// - Returns: whether that was taken.
    @discardableResult
    public func pay(at address: String, with card: Card = .good) -> Bool {
        let session = String(address.split(separator: "/").last ?? "")
        return book.state.withLock { $0.complete(session, card: card) }
    }

    /// A page asks for another amount than was wanted.
    public func change(_ session: String, amount: Int64) {
        book.state.withLock { $0.objects[session]?["amount_total"] = amount }
    }

    /// A page's time is over.
    public func expire(_ address: String) {
        let session = String(address.split(separator: "/").last ?? "")
        book.state.withLock { $0.expire(session) }
    }

    /// The seller gives a payment back by herself, at the service.
    public func giveBack(_ intent: String) {
        book.state.withLock { state in _ = state.giveBack(intent, state.text(intent, "latest_charge"), nil) }
    }

    /// A buyer's bank takes a payment back, and keeps it.
    public func dispute(_ intent: String, isLost: Bool) {
        book.state.withLock { state in
            let charge = state.text(intent, "latest_charge")
            state.asker = state.owners[intent] ?? ""
            state.objects[charge]?["disputed"] = true
            let dispute = state.made(
                "dp", "dispute",
                [
                    "amount": state.number(intent, "amount"), "currency": state.text(intent, "currency"),
                    "payment_intent": intent, "charge": charge, "status": isLost ? "lost" : "needs_response",
                ])
            state.tell(isLost ? "charge.dispute.closed" : "charge.dispute.created", dispute)
        }
    }

    /// The payment page, for browsers; what is sent to `/pay/SESSION/end` ends its time.
    static func page(_ request: LoopbackServer.Request, _ state: inout State) -> LoopbackServer.Reply {
        let words = request.path.split(separator: "/").map(String.init)
        guard words.count > 1, state.objects[words[1]] != nil else { return LoopbackServer.Reply(404) }
        let session = words[1]
        if request.method == "POST", words.last == "end" {
            state.expire(session)
            return LoopbackServer.Reply(204)
        }
        if request.method == "POST" {
            let isDone = state.complete(session, card: .good)
            let target = state.text(session, isDone ? "success_url" : "cancel_url")
            return LoopbackServer.Reply(303, headers: [("Location", target)])
        }
        let amount = "\(state.number(session, "amount_total")) \(state.text(session, "currency"))"
        let text = """
            <!doctype html><html lang="en"><title>Payment</title><main><h1>Payment</h1><p>\(amount)</p>
            <form method="post"><button>Pay</button></form></main></html>
            """
        return LoopbackServer.Reply(
            200, headers: [("Content-Type", "text/html; charset=utf-8")], body: Array(text.utf8))
    }

    /// Everything told after so many messages, for programs that deliver it: `[{"id", "type", "content"}]`.
    static func told(after count: String?, _ state: State) -> LoopbackServer.Reply {
        let messages = state.messages.dropFirst(max(0, count.flatMap { Int($0) } ?? 0))
        let list = messages.map { message -> [String: any Sendable] in
            [
                "id": message.id, "type": message.type, "content": String(decoding: message.content, as: UTF8.self),
                "account": message.account ?? "",
            ]
        }
        return .json(200, String(decoding: json(["messages": list]), as: UTF8.self))
    }
}
