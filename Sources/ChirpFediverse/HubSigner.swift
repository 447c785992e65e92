package import ChirpCommunity
internal import ChirpCore
internal import ChirpFederation

/// Signs in the name of the hub itself. Its key is made when it is asked for first.
package struct HubSigner: Sendable {
    let library: HubLibrary
    let documents: HubDocuments

    /// The hub's own actor.
    package func actor() async throws -> FederationActor {
        try await library.federationActorOfHub { try ActorKey().pem }
    }

    /// Nil when there is no key to be had.
    func signer() async -> Signer? {
        guard let actor = try? await actor() else { return nil }
        return documents.signer(actor)
    }
}
