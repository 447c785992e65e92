internal import GRDB

/// What the index of words still holds of items that went with their accounts.
extension HubLibrary {
    /// So many pages of the index are written in one transaction: others write in between.
    private static let mergedPages = 32

    /// Has the index forget the words of items that went with their accounts. It finds none of them any more, but has them in its
    /// table, marked as removed, until it is written anew; that is done here, piece by piece. What is begun when the program ends
    /// is done by the next sweep.
    func forgetErasedWords() async throws(LibraryError) {
        let erased = try await read { database in
            try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT erased FROM itemErasures WHERE erased > forgotten"))
        }
        guard let erased else { return }
        // A negative number begins to make one of all parts of the index; a positive one goes on with that.
        var pages = -Self.mergedPages
        var goesOn = true
        while goesOn {
            goesOn = try await write { [pages] database in
                let before = database.totalChangesCount
                try database.cachedStatement(sql: "INSERT INTO itemWords (itemWords, rank) VALUES ('merge', ?)")
                    .execute(
                        arguments: [pages])
                // The statement itself counts as one; with more there was something to write.
                return database.totalChangesCount - before > 1
            }
            pages = Self.mergedPages
        }
        try await write { database in
            try database.cachedStatement(sql: "UPDATE itemErasures SET forgotten = ?").execute(arguments: [erased])
        }
    }
}
