package import FoundationEssentials
package import GRDB

/// The credential by which a request says who asks.
package enum ShownCredential: Sendable {
    case session(OpaqueToken)
    /// Of a program.
    case token(OpaqueToken)

    /// - Parameters:
    ///   - session: as the browser has shown it.
    ///   - token: as the program has shown it; it counts where both are there.
    package init?(session: String?, token: String?) {
        if let token {
            guard let token = OpaqueToken(shown: token) else { return nil }
            self = .token(token)
        } else {
            guard let session = session.flatMap({ OpaqueToken(shown: $0) }) else { return nil }
            self = .session(session)
        }
    }

    /// By which it stands in its table.
    package var digest: Data {
        switch self {
        case .session(let token), .token(let token): Data(token.digest)
        }
    }

    /// The same where a program has shown it: what programs make may end with them.
    package var digestOfProgram: Data? {
        switch self {
        case .session: nil
        case .token(let token): Data(token.digest)
        }
    }
}

/// How an account stood when its holder confirmed an act. What ends the ways into an account may happen between that and the act: then the
/// proof is of no use any more.
package struct AccountProof: Hashable, Sendable {
    package let account: AccountID
    /// For which the password was right; nil where the account has none.
    let password: PasswordHash?
    /// Each event that has everybody else out raises it.
    let epoch: Int64
}

extension Accounts {
    /// The same for an act of whoever has shown this. Nothing is changed once it has ended.
    package func asked(by shown: ShownCredential, of account: AccountID) -> Accounts {
        var accounts = self
        accounts.shown = (shown, account)
        return accounts
    }

    /// The same for an act that was confirmed. Nothing is changed once the account has another password, or has everybody else out.
    package func confirmed(by proof: AccountProof) -> Accounts {
        var accounts = self
        accounts.proof = proof
        return accounts
    }

    /// Asks again for what was shown and confirmed, before something that only reads.
    ///
    /// - Throws: ``AccountError/wrongCredentials``.
    package func askAgain() async throws(AccountError) { try await read { try requireGrounds(in: $0) } }

    /// Whether something that was shown is an account's still.
    ///
    /// - Parameter now: in milliseconds.
    package static func stands(
        _ shown: ShownCredential, of account: AccountID, at now: Int64, in database: Database
    ) throws -> Bool {
        let (table, token) =
            switch shown {
            case .session(let token): ("sessions", token)
            case .token(let token): ("tokens", token)
            }
        return try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM \(table) WHERE digest = ? AND account = ? AND (expires IS NULL OR expires > ?)"),
            arguments: [Data(token.digest), account, now]) ?? false
    }

    /// An account as it stands.
    ///
    /// - Throws: ``AccountError/wrongCredentials`` where there is none.
    func proof(of account: AccountID) async throws(AccountError) -> AccountProof {
        try await read { try Self.proof(of: account, in: $0) }
    }

    static func proof(of account: AccountID, in database: Database) throws -> AccountProof {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT password, epoch FROM accounts WHERE id = ?"), arguments: [account])
        guard let row else { throw AccountError.wrongCredentials }
        return AccountProof(
            account: account, password: (row["password"] as String?).map(PasswordHash.init(stored:)),
            epoch: row["epoch"])
    }

    /// Asks within the transaction of an act whether all that it rests on is still so.
    func requireGrounds(in database: Database) throws {
        if let (shown, account) = shown,
            try !Self.stands(shown, of: account, at: Self.milliseconds(now()), in: database)
        {
            throw AccountError.wrongCredentials
        }
        if let proof, try Self.proof(of: proof.account, in: database) != proof { throw AccountError.wrongCredentials }
    }
}
