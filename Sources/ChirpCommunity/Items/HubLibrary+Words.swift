internal import ChirpDatabase
internal import GRDB

/// The upkeep of the index of words: its parts are brought together, and it forgets what went with accounts.
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
        if try await merge(-Self.mergedPages) { while try await mergeWords() {} }
        try await write { database in
            try database.cachedStatement(sql: "UPDATE itemErasures SET forgotten = ?").execute(arguments: [erased])
        }
    }

    /// Brings some parts of the index together: for the process on duty, every second. Every item makes a part of its own, and each part is
    /// looked at by whoever looks for a word.
    ///
    /// - Parameter content: does not count it; nil: nobody asks for that.
    /// - Returns: whether there may be more to do.
    package func mergeWords(_ content: ContentVersion? = nil) async throws(LibraryError) -> Bool {
        try await merge(Self.mergedPages, content)
    }

    /// - Returns: whether there was something to write.
    private func merge(_ pages: Int, _ content: ContentVersion? = nil) async throws(LibraryError) -> Bool {
        try await tidy(content) { database in
            let before = database.totalChangesCount
            try database.cachedStatement(sql: "INSERT INTO itemWords (itemWords, rank) VALUES ('merge', ?)")
                .execute(arguments: [pages])
            // The statement itself counts as one.
            return database.totalChangesCount - before > 1
        }
    }
}

/// The index of words leaves it to ``HubLibrary/mergeWords(_:)`` to bring its parts together. By itself it did so within the transaction of
/// whoever wrote the sixteenth item or so: with a million items that wrote 600 pages instead of 50.
enum WordMerging {
    static let steps = [
        SchemaStep(
            "words-001",
            """
            INSERT INTO itemWords (itemWords, rank) VALUES ('automerge', 0);
            -- So many parts of one size become one.
            INSERT INTO itemWords (itemWords, rank) VALUES ('usermerge', 8);
            -- Should nobody do it: so many parts of one size are brought together at once, all the same.
            INSERT INTO itemWords (itemWords, rank) VALUES ('crisismerge', 100);

            """)
    ]
}
