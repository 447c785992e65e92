internal import FoundationEssentials
internal import GRDB

/// What the viewer watches, for those who listen to it elsewhere than in a browser.
extension HubReader {
    /// How many items the viewer watches; 0 for a visitor.
    package func countOfWatched() async throws(LibraryError) -> Int {
        guard let account else { return 0 }
        return try await library.read { database in
            try Int.fetchOne(
                database.cachedStatement(
                    sql: "SELECT count(*) FROM itemMarks WHERE account = ? AND kind = 'watch'"), arguments: [account])
                ?? 0
        }
    }

    /// Which of some posts tell of an item that the viewer watches, whoever wrote them.
    package func watched(among sequences: [Int64]) async throws(LibraryError) -> Set<Int64> {
        guard let account, !sequences.isEmpty else { return [] }
        return try await library.read { database in
            try Int64.fetchSet(
                database.cachedStatement(
                    sql: """
                        SELECT list.value FROM json_each(?) AS list
                        WHERE ? IN (\(ItemMedia.watchers(of: "list.value")))
                        """), arguments: [try sequences.statementList(), account])
        }
    }
}
