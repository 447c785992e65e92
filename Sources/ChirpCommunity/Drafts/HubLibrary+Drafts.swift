package import ChirpAccounts
internal import ChirpCore
internal import FoundationEssentials
internal import GRDB

/// Drafts of members: seen, changed, removed. Others' are as if they were not there.
extension HubLibrary {
    /// At most so many drafts are listed.
    package static let mostDrafts = 100

    /// The newest drafts of somebody, newest first, ``mostDrafts`` at most; what was published is none any more.
    package func drafts(of owner: AccountID) async throws(LibraryError) -> [HubDraft] {
        try await read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT \(HubDraft.columns) FROM drafts JOIN media ON media.id = drafts.id
                        WHERE media.owner = ? AND drafts.post IS NULL ORDER BY media.created DESC, drafts.id
                        LIMIT ?
                        """), arguments: [owner, Self.mostDrafts]
            ).compactMap(HubDraft.init)
        }
    }

    /// A draft, also one that was published.
    package func draft(_ id: HubID) async throws(LibraryError) -> HubDraft? {
        try await read { try Self.draft(id, in: $0) }
    }

    static func draft(_ id: HubID, in database: Database) throws -> HubDraft? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT \(HubDraft.columns) FROM drafts JOIN media ON media.id = drafts.id WHERE drafts.id = ?
                    """), arguments: [id.text]
        ).flatMap(HubDraft.init)
    }

    /// How many bytes of a draft's recording are here.
    package func recorded(_ draft: HubDraft) async -> Int64 {
        await offPool { [uploads] in uploads.size(of: draft.id) } ?? 0
    }

    /// Begins the draft of an upload, within its transaction.
    func beginDraft(_ id: HubID, title: String, at instant: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO drafts (id, title, take, touched) VALUES (?, ?, ?, ?)").execute(
            arguments: [id.text, title, HubID().text, instant])
    }

    /// What a change of a draft has led to.
    package struct DraftChange: Hashable, Sendable {
        package let draft: HubDraft
        /// The clip has to be made anew.
        package let isNew: Bool
    }

    /// Writes down what somebody wants of a draft. Another title or part makes another clip, which has another id.
    ///
    /// - Returns: nil when there is no such draft of this account.
    package func change(
        _ id: HubID, of owner: AccountID, to wish: HubDraft.Wish, text: String
    ) async throws(LibraryError) -> DraftChange? {
        let now = Self.milliseconds(now())
        let (change, old) = try await write { database -> (DraftChange?, HubID?) in
            guard let draft = try Self.draft(id, in: database), draft.owner == owner, draft.published == nil else {
                return (nil, nil)
            }
            let isNew = try Self.want(wish, of: draft, in: database)
            try database.cachedStatement(sql: "UPDATE drafts SET text = ?, touched = ? WHERE id = ?").execute(
                arguments: [text, now, id.text])
            guard let after = try Self.draft(id, in: database) else { return (nil, nil) }
            return (DraftChange(draft: after, isNew: isNew), isNew ? draft.take : nil)
        }
        if let old { try await dropTake(old) }
        return change
    }

    /// - Returns: whether that is another clip.
    static func want(_ wish: HubDraft.Wish, of draft: HubDraft, in database: Database) throws -> Bool {
        guard wish != draft.wish else { return false }
        try database.cachedStatement(
            sql: """
                UPDATE drafts SET title = ?, start = ?, stop = ?, take = ?, bytes = NULL, sha256 = NULL,
                    seconds = NULL, peaks = NULL, receipt = NULL, why = NULL WHERE id = ?
                """
        ).execute(arguments: [wish.title, wish.from, wish.to, HubID().text, draft.id.text])
        // What had died over another part is no fault of this one.
        try database.cachedStatement(sql: "UPDATE media SET tries = 0 WHERE id = ?").execute(arguments: [draft.id.text])
        return true
    }

    /// Removes the file of a clip that no draft wants any more, and that is no clip. There may be none.
    package func dropTake(_ take: HubID) async throws(LibraryError) {
        let isWanted = try await read { database in
            try Bool.fetchOne(
                database.cachedStatement(
                    sql: "SELECT 1 FROM clips WHERE id = ?1 UNION SELECT 1 FROM drafts WHERE take = ?1"),
                arguments: [take.text]) ?? false
        }
        guard !isWanted else { return }
        try await offPool { [media] () throws(LibraryError) in try media.remove(take) }
    }

    /// Whether a file of that name is the clip of a draft.
    func isTake(_ id: HubID) async throws(LibraryError) -> Bool {
        try await read { database in
            try Bool.fetchOne(
                database.cachedStatement(sql: "SELECT 1 FROM drafts WHERE take = ?"), arguments: [id.text]) ?? false
        }
    }

    /// Removes a draft with its recording, also while that is received.
    ///
    /// - Returns: false when there is none of this account.
    package func removeDraft(_ id: HubID, of owner: AccountID) async throws(LibraryError) -> Bool {
        let take = try await write { database -> HubID? in
            guard let draft = try Self.draft(id, in: database), draft.owner == owner, draft.published == nil else {
                return nil
            }
            try database.cachedStatement(sql: "DELETE FROM media WHERE id = ?").execute(arguments: [id.text])
            return draft.take
        }
        guard let take else { return false }
        // The row first: what is left behind by a process that dies here is swept.
        await offPool { [uploads] in uploads.remove(id) }
        try await dropTake(take)
        return true
    }

    /// Removes drafts that nobody has touched for long.
    func sweepDrafts(at instant: Date) async throws(LibraryError) -> Int {
        let limit = Self.milliseconds(instant.addingTimeInterval(-HubDraft.patience))
        let old = try await write { database -> [HubDraft] in
            let old = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT \(HubDraft.columns) FROM drafts JOIN media ON media.id = drafts.id
                        WHERE drafts.touched <= ? AND drafts.post IS NULL AND media.state <> 'receiving'
                        """), arguments: [limit]
            ).compactMap(HubDraft.init)
            for draft in old {
                try database.cachedStatement(sql: "DELETE FROM media WHERE id = ?").execute(arguments: [draft.id.text])
            }
            return old
        }
        for draft in old {
            await offPool { [uploads] in uploads.remove(draft.id) }
            try await dropTake(draft.take)
        }
        return old.count
    }
}
