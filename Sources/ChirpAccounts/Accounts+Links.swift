internal import ChirpCore
package import FoundationEssentials
internal import GRDB

/// A link that works once.
package struct AccountLink: Sendable {
    /// What it may do.
    package enum Purpose: String, Hashable, Sendable {
        /// Signs the owner in, who has no password on a personal hub.
        case owner
        /// Lets somebody sign up where that needs an invitation.
        case invite
        /// Confirms the mail address of an account, or the one that it changes to.
        case confirm
        /// Sets a new password.
        case reset
        /// Lets somebody whose account is closed appeal, after the password was right.
        case appeal

        /// How long it works, in seconds.
        var lifetime: Double {
            switch self {
            case .owner, .confirm, .reset, .appeal: 30 * 60
            case .invite: 7 * 24 * 3600
            }
        }
    }

    package let token: OpaqueToken
    package let purpose: Purpose
    package let expires: Date
}

extension Accounts {
    /// Makes a link that signs the owner in.
    ///
    /// - Throws: ``AccountError/deadLink`` in a hub without an owner.
    package func ownerLink() async throws(AccountError) -> AccountLink {
        try await write { database in
            guard let owner = try Self.account("role = 'owner' ORDER BY rowid LIMIT 1", [], in: database) else {
                throw AccountError.deadLink
            }
            return try link(.owner, account: owner.id, in: database)
        }
    }

    /// Makes a link by which somebody can sign up.
    package func invitation() async throws(AccountError) -> AccountLink {
        try await write { try link(.invite, account: nil, in: $0) }
    }

    /// Whether a link still works. Looking does not use it up: programs that look through mail follow links too.
    package func works(_ token: OpaqueToken, as purpose: AccountLink.Purpose) async throws(AccountError) -> Bool {
        let now = Self.milliseconds(now())
        return try await read { database in
            try Bool.fetchOne(
                database.cachedStatement(sql: "SELECT 1 FROM links WHERE digest = ? AND purpose = ? AND expires > ?"),
                arguments: [Data(token.digest), purpose.rawValue, now]) ?? false
        }
    }

    /// Whose account a link is for; nil when it works no more. It is not used up.
    package func account(
        of token: OpaqueToken, as purpose: AccountLink.Purpose
    ) async throws(AccountError) -> AccountID? {
        let now = Self.milliseconds(now())
        return try await read { database in
            try AccountID.fetchOne(
                database.cachedStatement(
                    sql: "SELECT account FROM links WHERE digest = ? AND purpose = ? AND expires > ?"),
                arguments: [Data(token.digest), purpose.rawValue, now])
        }
    }

    /// Signs the owner in by a link, which is used up.
    ///
    /// - Throws: ``AccountError/deadLink``.
    package func signIn(byOwnerLink token: OpaqueToken, agent: String) async throws(AccountError) -> Session {
        try await write { database in
            guard let account = try useUp(token, as: .owner, in: database).account else {
                throw AccountError.deadLink
            }
            return try begin(account, agent: agent, in: database)
        }
    }

    /// Writes a link down.
    func link(
        _ purpose: AccountLink.Purpose, account: AccountID?, mail: MailAddress? = nil,
        token: OpaqueToken = OpaqueToken(),
        in database: Database
    ) throws -> AccountLink {
        try database.cachedStatement(sql: "DELETE FROM links WHERE expires <= ?").execute(arguments: [
            Self.milliseconds(now())
        ])
        let expires = now().addingTimeInterval(purpose.lifetime)
        try database.cachedStatement(
            sql: "INSERT INTO links (digest, purpose, account, mail, expires) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [Data(token.digest), purpose.rawValue, account, mail?.text, Self.milliseconds(expires)])
        return AccountLink(token: token, purpose: purpose, expires: expires)
    }

    /// Takes a link out, so that of two who use it at once one comes first and the other is refused.
    func useUp(
        _ token: OpaqueToken, as purpose: AccountLink.Purpose, in database: Database
    ) throws -> (account: AccountID?, mail: MailAddress?) {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "DELETE FROM links WHERE digest = ? AND purpose = ? AND expires > ? RETURNING account, mail"),
            arguments: [Data(token.digest), purpose.rawValue, Self.milliseconds(now())])
        guard let row else { throw AccountError.deadLink }
        return (row["account"], (row["mail"] as String?).map(MailAddress.init(stored:)))
    }
}
