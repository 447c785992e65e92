internal import Crypto
package import FoundationEssentials
package import GRDB

/// The picture that somebody shows of herself: a JPEG that this program has made.
package struct Portrait: Hashable, Sendable {
    package let jpeg: [UInt8]
    /// Lower-case hexadecimal.
    package let sha256: String
    package let created: Date

    package init(jpeg: [UInt8], sha256: String, created: Date) {
        (self.jpeg, self.sha256, self.created) = (jpeg, sha256, created)
    }

    /// Somebody's; nil when there is none.
    package static func of(_ account: AccountID, in database: Database) throws -> Portrait? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT jpeg, sha256, created FROM portraits WHERE account = ?"),
            arguments: [account]
        ).map { row in
            Portrait(
                jpeg: Array(row["jpeg"] as Data), sha256: row["sha256"], created: Accounts.date(row["created"]))
        }
    }
}

extension Accounts {
    /// Gives somebody a picture, or takes it away.
    ///
    /// - Parameter jpeg: made by this program, never what somebody has sent.
    package func setPortrait(of account: AccountID, to jpeg: [UInt8]?) async throws(AccountError) {
        let now = Self.milliseconds(now())
        try await write { database in
            guard let jpeg else {
                return try database.cachedStatement(sql: "DELETE FROM portraits WHERE account = ?").execute(arguments: [
                    account
                ])
            }
            let digest = SHA256.hash(data: jpeg).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
            try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO portraits (account, jpeg, sha256, created) VALUES (?, ?, ?, ?)"
            ).execute(arguments: [account, Data(jpeg), digest.joined(), now])
        }
    }
}
