package import ChirpCommunity
internal import ChirpCore
internal import ChirpFederation

/// Why nobody was found at another server.
package enum FindingRefusal: Error, Hashable, Sendable {
    /// It is not like `ann@example.org`.
    case noName
    /// It is this hub's own.
    case isHere
    /// This hub has nothing to do with that server.
    case notLet(host: String)
    /// What her server has answered; plain text.
    case notFound(String)
    /// Another time: too many are being looked for.
    case busy
}

extension Fediverse {
    /// Finds somebody at another server by WebFinger and by what her server says of her then, and gives her a place among the people here.
    ///
    /// - Parameter name: `ann@example.org`, with or without an `@` before it.
    /// - Throws: ``FindingRefusal``, ``LibraryError``.
    package func find(_ name: String) async throws -> PostAuthor {
        let bare = PlainText(name, limit: 300).value.drop { $0 == "@" }
        let parts = bare.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { throw FindingRefusal.noName }
        let host = parts[1].lowercased()
        guard host != links.host else { throw FindingRefusal.isHere }
        try await checkLet(host)
        let actor = try await fetched("\(parts[0])@\(host)")
        // What names somebody else may lead to a server that this hub has nothing to do with, or back here.
        guard let facts = InboxDesk.facts(actor) else { throw FindingRefusal.notFound("there is no key") }
        guard facts.host != links.host else { throw FindingRefusal.isHere }
        try await checkLet(facts.host)
        guard let author = try await library.introduce(try await library.keep(facts)) else {
            throw FindingRefusal.notFound("somebody else has this name")
        }
        return author
    }

    private func checkLet(_ host: String) async throws {
        guard try await library.serverRules().lets(host) else { throw FindingRefusal.notLet(host: host) }
    }

    private func fetched(_ account: String) async throws -> RemoteActor {
        guard let signer = await hub.signer(), await inbox.fetches.enter() else { throw FindingRefusal.busy }
        defer { inbox.fetches.leave() }
        do throws(FetchError) { return try await inbox.client.find(account, signer: signer) } catch {
            throw FindingRefusal.notFound(error.whatHappened)
        }
    }
}
