internal import FoundationEssentials
internal import GRDB

/// The names of accounts: who may have one, and what becomes of the one before.
extension Accounts {
    /// How long a name is kept at least, in seconds.
    package static let shortestName = 30.0 * 24 * 3600

    /// Gives an account another name; the one before stays hers and leads to the new one. The password was asked for again before.
    ///
    /// - Returns: the letter that was written down.
    /// - Throws: ``AccountError/refused(_:_:)`` for a name that somebody has or had, ``AccountError/tooOften(seconds:)`` within
    ///   ``shortestName`` of the last change.
    package func changeHandle(of account: AccountID, to handle: Handle) async throws(AccountError) -> AccountLetter? {
        let now = Self.milliseconds(now())
        return try await write { database in
            guard let person = try Self.account("id = ?", [account], in: database) else { throw AccountError.deadLink }
            guard person.handle != handle else { throw AccountError.refused(.handle, .handleSame) }
            let last = try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT MAX(changed) FROM formerHandles WHERE account = ?"),
                arguments: [account])
            // Never longer than the rule says, wherever the clock was.
            let wait = last.map { min($0, now) + Int64(clamping: Self.shortestName * 1000) - now } ?? 0
            guard wait <= 0 else { throw AccountError.tooOften(seconds: Int((wait + 999) / 1000)) }
            try Self.requireFree(handle, for: account, in: database)
            // One's own former name may be taken back.
            try database.cachedStatement(sql: "DELETE FROM formerHandles WHERE handle = ? AND account = ?").execute(
                arguments: [handle.text, account])
            try Self.keep(person.handle, of: account, at: now, in: database)
            try database.cachedStatement(sql: "UPDATE accounts SET handle = ?, skeleton = ? WHERE id = ?").execute(
                arguments: [handle.text, handle.skeleton, account])
            guard let mail = person.mail else { return nil }
            return try put(.changed(mail, what: AccountChange.handle.rawValue), for: account, in: database)
        }
    }

    /// Keeps a name from others when its account leaves it.
    ///
    /// - Parameters:
    ///   - account: nil for one that is erased.
    ///   - now: in milliseconds since 1970.
    static func keep(_ handle: Handle, of account: AccountID?, at now: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO formerHandles (handle, skeleton, account, changed) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [handle.text, handle.skeleton, account, now])
    }

    /// Refuses a name that the hub keeps for itself, that an account has or had, or that looks like one of these. Every name that an account is
    /// given passes here.
    ///
    /// - Parameter account: whose own names are no hindrance.
    static func requireFree(_ handle: Handle, for account: AccountID? = nil, in database: Database) throws {
        guard !handle.isReserved else { throw AccountError.refused(.handle, .handleReserved) }
        let looksTaken = try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM accounts WHERE (handle = :name OR skeleton = :look) AND id IS NOT :me)
                        OR EXISTS (SELECT 1 FROM formerHandles
                            WHERE (handle = :name OR skeleton = :look) AND (account IS NULL OR account IS NOT :me))
                    """), arguments: ["name": handle.text, "look": handle.skeleton, "me": account])
        guard looksTaken != true else {
            throw AccountError.refused(.handle, .handleTaken)
        }
    }
}
