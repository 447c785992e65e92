internal import ChirpCommunity
internal import ChirpFederation
internal import ChirpHTTP

extension InboxDesk {
    /// Somebody says that she is to be found at another place. That place is asked, and must name her (`alsoKnownAs`); one that has moved on
    /// itself speaks for nobody. What is not confirmed is dropped; who cannot be asked now is asked when this is said again.
    func move(
        _ person: RemotePerson, to target: ObjectID, activity id: String
    ) async throws(LibraryError) -> Answer {
        guard try await isLet(target, from: person), try await library.awaitsMove(of: person, activity: id) else {
            return .accepted
        }
        guard let signer = await hub.signer(), await fetches.enter() else { return .busy }
        let found: Result<RemoteActor, FetchError>
        do throws(FetchError) { found = .success(try await client.actor(target, signer: signer)) } catch {
            found = .failure(error)
        }
        fetches.leave()
        switch found {
        case .failure(let error): return error.isTemporary ? .busy : .accepted
        case .success(let actor):
            // The address that was named may lead to another id.
            guard try await isLet(actor.id, from: person), actor.movedTo == nil,
                actor.alsoKnownAs.contains(where: { $0.text == person.facts.address }), let facts = Self.facts(actor)
            else { return .accepted }
            try await library.apply(.move(to: library.keep(facts).id), by: person, activity: id)
            return .accepted
        }
    }

    /// Whether somebody may go there at all: to another place, not here, and to no server that this hub has nothing to do with.
    private func isLet(_ target: ObjectID, from person: RemotePerson) async throws(LibraryError) -> Bool {
        guard target.text != person.facts.address, target.origin != WebOrigin(links.publicURL) else { return false }
        return try await library.serverRules().lets(FediverseLinks.host(of: target.address))
    }
}
