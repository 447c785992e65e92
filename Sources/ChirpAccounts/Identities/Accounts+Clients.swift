package import ChirpCore
internal import FoundationEssentials
internal import GRDB

/// What other servers have registered this hub as, so that it asks each of them once.
extension Accounts {
    /// How long what nobody uses is kept, in seconds.
    private static let longestClient = 180.0 * 24 * 3600

    /// The identifier and secret that a server has given; nil when it was not asked yet.
    ///
    /// - Parameter redirect: where browsers come back to: with another public address the hub is another client.
    /// - Returns: `namesIssuer` says whether each answer of the server has to name it (`iss`, RFC 9207).
    package func client(
        at server: String, redirect: String
    ) async throws(AccountError) -> (id: String, secret: Secret, namesIssuer: Bool)? {
        try await read { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: "SELECT id, secret, namesIssuer FROM identityClients WHERE server = ? AND redirect = ?"),
                arguments: [server, redirect]
            ).map { ($0["id"], Secret($0["secret"]), $0["namesIssuer"]) }
        }
    }

    /// Keeps what a server has given. Of two who have asked at once the second one's counts.
    package func keepClient(
        id: String, secret: Secret, namesIssuer: Bool, at server: String, redirect: String
    ) async throws(AccountError) {
        let now = Self.milliseconds(now())
        try await write { database in
            try database.cachedStatement(sql: "DELETE FROM identityClients WHERE used < ?").execute(arguments: [
                now - Int64(clamping: Self.longestClient * 1000)
            ])
            try database.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO identityClients (server, redirect, id, secret, namesIssuer, used)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [server, redirect, id, secret.reveal(), namesIssuer, now])
        }
    }

    /// Somebody came by it: it is kept on.
    package func clientUsed(at server: String) async throws(AccountError) {
        let now = Self.milliseconds(now())
        try await write { database in
            try database.cachedStatement(sql: "UPDATE identityClients SET used = ? WHERE server = ?").execute(
                arguments: [now, server])
        }
    }

    /// A server knows this hub no more, so it is asked anew next time.
    ///
    /// - Parameter idle: only where nobody has come by it for so long, in seconds. Where a browser alone says that it is so: with the client the
    ///   sign-ins of all who are away at that server would be over.
    package func forgetClient(at server: String, idle: Double = 0) async throws(AccountError) {
        let end = Self.milliseconds(now().addingTimeInterval(-idle))
        try await write { database in
            try database.cachedStatement(sql: "DELETE FROM identityClients WHERE server = ? AND used <= ?").execute(
                arguments: [server, end])
        }
    }

    /// How long a client stays that browsers come back from with a wrong `iss`, in seconds since its last use.
    package static let shortestClient = 24.0 * 3600
}
