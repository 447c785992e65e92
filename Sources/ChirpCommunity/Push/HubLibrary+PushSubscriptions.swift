package import ChirpAccounts
internal import ChirpCore
package import FoundationEssentials
internal import GRDB

/// A browser that is told, as its owner sees it in a list.
package struct PushEntry: Hashable, Sendable, Identifiable {
    /// By which it is ended; no secret.
    package let id: String
    /// The browser, as it called itself when it signed in; plain text.
    package let agent: String
    package let created: Date
    /// It is the browser that asks.
    package let isHere: Bool
}

extension HubLibrary {
    /// The most browsers of an account that are told. One more ends the oldest.
    package static let mostPushSubscriptions = 10

    /// Has a browser told of notices for as long as it is signed in. A browser that was subscribed, by whomever, is told for this account.
    ///
    /// - Parameters:
    ///   - session: the sign-in of the browser.
    ///   - endpoint: checked by the caller, as the keys are.
    ///   - language: what its reader reads, by the code of ISO 639-1.
    /// - Returns: its id; nil when there is no such sign-in, or the account may have none (``AccountCredential/pushSubscription``).
    package func subscribe(
        _ account: AccountID, session: OpaqueToken, endpoint: String, key: [UInt8], secret: [UInt8], language: String
    ) async throws(LibraryError) -> String? {
        let now = Self.milliseconds(now())
        return try await write { database in
            let signedIn = try String.fetchOne(
                database.cachedStatement(
                    sql: "SELECT id FROM sessions WHERE digest = ? AND account = ? AND expires > ?"),
                arguments: [Data(session.digest), account, now])
            guard let signedIn, try Accounts.mayHave(.pushSubscription, account, in: database) else { return nil }
            let found = try Row.fetchOne(
                database.cachedStatement(sql: "SELECT id, session FROM pushSubscriptions WHERE endpoint = ?"),
                arguments: [endpoint])
            if let found, found["session"] == signedIn {
                try database.cachedStatement(
                    sql: "UPDATE pushSubscriptions SET p256dh = ?, auth = ?, language = ? WHERE endpoint = ?"
                ).execute(arguments: [Data(key), Data(secret), language, endpoint])
                return found["id"]
            }
            // What waits for whoever was signed in there before goes too, and so do those that the browser has given up.
            try database.cachedStatement(sql: "DELETE FROM pushSubscriptions WHERE endpoint = ? OR session = ?")
                .execute(arguments: [endpoint, signedIn])
            try database.cachedStatement(
                sql: """
                    DELETE FROM pushSubscriptions WHERE id IN (
                        SELECT id FROM pushSubscriptions WHERE account = ? ORDER BY created DESC, rowid DESC
                        LIMIT -1 OFFSET \(Self.mostPushSubscriptions - 1))
                    """
            ).execute(arguments: [account])
            let id = "\(RandomName(length: 16))"
            try database.cachedStatement(
                sql: """
                    INSERT INTO pushSubscriptions (id, account, session, endpoint, p256dh, auth, language, created)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [id, account, signedIn, endpoint, Data(key), Data(secret), language, now])
            return id
        }
    }

    /// An account's browsers that are told, the newest first.
    ///
    /// - Parameter session: of the browser that asks.
    package func pushSubscriptions(
        of account: AccountID, from session: OpaqueToken?
    ) async throws(LibraryError) -> [PushEntry] {
        let now = Self.milliseconds(now())
        let digest = session.map { Data($0.digest) } ?? Data()
        return try await read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT pushSubscriptions.id, agent, pushSubscriptions.created, digest = ? AS isHere
                        FROM pushSubscriptions JOIN sessions ON sessions.id = session
                        WHERE pushSubscriptions.account = ? AND expires > ?
                        ORDER BY pushSubscriptions.created DESC, pushSubscriptions.id
                        """), arguments: [digest, account, now]
            ).map {
                PushEntry(id: $0["id"], agent: $0["agent"], created: Self.date($0["created"]), isHere: $0["isHere"])
            }
        }
    }

    /// Tells one of an account's browsers nothing any more.
    ///
    /// - Returns: whether there was one.
    package func unsubscribe(_ id: String, of account: AccountID) async throws(LibraryError) -> Bool {
        try await write { database in
            try database.cachedStatement(sql: "DELETE FROM pushSubscriptions WHERE id = ? AND account = ?").execute(
                arguments: [id, account])
            return database.changesCount == 1
        }
    }

    /// The same for the browser of a sign-in, which need not know its id.
    package func unsubscribe(session: OpaqueToken, of account: AccountID) async throws(LibraryError) {
        try await write { database in
            try database.cachedStatement(
                sql: """
                    DELETE FROM pushSubscriptions
                    WHERE account = ? AND session = (SELECT id FROM sessions WHERE digest = ?)
                    """
            ).execute(arguments: [account, Data(session.digest)])
        }
    }
}
