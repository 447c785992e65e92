package import ChirpAccounts
package import ChirpCommunity
internal import FoundationEssentials
package import GRDB

extension RequestStore {
    /// The producer says which of her own tracks was asked for. It may be a draft that nobody else sees. Another one may be said until it was
    /// handed over.
    package func bring(_ track: HubID, for id: HubID, by producer: AccountID) async throws(RequestRefusal) {
        try await refusing { database in
            let now = Accounts.milliseconds(library.now())
            guard let row = try RequestRow.find(id, in: database), row.request.producer == producer else {
                throw RequestRefusal.notFound
            }
            guard try AccountStanding(of: producer, at: now, in: database)?.isActive == true else {
                throw RequestRefusal.noAccount
            }
            guard row.request.state.phase == .paid else {
                throw RequestRefusal.notNow(.deliver, row.request.state.phase)
            }
            let item = try Items.item(track, board: board, for: .member(producer), library: library, in: database)
            let isReady = try Bool.fetchOne(
                database.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM tracks WHERE item = ? AND state = 'ready')"),
                arguments: [track.text])
            guard item?.author.id == producer, isReady == true else { throw RequestRefusal.notYours }
            try database.cachedStatement(sql: "UPDATE requests SET track = ? WHERE id = ?").execute(
                arguments: [track.text, id.text])
        }
    }

    /// The track that was brought for a request; nil: none yet.
    package func track(of id: HubID, in database: Database) throws -> HubID? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT track FROM requests WHERE id = ?"), arguments: [id.text]
        ).flatMap { HubID($0) }
    }

    /// Requests that were agreed on and have ended without a payment since an instant.
    func expired(since instant: Date) async throws(RequestRefusal) -> [HubID] {
        do {
            return try await library.reading { database in
                try String.fetchAll(
                    database.cachedStatement(
                        sql: "SELECT id FROM requests WHERE phase = 'expired' AND amount > 0 AND changed >= ? LIMIT 500"
                    ),
                    arguments: [Accounts.milliseconds(instant)]
                ).compactMap { HubID($0) }
            }
        } catch { throw RequestRefusal(error) }
    }
}
