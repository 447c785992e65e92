internal import ChirpHTTP
internal import Foundation
internal import Synchronization

/// Accounts that others connect to the key's (docs.stripe.com/connect): each has objects, money and messages of its own.
extension LoopbackStripe {
    /// Pages on which somebody fills in an account.
    struct Link {
        let account, back, again: String
        let expires: Int64
    }

    /// Seconds that such pages can be opened.
    private static let patience: Int64 = 300

    /// Every account that was made, in order, with what the platform has written on it.
    public var accounts: [(id: String, metadata: [String: String])] {
        book.state.withLock { state in
            state.objects.filter { $0.value["object"] as? String == "account" }.map { entry in
                let metadata = entry.value["metadata"] as? [String: any Sendable] ?? [:]
                return (entry.key, metadata.compactMapValues { $0 as? String })
            }.sorted { $0.id.utf8.count == $1.id.utf8.count ? $0.id < $1.id : $0.id.utf8.count < $1.id.utf8.count }
        }
    }

    /// What an account has received: payments without what went back; empty: the key's.
    public func balance(_ currency: String, of account: String) -> Int64 {
        book.state.withLock { $0.received["\(account) \(currency)"] ?? 0 }
    }

    /// Somebody fills in her account at an address.
    ///
    /// - Returns: where she is led to from there; nil: there are no such pages, or no more.
    public func fillIn(at address: String) -> String? {
        let name = String(address.split(separator: "/").last ?? "")
        return book.state.withLock { $0.fillIn(name) }
    }

    /// The service decides that an account may be charged, or may not, and tells of it.
    public func set(_ account: String, mayBeCharged: Bool) {
        book.state.withLock { $0.set(account, mayBeCharged: mayBeCharged) }
    }

    /// Its owner disconnects an account, of which the platform is told.
    public func disconnect(_ account: String) {
        book.state.withLock { state in
            state.left.insert(account)
            state.tell("account.application.deauthorized", account)
        }
    }

    /// Whether others can connect their accounts at all.
    public func setPlatform(_ isPlatform: Bool) { book.state.withLock { $0.isPlatform = isPlatform } }

    /// What is refused because it is not at the account that is asked about.
    static func apart(_ request: LoopbackServer.Request, _ words: [String], _ state: State) -> LoopbackServer.Reply? {
        let asker = state.asker
        if !asker.isEmpty {
            guard state.isPlatform else { return failure(403, "invalid_request_error", "platform_account_required") }
            guard state.isConnected(asker) else { return failure(403, "invalid_request_error", "account_invalid") }
        }
        let named =
            words.dropFirst(2) + ["payment_intent", "customer", "payment_method"].compactMap { request.form[$0] }
        let isElsewhere = named.contains { state.objects[$0] != nil && state.owners[$0] ?? "" != asker }
        return isElsewhere ? failure(404, "invalid_request_error", "resource_missing") : nil
    }

    static func account(_ form: [String: any Sendable], _ state: inout State) -> LoopbackServer.Reply {
        guard state.isPlatform, form["type"] as? String == "standard" else {
            return failure(400, "invalid_request_error", "")
        }
        let id = state.made(
            "acct", "account",
            [
                "type": "standard", "charges_enabled": false, "details_submitted": false,
                "metadata": form["metadata"] ?? [String: any Sendable](),
            ])
        return found(state.whole(id))
    }

    static func account(_ id: String, _ state: State) -> LoopbackServer.Reply {
        guard state.isPlatform else { return failure(403, "invalid_request_error", "platform_account_required") }
        guard state.isConnected(id) else { return failure(403, "invalid_request_error", "account_invalid") }
        return found(state.whole(id))
    }

    static func link(
        _ form: [String: any Sendable], _ state: inout State, base: String
    ) -> LoopbackServer.Reply {
        guard let account = form["account"] as? String, state.isConnected(account),
            form["type"] as? String == "account_onboarding", let back = form["return_url"] as? String,
            let again = form["refresh_url"] as? String
        else { return failure(400, "invalid_request_error", "parameter_missing") }
        state.count += 1
        let (name, expires) = ("link\(state.count)", state.now + patience)
        state.links[name] = Link(account: account, back: back, again: again, expires: expires)
        return found([
            "object": "account_link", "created": state.now, "expires_at": expires,
            "url": "http://\(base)/connect/\(name)",
        ])
    }

    /// The pages, for browsers.
    static func pages(_ request: LoopbackServer.Request, _ state: inout State) -> LoopbackServer.Reply {
        let name = String(request.path.split(separator: "/").last ?? "")
        guard let link = state.links[name] else { return LoopbackServer.Reply(404) }
        if request.method == "POST" || link.expires <= state.now {
            return LoopbackServer.Reply(303, headers: [("Location", state.fillIn(name) ?? link.again)])
        }
        let text = """
            <!doctype html><html lang="en"><title>Your account</title><main><h1>Your account</h1>
            <form method="post"><button>Fill in</button></form></main></html>
            """
        return LoopbackServer.Reply(
            200, headers: [("Content-Type", "text/html; charset=utf-8")], body: Array(text.utf8))
    }
}

extension LoopbackStripe.State {
    func isConnected(_ account: String) -> Bool { text(account, "object") == "account" && !left.contains(account) }

    /// Whether the account that is asked about may be charged.
    var mayBeCharged: Bool { asker.isEmpty || objects[asker]?["charges_enabled"] as? Bool == true }

    mutating func set(_ account: String, mayBeCharged: Bool) {
        objects[account]?["charges_enabled"] = mayBeCharged
        tell("account.updated", account)
    }

    mutating func fillIn(_ name: String) -> String? {
        guard let link = links[name], link.expires > now, isConnected(link.account) else { return nil }
        links[name] = nil
        objects[link.account]?["details_submitted"] = true
        set(link.account, mayBeCharged: true)
        return link.back
    }
}
