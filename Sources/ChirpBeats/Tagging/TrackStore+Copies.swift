package import ChirpAccounts
package import ChirpBoards
package import ChirpCommunity
internal import ChirpCore
internal import ChirpFiles
internal import ChirpMusic
package import ChirpWeb
internal import FoundationEssentials
internal import GRDB
internal import Glibc

extension TrackStore {
    /// Whose copy of a track's preview a recording is: for its author alone.
    ///
    /// - Parameter copy: of the recording; it is listened to where that can do no harm, and kept nowhere.
    /// - Throws: ``TrackRefusal``: `notReady` where no preview tells; ``TrackMaking/Failure``.
    package func owner(
        ofCopy copy: SentFile, of id: HubID, by account: AccountID, tagging: ListenerTagging
    ) async throws -> CopyFindings {
        let (ground, listeners, master) = try await known(id, account)
        let path = library.uploads.file(HubID())
        defer { unlink(path) }
        try await copy.write(to: path)
        let leak = try await tagging.hear(path, master, ground.voice)
        guard let fit = leak.fits.first else {
            return CopyFindings(owner: .otherTrack, part: nil, speed: 1, heard: 0, agreeing: 0, confidence: 0)
        }
        let (naming, commons) = await offPool {
            let commons = ground.common.map { [$0] } ?? []
            let plans = commons + listeners.map { TagPlan(ground.slots, seed: $0.seed) }
            return (ListenerNaming(leak, plans), commons.count)
        }
        var owner = CopyFindings.Owner.unknown
        if let named = naming.named {
            if named.pattern < commons {
                owner = .everybody
            } else if let person = try await library.author(listeners[named.pattern - commons].account) {
                owner = .listener(person)
            }
        }
        return CopyFindings(
            owner: owner, part: fit.from...max(fit.from, fit.to), speed: fit.speed,
            heard: naming.best?.heard ?? fit.tags.count, agreeing: naming.best?.agreeing ?? 0,
            confidence: naming.best?.confidence ?? 0)
    }

    private struct Listener: Sendable {
        let account: AccountID
        let seed: UInt64
    }

    /// What previews of a track are made with, of whom there may be copies, and where its master lies.
    private func known(
        _ id: HubID, _ account: AccountID
    ) async throws(TrackRefusal) -> (ListenerTagging.Ground, [Listener], String) {
        try await change { database in
            let track = try own(id, account, in: database)
            let row = try Row.fetchOne(
                database.cachedStatement(sql: "SELECT * FROM trackTags WHERE item = ? AND state = 'ready'"),
                arguments: [id.text])
            guard let master = track.master, let row, let ground = ListenerTagging.Ground(row) else {
                throw TrackRefusal.notReady
            }
            let listeners = try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT account, seed FROM trackListeners WHERE item = ? AND made IS NOT NULL ORDER BY account"
                ),
                arguments: [id.text]
            ).map { Listener(account: $0["account"], seed: Self.seed($0)) }
            return (ground, listeners, library.films.file(master, .original))
        }
    }
}
