internal import ChirpCore
internal import FoundationEssentials
internal import GRDB

extension Accounts {
    /// Of a person's name and of what is told about a person, in characters (``Swift/String/isWithin(_:)``).
    package static let (longestName, longestBio) = (60, 500)

    /// Says who somebody is. What is typed becomes plain text.
    ///
    /// - Parameters:
    ///   - name: empty means the handle.
    ///   - tags: what the person is here for; nil leaves that as it is.
    /// - Throws: ``AccountError/refused(_:_:)`` for `name` and `bio`.
    package func setProfile(of account: AccountID, name: String, bio: String, tags: Set<PersonTag>? = nil)
        async throws(AccountError)
    {
        let (name, bio) = (PlainText(name).value, PlainText(bio).value)
        guard name.isWithin(Self.longestName) else {
            throw .refused(.name, .nameLength)
        }
        guard bio.isWithin(Self.longestBio) else {
            throw .refused(.bio, .bioLength)
        }
        try await write { database in
            try database.cachedStatement(
                sql: "UPDATE accounts SET name = CASE ? WHEN '' THEN handle ELSE ? END, bio = ? WHERE id = ?"
            ).execute(arguments: [name, name, bio, account])
            if let tags, database.changesCount > 0 { try Self.set(tags, of: account, in: database) }
        }
    }

    /// Removes an account with its sessions, links and posts. The password was asked for again before.
    ///
    /// - Returns: the letter that was written down.
    /// - Throws: ``AccountError/refused(_:_:)`` for the owner, without whom nobody could run the hub.
    package func delete(_ account: AccountID) async throws(AccountError) -> AccountLetter? {
        try await write { database in
            guard let found = try Self.account("id = ?", [account], in: database) else { return nil }
            guard found.role != .owner else {
                throw AccountError.refused(.password, .ownerStays)
            }
            try erase(account, in: database)
            return try found.mail.map { try put(.deleted($0), for: nil, in: database) }
        }
    }

    /// Removes an account with all that is in it. Its name is nobody's from then on: links that led to a person never lead to another. One that
    /// was never confirmed was nobody's, so its name is free.
    func erase(_ account: AccountID, in database: Database) throws {
        if let found = try Self.account("id = ? AND state <> 'unconfirmed'", [account], in: database) {
            try Self.keep(found.handle, of: nil, at: Self.milliseconds(now()), in: database)
        }
        try credentials.carryOut(.erased, on: account, in: database)
        try isErasing(account, database)
        try database.cachedStatement(sql: "DELETE FROM accounts WHERE id = ?").execute(arguments: [account])
    }
}
