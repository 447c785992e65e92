package import ChirpAccounts
package import FoundationEssentials
package import GRDB

extension Items {
    /// From one of some states to another; with one row changed, so that of two callers one wins. An ended one that opens again is
    /// not ended any more.
    ///
    /// - Parameters:
    ///   - outcome: how it was settled.
    ///   - reason: why it was withdrawn, plain text.
    ///   - account: its author; nil: the hub itself, such as a sweep or a decision, which also moves what is frozen, but lets none of
    ///     that expire.
    /// - Throws: ``ItemRefusal``: ``ItemRefusal/notFound`` for anybody but its author, ``ItemRefusal/state(_:)`` when it is in none of the
    ///   states, ``ItemRefusal/frozen``.
    package static func move(
        _ id: HubID, from: Set<Item.State>, to state: Item.State, outcome: String = "", reason: String = "",
        by account: AccountID?, library: HubLibrary, in database: Database
    ) throws {
        let row = try ItemStanding(id, in: database)
        guard account == nil || account == row.account else { throw ItemRefusal.notFound }
        guard from.contains(row.state), row.state != state else { throw ItemRefusal.state(row.state) }
        guard !row.isFrozen || account == nil && state != .expired else { throw ItemRefusal.frozen }
        let outcome = try ItemDraft.plain(outcome, "outcome", most: ItemDraft.mostName)
        let reason = try ItemDraft.plain(reason, "reason", most: ItemDraft.mostReason, isOneLine: false)
        let now = HubLibrary.milliseconds(library.now())
        let hasEnded = state == .settled || state == .withdrawn || state == .expired
        let sequence = row.state == .draft && state == .open ? try placeAnew(row.sequence, in: database) : row.sequence
        try database.cachedStatement(
            sql: """
                UPDATE items SET state = ?, outcome = ?, reason = ?, ended = ?, changed = ?, version = version + 1
                WHERE sequence = ? AND state = ?
                """
        ).execute(arguments: [state.rawValue, outcome, reason, hasEnded ? now : nil, now, sequence, row.state.rawValue])
        guard database.changesCount == 1 else { throw ItemRefusal.state(row.state) }
        guard state == .open else { return }
        try database.cachedStatement(
            sql: "UPDATE clips SET shared = 1 WHERE id = (SELECT clip FROM items WHERE sequence = ?)"
        ).execute(arguments: [sequence])
    }

    /// A draft that appears does so as the newest: whoever pages through a list has the older ones behind her.
    private static func placeAnew(_ item: Int64, in database: Database) throws -> Int64 {
        // Only inserting raises it by itself (sqlite.org/autoinc.html).
        try database.cachedStatement(sql: "UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'items'").execute()
        let next = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = 'items'"))
        guard let next else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "items has no numbers") }
        try database.cachedStatement(sql: "UPDATE items SET sequence = ? WHERE sequence = ?").execute(arguments: [
            next, item,
        ])
        return next
    }

    /// A later end, for one that is open.
    ///
    /// - Throws: ``ItemRefusal``, as ``move(_:from:to:outcome:reason:by:library:in:)`` does.
    package static func renew(
        _ id: HubID, until: Date, by account: AccountID, library: HubLibrary, in database: Database
    ) throws {
        let row = try ItemStanding(id, in: database)
        guard account == row.account else { throw ItemRefusal.notFound }
        guard row.state == .open else { throw ItemRefusal.state(row.state) }
        guard !row.isFrozen else { throw ItemRefusal.frozen }
        let now = HubLibrary.milliseconds(library.now())
        try database.cachedStatement(
            sql: """
                UPDATE items SET expires = max(COALESCE(expires, 0), ?), changed = ?, version = version + 1
                WHERE sequence = ? AND state = 'open'
                """
        ).execute(arguments: [HubLibrary.milliseconds(until), now, row.sequence])
    }

    /// Takes one, or a part of one, from everybody's sight but its author's, or lets it be seen again. May be repeated; there may be none.
    ///
    /// - Parameter instant: when, in ms; its page says since when it is not to be seen.
    package static func hide(
        _ id: HubID, _ isHidden: Bool, at instant: Int64? = nil, in database: Database
    ) throws {
        try database.cachedStatement(sql: "UPDATE items SET hidden = ?, hiddenAt = ? WHERE id = ? AND hidden <> ?")
            .execute(arguments: [isHidden, isHidden ? instant : nil, id.text, isHidden])
        try ItemParts.hide(id, isHidden, in: database)
    }

    /// Keeps its author from changing it while a case is about whose it is. May be repeated; there may be none.
    package static func freeze(_ id: HubID, _ isFrozen: Bool, in database: Database) throws {
        try database.cachedStatement(sql: "UPDATE items SET frozen = ? WHERE id = ? AND frozen <> ?").execute(
            arguments: [isFrozen, id.text, isFrozen])
    }

    /// Lets somebody see the place itself, such as the other side of an accepted claim. May be repeated.
    package static func letSeePlace(
        of id: HubID, _ account: AccountID, at instant: Int64, in database: Database
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO itemSight (item, account, since) SELECT sequence, ?, ? FROM items WHERE id = ?
                ON CONFLICT DO NOTHING
                """
        ).execute(arguments: [account, instant, id.text])
    }
}
