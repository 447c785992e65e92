internal import GRDB

extension Journal {
    /// Reads the whole database and compares it with itself (`PRAGMA quick_check`, sqlite.org/pragma.html).
    ///
    /// - Throws: ``JournalError/corrupt(path:reason:)`` with the first thing that is wrong.
    public func check() async throws(JournalError) {
        let path = path
        try await read { database in
            let verdict = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? "no answer"
            if verdict != "ok" { throw JournalError.corrupt(path: path, reason: verdict) }
        }
    }
}
