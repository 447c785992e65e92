internal import ChirpCore
internal import FoundationEssentials
internal import GRDB

extension Accounts {
    /// How long a program stays registered that nobody has let in, in seconds.
    package static let longestUnusedApp = 30.0 * 24 * 3600

    /// Registers a program.
    ///
    /// - Parameters:
    ///   - name: becomes plain text.
    /// - Returns: the program, and its secret, which is known only now.
    package func register(
        name: String, website: String, redirects: [RedirectAddress], scopes: String
    ) async throws(AccountError) -> (app: ClientApp, secret: OpaqueToken) {
        let secret = OpaqueToken()
        let now = Self.milliseconds(now())
        let app = try await write { database in
            // Registering is for everybody, so what came of it and was never used does not stay.
            try database.cachedStatement(
                sql: "DELETE FROM apps WHERE used < ? AND NOT EXISTS (SELECT 1 FROM tokens WHERE tokens.app = apps.id)"
            ).execute(arguments: [now - Int64(clamping: Self.longestUnusedApp * 1000)])
            return try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        INSERT INTO apps (id, secret, name, website, redirects, scopes, used) VALUES (?, ?, ?, ?, ?, ?, ?)
                        RETURNING \(ClientApp.columns)
                        """),
                arguments: [
                    "\(RandomName(length: 32))", Data(secret.digest), PlainText(name, limit: 100).value, website,
                    redirects.map(\.text).joined(separator: "\n"), scopes, now,
                ]
            ).map(ClientApp.init)
        }
        guard let app else { throw .inputOutput(reason: "a program was not kept") }
        return (app, secret)
    }

    /// A program by its identifier; nil when there is none.
    package func app(_ id: ClientApp.ID) async throws(AccountError) -> ClientApp? {
        try await read { database in
            try Row.fetchOne(
                database.cachedStatement(sql: "SELECT \(ClientApp.columns) FROM apps WHERE id = ?"), arguments: [id]
            ).map(ClientApp.init)
        }
    }

    /// Whether a program has shown its own secret.
    package func isRight(_ secret: OpaqueToken, of id: ClientApp.ID) async throws(AccountError) -> Bool {
        try await read { database in
            try Bool.fetchOne(
                database.cachedStatement(sql: "SELECT 1 FROM apps WHERE id = ? AND secret = ?"),
                arguments: [id, Data(secret.digest)]) ?? false
        }
    }
}
