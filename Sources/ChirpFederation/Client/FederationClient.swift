package import ChirpHTTP
package import FoundationEssentials

/// Speaks with other servers, within limits and by the rules. It remembers nothing.
package struct FederationClient: Sendable {
    let transport: any HTTPTransport
    let rules: FederationRules
    let now: @Sendable () -> Date

    /// The most that one document may have and take.
    package static let mostBytes = 1 << 20
    package static let patience = Duration.seconds(5)

    /// - Parameters:
    ///   - transport: follows no redirects, and connects to public addresses alone, since the addresses are strangers'.
    ///   - clock: what waiting is measured with.
    ///   - now: the time that servers are told.
    package init(
        _ transport: any HTTPTransport, rules: FederationRules, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date
    ) {
        self.transport = PatientTransport(transport, patience: Self.patience, clock: clock)
        self.rules = rules
        self.now = now
    }

    /// An actor, by its id or that of its key.
    ///
    /// - Parameter signer: the instance actor's.
    package func actor(_ id: ObjectID, signer: Signer) async throws(FetchError) -> RemoteActor {
        throw .gone
    }

    /// A post, by its id. Everything that is no post is malformed.
    package func note(_ id: ObjectID, signer: Signer) async throws(FetchError) -> RemoteNote {
        throw .gone
    }

    /// Who has a handle, by WebFinger (RFC 7033) and then their own document.
    ///
    /// - Parameter account: `ann@hub.example`, with or without an `@` before it.
    package func find(_ account: String, signer: Signer) async throws(FetchError) -> RemoteActor {
        throw .gone
    }

    /// Gives an activity to an inbox, signed by the first scheme and, where that is answered by 401, by the other one.
    ///
    /// - Parameters:
    ///   - content: ``OutgoingActivity/document``'s bytes: the same each time.
    ///   - first: what ``DeliveryOutcome/accepted(_:)`` has said of this host the last time.
    package func deliver(
        _ content: [UInt8], to inbox: WebAddress, signer: Signer, first: SignatureScheme = .cavage
    ) async -> DeliveryOutcome {
        .cancelled
    }
}
