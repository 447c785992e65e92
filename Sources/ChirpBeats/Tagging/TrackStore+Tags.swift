package import ChirpAccounts
package import ChirpBoards
package import ChirpCommunity
internal import ChirpCore
internal import ChirpMusic
internal import FoundationEssentials
internal import GRDB

extension TrackStore {
    /// What has killed whoever did it so often is given up.
    static let mostTagTries = 3

    /// Says whether the previews of a track tell whose they are; its author does. Of those that were fetched it is known further on. May be repeated.
    package func setTag(_ isOn: Bool, of id: HubID, by account: AccountID) async throws(TrackRefusal) {
        try await change { database in
            let track = try own(id, account, in: database)
            guard isOn else {
                try database.cachedStatement(sql: "UPDATE trackTags SET isOn = 0 WHERE item = ?").execute(
                    arguments: [id.text])
                return
            }
            guard track.master != nil, track.progress == .ready else { throw TrackRefusal.notReady }
            try database.cachedStatement(
                sql: """
                    INSERT INTO trackTags (item, isOn, state, tries) VALUES (?, 1, 'waiting', 0)
                    ON CONFLICT (item) DO UPDATE SET isOn = 1, state = iif(state = 'failed', 'waiting', state),
                        tries = iif(state = 'failed', 0, tries), why = ''
                    """
            ).execute(arguments: [id.text])
        }
    }

    /// Nil: its author has never wished for that.
    package func tag(of id: HubID) async throws -> TrackTag? {
        try await library.reading { database in
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT isOn, state, why, (
                            SELECT COUNT(*) FROM trackListeners WHERE item = trackTags.item AND made IS NOT NULL
                        ) AS listeners FROM trackTags WHERE item = ?
                        """), arguments: [id.text])
            return row.flatMap { row in
                TrackTag.State(rawValue: row["state"]).map {
                    TrackTag(isOn: row["isOn"], state: $0, why: row["why"], listeners: row["listeners"])
                }
            }
        }
    }

    private struct DueTag: Sendable {
        let id, master: HubID
        let title, person: String
        let tries: Int
    }

    /// Finds out where a voice may be heard in one track whose author wishes for such previews. It is written down before and after, so whoever dies leaves
    /// it to the next one.
    ///
    /// - Returns: whether there was one.
    package func prepareNextTag(by tagging: ListenerTagging) async throws -> Bool {
        guard let due = try await library.transact({ try dueTag(in: $0) }) else { return false }
        guard due.tries <= Self.mostTagTries else {
            try await refuseTag(of: due.id, "whoever listened to it died over it")
            return true
        }
        do throws(ListenerTagging.Failure) {
            let ground = try await tagging.prepare(
                library.films.file(due.master, .original), due.master.text, due.person)
            try? await keep(ground, due)
        } catch {
            // The next errand tries again; the tries are counted.
            guard case .refused(let why) = error else { return false }
            try await refuseTag(of: due.id, why)
        }
        return true
    }

    private func dueTag(in database: Database) throws -> DueTag? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT trackTags.item, tries, master, author FROM trackTags JOIN tracks ON tracks.item = trackTags.item
                    JOIN works ON works.id = tracks.work
                    WHERE trackTags.state = 'waiting' AND isOn = 1 AND tracks.state = 'ready' AND master IS NOT NULL
                    ORDER BY tries, trackTags.item LIMIT 1
                    """))
        guard let row, let id = HubID(row["item"] as String), let master = HubID(row["master"] as String) else {
            return nil
        }
        let item: Item
        do { item = try track(id, for: row["author"], in: database).item } catch ItemRefusal.notFound {
            // No other track waits for one that its author does not see.
            try database.cachedStatement(sql: "UPDATE trackTags SET state = 'failed' WHERE item = ?").execute(
                arguments: [id.text])
            return nil
        }
        let tries = (row["tries"] as Int) + 1
        try database.cachedStatement(sql: "UPDATE trackTags SET tries = ? WHERE item = ?").execute(
            arguments: [tries, id.text])
        return DueTag(id: id, master: master, title: item.title, person: item.author.name, tries: tries)
    }

    private func keep(_ ground: ListenerTagging.Ground, _ due: DueTag) async throws {
        let encoder = JSONEncoder()
        let slots = String(decoding: try encoder.encode(ground.slots), as: UTF8.self)
        let common = try ground.common.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
        try await library.transact { database in
            try database.cachedStatement(
                sql: """
                    UPDATE trackTags SET state = 'ready', title = ?, person = ?, slots = ?, common = ?, voice = ?
                    WHERE item = ? AND state = 'waiting'
                        AND (SELECT master FROM tracks WHERE tracks.item = trackTags.item) = ?
                    """
            ).execute(arguments: [
                due.title, due.person, slots, common, Data(ground.voice), due.id.text, due.master.text,
            ])
        }
    }

    private func refuseTag(of id: HubID, _ why: String) async throws {
        try await library.transact { database in
            try database.cachedStatement(
                sql: "UPDATE trackTags SET state = 'failed', why = ? WHERE item = ? AND state = 'waiting'"
            ).execute(arguments: [PlainText(why, limit: 300).value, id.text])
        }
    }
}
