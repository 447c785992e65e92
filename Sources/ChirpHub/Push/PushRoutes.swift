internal import ChirpAccounts
internal import ChirpBoards
internal import ChirpCommunity
internal import ChirpCore
internal import ChirpHTTP
internal import ChirpPush
internal import ChirpWeb
internal import FoundationEssentials
internal import Hummingbird

/// Browsers that are told of notices, for the scripts of this hub's pages and for programs that list and end them.
struct PushRoutes {
    let push: PushDesk

    private static let path = "/api/hub/v1/push"
    /// How often an account may subscribe: each time somebody else's service may be asked.
    private static let rule = RateRule(60, per: 3600)
    private static let most = 4 << 10

    var routes: [WebRoute] {
        [
            .api(
                .get, "\(Self.path)/key", .everybody, scope: .open,
                summary: "The key with which a browser subscribes to notices"
            ) {
                _, _ in
                try .json(Key(key: try push.open().key)).uncached
            },
            .api(
                .get, Self.path, .signedIn, scope: "read:notifications",
                summary: "The browsers that are told of the account's notices"
            ) { _, context in
                let entries = try await push.library.pushSubscriptions(
                    of: try context.account, from: context.session.flatMap { OpaqueToken(shown: $0) })
                return try .json(entries.map(Document.init)).uncached
            },
            .api(
                .post, Self.path, .confirmed, scope: "write:notifications", body: .upTo(Self.most),
                summary: "Has this browser told of notices, for as long as it is signed in",
                takes: [
                    .text("endpoint", "the https address of the browser's push service"),
                    .text("p256dh", "the browser's public key, in base 64 for addresses"),
                    .text("auth", "the secret that goes with it, in base 64 for addresses"),
                ], gives: 201
            ) { try await subscribe($0, $1) },
            .api(
                .delete, Self.path, .signedIn, scope: "write:notifications",
                summary: "Tells this browser nothing any more", gives: 204
            ) { _, context in
                try await push.library.unsubscribe(session: try push.browser(context), of: try context.account)
                return .nothing
            },
            .api(
                .delete, "\(Self.path)/:id", .signedIn, scope: "write:notifications",
                summary: "Tells one of the account's browsers nothing any more", gives: 204
            ) { _, context in
                let id = context.parameters.get("id") ?? ""
                guard try await push.library.unsubscribe(id, of: try context.account) else {
                    throw Problem.recordNotFound
                }
                return .nothing
            },
        ]
    }

    private func subscribe(_ request: Request, _ context: WebContext) async throws -> Response {
        let office = try push.open()
        let session = try push.browser(context)
        let account = try context.account
        let fields = try await request.fields(upTo: Self.most)
        let subscription: PushSubscription
        do throws(PushSubscriptionFault) {
            subscription = try PushSubscription(
                endpoint: fields["endpoint"] ?? "", key: fields["p256dh"] ?? "", secret: fields["auth"] ?? "",
                allowsLoopback: office.allowsLoopback)
        } catch {
            throw Problem(
                .unprocessableContent, "invalid", "Validation failed", fields: [error.field: error.sentence])
        }
        try await push.desk.limits.consume("push", Self.rule, by: .account(account))
        let id = try await push.library.subscribe(
            account, session: session, endpoint: subscription.endpoint.text, key: subscription.key,
            secret: subscription.secret, language: Language.current.rawValue)
        guard let id else { throw HTTPError(.unauthorized) }
        return try .json(Made(id: id), status: .created).uncached
    }

    private struct Key: Encodable { let key: String }

    private struct Made: Encodable { let id: String }

    private struct Document: Encodable {
        let id: String
        let agent: String
        let created: Date
        let here: Bool

        init(_ entry: PushEntry) {
            (id, agent, created, here) = (entry.id, entry.agent, entry.created, entry.isHere)
        }
    }
}

extension PushSubscriptionFault {
    fileprivate var field: String {
        switch self {
        case .endpoint: "endpoint"
        case .key: "p256dh"
        case .secret: "auth"
        }
    }

    fileprivate var sentence: String {
        switch self {
        case .endpoint: "Not the https address of a push service"
        case .key: "Not a public key on the curve P-256"
        case .secret: "Not 16 bytes"
        }
    }
}
