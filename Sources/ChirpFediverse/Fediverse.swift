package import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
internal import ChirpFederation
package import ChirpHTTP

/// This hub among other servers that speak ActivityPub: what it tells of itself, what it takes, and what it delivers.
package struct Fediverse: Sendable {
    package let library: HubLibrary
    package let links: FediverseLinks
    package let documents: HubDocuments
    package let hub: HubSigner
    package let inbox: InboxDesk
    package let deliveries: DeliveryDesk
    /// Nil where nothing makes clips.
    package let clips: RemoteClipDesk?

    /// - Parameters:
    ///   - transport: follows no redirects, and connects to public addresses alone: the addresses are strangers'.
    ///   - allowsLoopback: servers on this machine too, without TLS, for tests.
    ///   - making: makes clips of the sound of people elsewhere; nil: nobody does, and what they post waits.
    ///   - clock: what waiting is measured with.
    ///   - say: told what a log should have.
    package init(
        library: HubLibrary, links: FediverseLinks, transport: any HTTPTransport, allowsLoopback: Bool,
        making: RemoteClipMaking? = nil, clock: any Clock<Duration> = ContinuousClock(),
        say: @escaping @Sendable (String) -> Void
    ) {
        let rules = FederationRules(allowsLoopback: allowsLoopback)
        let client = FederationClient(transport, rules: rules, clock: clock, now: library.now)
        self.library = library
        self.links = links
        documents = HubDocuments(library: library, links: links)
        hub = HubSigner(library: library, documents: documents)
        inbox = InboxDesk(library: library, links: links, client: client, rules: rules, hub: hub)
        deliveries = DeliveryDesk(
            library: library, documents: documents, client: client, clock: clock, say: say)
        clips = making.map { making in
            RemoteClipDesk(
                library: library, making: making, transport: transport, allowsLoopback: allowsLoopback, clock: clock,
                say: say)
        }
    }

    /// Lets an account be followed from other servers. Making a key takes some tenths of a second.
    package func switchOn(_ account: AccountID) async throws {
        if let actor = try await library.federationActor(of: account) {
            return try await library.federate(account, key: actor.key)
        }
        let key = try await offPool { () throws(KeyError) in try ActorKey() }
        try await library.federate(account, key: key.pem)
    }
}
