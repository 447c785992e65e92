internal import Foundation

extension LoopbackStripe.State {
    typealias Object = [String: any Sendable]

    mutating func made(_ prefix: String, _ kind: String, _ fields: Object) -> String {
        count += 1
        let id = "\(prefix)_\(count)"
        if !asker.isEmpty { owners[id] = asker }
        objects[id] = fields.merging(["id": id, "object": kind, "created": now, "livemode": false]) { own, _ in own }
        return id
    }

    mutating func tell(_ type: String, _ id: String) {
        count += 1
        var event: Object = [
            "id": "evt_\(count)", "object": "event", "api_version": "2024-06-20", "created": now, "livemode": false,
            "pending_webhooks": 1, "type": type, "data": ["object": objects[id] ?? [:]] as Object,
            "request": ["id": "req_\(count)"] as Object,
        ]
        if let owner = owner(of: id) { event["account"] = owner }
        messages.append(
            LoopbackStripe.Message(
                id: "evt_\(count)", type: type, content: LoopbackStripe.json(event), account: owner(of: id)))
    }

    func text(_ id: String, _ field: String) -> String { objects[id]?[field] as? String ?? "" }
    func number(_ id: String, _ field: String) -> Int64 { objects[id]?[field] as? Int64 ?? 0 }

    /// An object as it is answered, with the parts that were asked for whole.
    func whole(_ id: String, _ parts: [String] = []) -> Object {
        var object = objects[id] ?? [:]
        for part in parts {
            let words = part.split(separator: ".", maxSplits: 1).map(String.init)
            guard let first = words.first, let other = object[first] as? String, objects[other] != nil else { continue }
            let rest = parts.compactMap { $0.hasPrefix("\(first).") ? String($0.dropFirst(first.count + 1)) : nil }
            object[first] = whole(other, rest)
        }
        return object
    }

    /// Takes money for an intent that was confirmed; or holds it.
    mutating func confirm(_ intent: String, card: String) {
        objects[intent]?["payment_method"] = card
        let amount = number(intent, "amount")
        let charge = made(
            "ch", "charge",
            [
                "amount": amount, "amount_refunded": Int64(0), "refunded": false, "disputed": false,
                "currency": text(intent, "currency"), "payment_intent": intent, "paid": true, "status": "succeeded",
                "metadata": objects[intent]?["metadata"] ?? Object(),
            ])
        objects[intent]?["latest_charge"] = charge
        if text(intent, "capture_method") == "manual" {
            objects[intent]?["status"] = "requires_capture"
            objects[intent]?["amount_capturable"] = amount
            tell("payment_intent.amount_capturable_updated", intent)
        } else {
            take(intent)
        }
    }

    /// At which account something is, or the account that it is; nil: the key's.
    private func owner(of id: String) -> String? { text(id, "object") == "account" ? id : owners[id] }

    mutating func book(_ amount: Int64, of intent: String) {
        charged[text(intent, "currency"), default: 0] += amount
        received["\(owners[intent] ?? "") \(text(intent, "currency"))", default: 0] += amount
    }

    /// The money moves.
    mutating func take(_ intent: String) {
        let amount = number(intent, "amount")
        objects[intent]?["status"] = "succeeded"
        objects[intent]?["amount_received"] = amount
        objects[intent]?["amount_capturable"] = Int64(0)
        book(amount, of: intent)
        tell("payment_intent.succeeded", intent)
    }
}

extension LoopbackStripe {
    static func json(_ object: [String: any Sendable]) -> [UInt8] {
        precondition(JSONSerialization.isValidJSONObject(object), "\(object)")
        let data = try? JSONSerialization.data(
            withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        return Array(data ?? Data("{}".utf8))
    }

    /// Fields of a form as `a[b]=c` makes them.
    static func nested(_ form: [String: String]) -> [String: any Sendable] {
        var found: [String: any Sendable] = [:]
        for (name, value) in form {
            let parts = name.split(separator: "[").map { String($0.prefix { $0 != "]" }) }
            found = put(value, at: parts[...], in: found)
        }
        return found
    }

    private static func put(
        _ value: String, at parts: ArraySlice<String>, in object: [String: any Sendable]
    ) -> [String: any Sendable] {
        guard let first = parts.first else { return object }
        var object = object
        if parts.count == 1 {
            object[first] = value
        } else {
            object[first] = put(value, at: parts.dropFirst(), in: object[first] as? [String: any Sendable] ?? [:])
        }
        return object
    }
}
