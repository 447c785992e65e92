internal import ChirpCore
internal import Crypto
internal import FoundationEssentials
internal import GRDB

/// What somebody lets a program do, before it has fetched its token.
package struct CodeGrant: Hashable, Sendable {
    package let app: ClientApp.ID
    /// As the program gave it; it has to give the same again.
    package let redirect: String
    package let scopes: String
    /// Of RFC 7636, made with S256; nil when the program uses its secret alone.
    package let challenge: String?

    package init(app: ClientApp.ID, redirect: String, scopes: String, challenge: String?) {
        self.app = app
        self.redirect = redirect
        self.scopes = scopes
        self.challenge = challenge
    }
}

extension Accounts {
    /// How long a code works, in seconds; the most that RFC 6749, section 4.1.2, recommends.
    package static let longestCode = 10.0 * 60
    /// How long one that has ended is kept, so that its second use is noticed.
    private static let longestMemory = 24.0 * 3600
    /// How many codes an account gives.
    private static let codes = RateRule(60, per: 3600)

    /// Makes a code, by which the program fetches its token.
    ///
    /// - Throws: ``AccountError/unconfirmed``, ``AccountError/tooOften(seconds:)``.
    package func code(of account: AccountID, for grant: CodeGrant) async throws(AccountError) -> OpaqueToken {
        try await limits?.consume("code-given", Self.codes, by: .account(account))
        let code = OpaqueToken()
        let now = Self.milliseconds(now())
        try await write { database in
            try Self.require(.code, for: account, in: database)
            try database.cachedStatement(sql: "DELETE FROM codes WHERE expires < ?").execute(arguments: [
                now - Int64(clamping: Self.longestMemory * 1000)
            ])
            try database.cachedStatement(
                sql: """
                    INSERT INTO codes (digest, app, account, redirect, scopes, challenge, expires)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                Data(code.digest), grant.app, account, grant.redirect, grant.scopes, grant.challenge,
                now + Int64(clamping: Self.longestCode * 1000),
            ])
        }
        return code
    }

    /// Gives a token for a code, once. A code that comes a second time has been seen by somebody else, so the token of the first time
    /// ends (RFC 6749, section 4.1.2).
    ///
    /// - Parameters:
    ///   - isAuthentic: the program has shown its secret. Without it only the verifier of a challenge says that it is the same one.
    ///   - verifier: of RFC 7636. Mandatory once a challenge was sent, refused where none was (RFC 9700, section 4.8.2).
    /// - Returns: nil for whatever is not right.
    package func redeem(
        _ code: OpaqueToken, app: ClientApp.ID, isAuthentic: Bool, redirect: String, verifier: String?
    ) async throws(AccountError) -> IssuedToken? {
        let now = Self.milliseconds(now())
        return try await write { database in
            let found = try Row.fetchOne(
                database.cachedStatement(sql: "SELECT * FROM codes WHERE digest = ? AND app = ?"),
                arguments: [Data(code.digest), app])
            guard let found else { return nil }
            if let spent: String = found["token"] {
                try database.cachedStatement(sql: "DELETE FROM tokens WHERE id = ?").execute(arguments: [spent])
                return nil
            }
            let account: AccountID = found["account"]
            let challenge: String? = found["challenge"]
            guard found["expires"] > now, found["redirect"] == redirect, isAuthentic || challenge != nil,
                challenge == verifier.map({ Self.challenge(of: $0) }),
                try Self.account("id = ? AND state NOT IN ('closed', 'unconfirmed')", [account], in: database) != nil
            else { return nil }
            let (id, issued) = try issue(app: app, account: account, scopes: found["scopes"], in: database)
            try database.cachedStatement(sql: "UPDATE codes SET token = ? WHERE digest = ?").execute(arguments: [
                id, Data(code.digest),
            ])
            return issued
        }
    }

    /// The challenge of a verifier (RFC 7636, section 4.2); of a text that is none, something that no challenge is.
    private static func challenge(of verifier: String) -> String {
        guard (43...128).contains(verifier.utf8.count) else { return "" }
        return SHA256.hash(data: Data(verifier.utf8)).base64URL
    }
}
