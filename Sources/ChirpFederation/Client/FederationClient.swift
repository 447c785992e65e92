internal import ChirpCore
package import ChirpHTTP
package import FoundationEssentials

/// Speaks with other servers, within limits and by the rules. It remembers nothing.
package struct FederationClient: Sendable {
    let transport: any HTTPTransport
    let rules: FederationRules
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date

    /// The most that one question may take with all its redirects and knocks: somebody waits for the answer.
    package static let patience = Duration.seconds(5)
    /// Redirects of one document.
    static let mostRedirects = 3

    /// - Parameters:
    ///   - transport: follows no redirects, and connects to public addresses alone, since the addresses are strangers'.
    ///   - clock: what waiting is measured with.
    ///   - now: the time that servers are told.
    package init(
        _ transport: any HTTPTransport, rules: FederationRules, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date
    ) {
        self.transport = transport
        self.rules = rules
        self.clock = clock
        self.now = now
    }

    /// An actor, by its id.
    ///
    /// - Parameter signer: the instance actor's.
    package func actor(_ id: ObjectID, signer: Signer) async throws(FetchError) -> RemoteActor {
        let document = try await document(id, signer: signer)
        return try Self.checked { () throws(DocumentError) in try RemoteActor(document) }
    }

    /// Whose a key is: its owner, with that key among theirs, all of one origin.
    package func owner(ofKey keyID: ObjectID, signer: Signer) async throws(FetchError) -> RemoteActor {
        try await withinPatience { () async throws(FetchError) in
            var found = try await read(keyID, signer)
            // A key with a document of its own names its owner.
            if found["inbox"] == nil, let owner = found.id("owner") ?? found["publicKey"]?.id("owner") {
                guard owner.origin == keyID.origin else { throw .document(.foreign("owner")) }
                found = try await read(owner, signer)
            }
            let actor = try Self.checked { () throws(DocumentError) in try RemoteActor(found, keyID: keyID) }
            guard actor.key?.id == keyID, actor.id.origin == keyID.origin else {
                throw .document(.foreign("publicKey"))
            }
            return actor
        }
    }

    /// A post, by its id. Everything that is no post is malformed.
    package func note(_ id: ObjectID, signer: Signer) async throws(FetchError) -> RemoteNote {
        let document = try await document(id, signer: signer)
        return try Self.checked { () throws(DocumentError) in try RemoteNote(document) }
    }

    /// Any document of ActivityPub, by its id, which it has.
    package func document(_ id: ObjectID, signer: Signer) async throws(FetchError) -> DocumentValue {
        try await withinPatience { () async throws(FetchError) in try await read(id, signer) }
    }

    /// Who has a handle, by WebFinger (RFC 7033) and then their own document.
    ///
    /// - Parameter account: `ann@hub.example`, with or without an `@` before it.
    package func find(_ account: String, signer: Signer) async throws(FetchError) -> RemoteActor {
        let plain = WebFinger.question(for: account, isPlain: true)
        let isPlain = plain.map { rules.refusal(of: $0) == nil } ?? false
        guard let question = WebFinger.question(for: account, isPlain: isPlain) else {
            throw .forbidden("this is not the name of an account")
        }
        return try await withinPatience { () async throws(FetchError) in
            let answer = try await ask(question, accept: WebFinger.mediaType, nil)
            let id = try Self.checked { () throws(DocumentError) in try WebFinger.actor(in: answer.body) }
            let found = try await read(id, signer)
            return try Self.checked { () throws(DocumentError) in try RemoteActor(found) }
        }
    }
}
