package import ChirpAccounts
package import ChirpCore
package import FoundationEssentials
internal import GRDB

/// A block of addresses from which nobody signs up.
package struct AddressBan: Hashable, Sendable {
    package let prefix: String
    /// Nil: for good.
    package let until: Date?
    package let why: String
}

extension HubLibrary {
    /// The most blocks that are banned at once: each sign-up is compared with all of them.
    package static let mostAddressBans = 1000

    /// Whether nobody signs up from an address. What is no address is not banned.
    package func isBanned(address: String) async throws(LibraryError) -> Bool {
        guard let address = AddressBlock(address) else { return false }
        let now = Self.milliseconds(now())
        return try await read { database in
            try String.fetchAll(
                database.cachedStatement(sql: "SELECT prefix FROM bannedAddresses WHERE until IS NULL OR until > ?"),
                arguments: [now]
            ).contains { AddressBlock($0)?.contains(address) == true }
        }
    }

    /// The blocks that are banned now, for a moderator.
    package func addressBans(for moderator: AccountID) async throws(CaseError) -> [AddressBan] {
        let now = Self.milliseconds(now())
        return try await look { database in
            _ = try Self.rank(of: moderator, at: now, in: database)
            return try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT prefix, bannedAddresses.until AS ends, decisions.why
                        FROM bannedAddresses JOIN decisions ON decisions.sequence = bannedAddresses.decision
                        WHERE bannedAddresses.until IS NULL OR bannedAddresses.until > ? ORDER BY prefix
                        """), arguments: [now]
            ).map {
                AddressBan(prefix: $0["prefix"], until: ($0["ends"] as Int64?).map(Self.date), why: $0["why"])
            }
        }
    }

    /// Lets nobody sign up from a block of addresses. Who has an account signs in from there all the same.
    ///
    /// - Parameter days: nil: for good.
    package func ban(
        _ prefix: AddressBlock, days: Int?, why: String, by moderator: AccountID
    ) async throws(CaseError) {
        let why = try Verdict.text(why, field: "why", .decisionWithoutReason)
        guard days.map((1...3650).contains) ?? true else {
            throw .refused(field: "days", .days)
        }
        let now = Self.milliseconds(now())
        try await act { database in
            _ = try Self.rank(of: moderator, at: now, in: database)
            try database.cachedStatement(sql: "DELETE FROM bannedAddresses WHERE until <= ?").execute(arguments: [now])
            let count = try Int.fetchOne(database.cachedStatement(sql: "SELECT COUNT(*) FROM bannedAddresses")) ?? 0
            guard count < Self.mostAddressBans else {
                throw CaseError.refused(field: "prefix", .tooManyBlocks)
            }
            let until = days.map { now + Int64($0) * 86_400_000 }
            let decision = try Self.log(
                "address", case: nil, by: moderator, account: nil, until: until, why: "\(prefix): \(why)", at: now,
                in: database)
            try database.cachedStatement(
                sql: """
                    INSERT INTO bannedAddresses (prefix, until, decision) VALUES (?, ?, ?)
                    ON CONFLICT (prefix) DO UPDATE SET until = excluded.until, decision = excluded.decision
                    """
            ).execute(arguments: [prefix.description, until, decision])
        }
    }

    /// Lets people sign up from a block again.
    package func free(_ prefix: AddressBlock, by moderator: AccountID) async throws(CaseError) {
        let now = Self.milliseconds(now())
        try await act { database in
            _ = try Self.rank(of: moderator, at: now, in: database)
            try database.cachedStatement(sql: "DELETE FROM bannedAddresses WHERE prefix = ?").execute(arguments: [
                prefix.description
            ])
            guard database.changesCount == 1 else { throw CaseError.changedMeanwhile }
            _ = try Self.log(
                "address-free", case: nil, by: moderator, account: nil, why: prefix.description, at: now, in: database)
        }
    }

    /// Whether a mail address is banned, within the transaction that signs somebody up: its mailbox is, or the address itself was by a
    /// release before.
    static func isBanned(_ mail: MailAddress, at now: Int64, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM bannedMails WHERE hash IN (?, ?) AND (until IS NULL OR until > ?)"),
            arguments: [digest(ofMail: mail.mailbox), digest(ofMail: mail.text), now]) ?? false
    }
}
