internal import GRDB

extension HubLibrary {
    /// Tells of each statement by which this process writes to the library from now on, as SQL without its values. A test hears by it that no
    /// address writes when it is only read.
    package func onWriting(_ note: @escaping @Sendable (_ sql: String) -> Void) async throws(LibraryError) {
        try await write { database in
            database.trace(options: .statement) { event in
                guard case .statement(let statement) = event else { return }
                let sql = statement.sql
                if Self.writes(sql) { note(sql) }
            }
        }
    }

    /// A statement may begin with a common table (sqlite.org/lang_with.html). Triggers tell of themselves as comments; what has woken them was
    /// told before.
    private static func writes(_ sql: String) -> Bool {
        let words = sql.uppercased().split(whereSeparator: { !$0.isLetter })
        guard words.first == "WITH" else { return words.first.map { writing.contains(String($0)) } ?? false }
        return words.contains { writing.contains(String($0)) }
    }

    private static let writing: Set = ["INSERT", "UPDATE", "DELETE", "REPLACE"]
}
