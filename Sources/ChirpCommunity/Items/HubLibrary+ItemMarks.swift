package import ChirpAccounts
internal import FoundationEssentials
package import GRDB

extension HubLibrary {
    /// How many of the things that somebody has opened are remembered (LF-10).
    package static let mostViews = 200

    /// Puts a mark to an item, or takes it away. May be repeated: it counts once. Up and down exclude each other; opening again makes
    /// it the newest of those that were opened. On boards that have votes ``vote(_:on:board:by:from:)`` puts up and down.
    ///
    /// - Throws: ``ItemRefusal/notFound`` for one that the account does not see, ``ItemRefusal/noAccount``.
    package func mark(
        _ item: HubID, _ mark: ItemMark, isOn: Bool, by account: AccountID
    ) async throws(ItemRefusal) {
        try await refusing { database in
            try Items.mark(item, mark, isOn: isOn, by: account, library: self, in: database)
        }
    }

    /// Takes all of the account's marks of a kind away, such as "viewed".
    package func clearMarks(_ mark: ItemMark, of account: AccountID) async throws(LibraryError) {
        try await write { try Items.clearMarks(mark, of: account, in: $0) }
    }
}

extension Items {
    /// The same within a transaction that also asks whether it may be done.
    ///
    /// - Throws: ``ItemRefusal``, as ``HubLibrary/mark(_:_:isOn:by:)`` does; then the transaction has to end with it.
    package static func mark(
        _ item: HubID, _ mark: ItemMark, isOn: Bool, by account: AccountID, library: HubLibrary, in database: Database
    ) throws {
        if mark == .up || mark == .down, try Votes.areOnBoard(of: item, in: database) { throw ItemRefusal.notFound }
        guard isOn else {
            try database.cachedStatement(
                sql: """
                    DELETE FROM itemMarks WHERE account = ? AND kind = ?
                        AND item = (SELECT sequence FROM items WHERE id = ?)
                    """
            ).execute(arguments: [account, mark.rawValue, item.text])
            return
        }
        let now = HubLibrary.milliseconds(library.now())
        guard try HubLibrary.isActive(account, at: now, in: database) else { throw ItemRefusal.noAccount }
        let visible = library.seen(by: .member(account)).visibleItems
        let sequence = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT items.sequence FROM items WHERE items.id = ? AND \(visible.sql)"),
            arguments: [item.text] + visible.arguments)
        guard let sequence else { throw ItemRefusal.notFound }
        try database.cachedStatement(
            sql: """
                INSERT INTO itemMarks (account, kind, item, at) VALUES (?, ?, ?, ?)
                ON CONFLICT (account, kind, item) DO UPDATE SET at = excluded.at WHERE excluded.kind = 'view'
                """
        ).execute(arguments: [account, mark.rawValue, sequence, now])
        switch mark {
        case .up, .down:
            let other = mark == .up ? ItemMark.down : .up
            try database.cachedStatement(sql: "DELETE FROM itemMarks WHERE account = ? AND kind = ? AND item = ?")
                .execute(arguments: [account, other.rawValue, sequence])
        case .view:
            try database.cachedStatement(
                sql: """
                    DELETE FROM itemMarks WHERE account = ?1 AND kind = 'view' AND item IN (
                        SELECT item FROM itemMarks WHERE account = ?1 AND kind = 'view'
                        ORDER BY at DESC, item DESC LIMIT -1 OFFSET \(HubLibrary.mostViews))
                    """
            ).execute(arguments: [account])
        case .save, .watch: break
        }
    }

    /// A question in SQL for the `account` of each who has put a mark to an item, for boards that tell them something.
    package static func people(
        marking item: HubID, _ mark: ItemMark
    ) -> (sql: String, arguments: StatementArguments) {
        (
            """
            SELECT itemMarks.account FROM items CROSS JOIN itemMarks ON itemMarks.item = items.sequence
            WHERE items.id = ? AND itemMarks.kind = ?
            """, [item.text, mark.rawValue]
        )
    }

    /// The same as ``HubLibrary/clearMarks(_:of:)`` within a transaction.
    package static func clearMarks(_ mark: ItemMark, of account: AccountID, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM itemMarks WHERE account = ? AND kind = ?").execute(
            arguments: [account, mark.rawValue])
    }
}

extension HubReader {
    /// Which marks the viewer has put to items.
    package func marks(of items: [HubID]) async throws(LibraryError) -> [HubID: Set<ItemMark>] {
        guard let account, !items.isEmpty else { return [:] }
        return try await library.read { database in
            let list = try items.map(\.text).statementList()
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT items.id, itemMarks.kind FROM json_each(?) AS list JOIN items ON items.id = list.value
                        JOIN itemMarks ON itemMarks.item = items.sequence AND itemMarks.account = ?
                        """), arguments: [list, account])
            var found: [HubID: Set<ItemMark>] = [:]
            for row in rows {
                guard let id = HubID(row["id"] as String), let mark = ItemMark(rawValue: row["kind"]) else { continue }
                found[id, default: []].insert(mark)
            }
            return found
        }
    }
}
