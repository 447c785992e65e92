package import ChirpAccounts
package import ChirpNumbers
internal import GRDB

/// Notices as they come, for those who listen.
extension HubLibrary {
    /// The place of the newest notice, or the one it had.
    package func lastNotice() async throws(LibraryError) -> Int64 {
        try await read {
            try Int64.fetchOne($0.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = 'notices'")) ?? 0
        }
    }

    /// Whose notices lie behind a place, oldest first; nothing says whether they may see what these are about.
    package func noticed(after place: PageCursor, limit: Int) async throws(LibraryError) -> [(
        id: Int64, account: AccountID
    )] {
        try await read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT sequence, account FROM notices WHERE sequence > ? ORDER BY sequence LIMIT ?"),
                arguments: [place.row, limit]
            ).map { (id: $0["sequence"], account: $0["account"]) }
        }
    }
}
