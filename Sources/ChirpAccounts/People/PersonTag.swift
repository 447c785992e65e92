package import GRDB

/// What somebody is here for, as she says herself; several may be true. It gives no rights.
package enum PersonTag: String, Hashable, Sendable, CaseIterable {
    /// Makes beats and music.
    case producer
    /// Speaks, sings, plays.
    case artist
    /// Listens.
    case user

    /// Somebody's, in the order of their declaration.
    package static func of(_ account: AccountID, in database: Database) throws -> [PersonTag] {
        let found = Set(
            try String.fetchAll(
                database.cachedStatement(sql: "SELECT tag FROM tags4people WHERE account = ?"), arguments: [account]))
        return allCases.filter { found.contains($0.rawValue) }
    }
}

extension Accounts {
    /// What somebody says to be here for.
    package func tags(of account: AccountID) async throws(AccountError) -> [PersonTag] {
        try await read { try PersonTag.of(account, in: $0) }
    }

    static func set(_ tags: Set<PersonTag>, of account: AccountID, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM tags4people WHERE account = ?").execute(arguments: [account])
        for tag in tags {
            try database.cachedStatement(sql: "INSERT INTO tags4people (account, tag) VALUES (?, ?)").execute(
                arguments: [account, tag.rawValue])
        }
    }
}
