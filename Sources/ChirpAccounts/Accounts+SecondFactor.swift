internal import ChirpCore
internal import Crypto
internal import FoundationEssentials
internal import GRDB

extension Accounts {
    /// How many recovery codes there are.
    package static let recoveryCodes = 10

    /// A key for an authenticator. It counts only once a code of it was typed: ``switchOn(_:code:present:of:from:)``.
    package func newSecondFactor() -> OneTimeCode { OneTimeCode() }

    /// Asks for codes from now on.
    ///
    /// - Parameters:
    ///   - present: a code of the authenticator that is on already, if one is, or a recovery code, which is used up.
    ///   - origin: whose wrong codes are counted.
    /// - Returns: recovery codes, to be shown once; earlier ones are void.
    /// - Throws: ``AccountError/codeNeeded(wasWrong:)`` when a code is missing or not of its key, ``AccountError/tooOften(seconds:)``,
    ///   ``AccountError/unconfirmed``.
    package func switchOn(
        _ factor: OneTimeCode, code: String, present: String? = nil, of account: AccountID,
        from origin: SignInOrigin = .inside
    ) async throws(AccountError) -> [String] {
        let step = try await guessing(
            GuessLimits.newCodes(account), isWrong: { $0 == .codeNeeded(wasWrong: true) }
        ) { () async throws(AccountError) in
            guard let step = factor.step(of: code, at: now(), after: 0) else { throw .codeNeeded(wasWrong: true) }
            return step
        }
        let codes = (0..<Self.recoveryCodes).map { _ in "\(RandomName(length: 12))" }
        try await guessingCode(present, of: account, from: origin) { () async throws(AccountError) in
            try await replaceFactor(by: factor, step: step, recovery: codes, present: present, of: account)
        }
        return codes
    }

    private func replaceFactor(
        by factor: OneTimeCode, step: Int64, recovery codes: [String], present: String?, of account: AccountID
    ) async throws(AccountError) {
        try await write { database in
            try Self.require(.secondFactor, for: account, in: database)
            try takePresentCode(present, of: account, in: database)
            try database.cachedStatement(sql: "UPDATE accounts SET totp = ?, totpStep = ? WHERE id = ?").execute(
                arguments: [Data(factor.key), step, account])
            try database.cachedStatement(sql: "DELETE FROM recoveryCodes WHERE account = ?").execute(arguments: [
                account
            ])
            for code in codes {
                try database.cachedStatement(sql: "INSERT INTO recoveryCodes (account, digest) VALUES (?, ?)").execute(
                    arguments: [account, Self.digest(ofRecoveryCode: code)])
            }
            try tell(account, .authenticatorOn, in: database)
        }
    }

    /// Asks for no more codes. The password was asked for again before.
    ///
    /// - Parameters:
    ///   - code: of the authenticator, if one is on, or a recovery code, which is used up.
    ///   - origin: whose wrong codes are counted.
    /// - Throws: ``AccountError/codeNeeded(wasWrong:)``, ``AccountError/tooOften(seconds:)``.
    package func switchOffSecondFactor(
        of account: AccountID, code: String? = nil, from origin: SignInOrigin = .inside
    ) async throws(AccountError) {
        try await guessingCode(code, of: account, from: origin) { () async throws(AccountError) in
            try await removeFactor(of: account, code: code)
        }
    }

    private func removeFactor(of account: AccountID, code: String?) async throws(AccountError) {
        try await write { database in
            try takePresentCode(code, of: account, in: database)
            try database.cachedStatement(sql: "UPDATE accounts SET totp = NULL, totpStep = 0 WHERE id = ?").execute(
                arguments: [account])
            try database.cachedStatement(sql: "DELETE FROM recoveryCodes WHERE account = ?").execute(arguments: [
                account
            ])
            try tell(account, .authenticatorOff, in: database)
        }
    }

    /// Writes to whose account it is that something was changed.
    private func tell(_ account: AccountID, _ what: AccountChange, in database: Database) throws {
        guard let mail = try Self.account("id = ?", [account], in: database)?.mail else { return }
        try put(.changed(mail, what: what.rawValue), for: account, in: database)
    }

    /// Where an authenticator is on, who replaces it or takes it away shows a code of it: a session and a password that were stolen do not.
    private func takePresentCode(_ typed: String?, of account: AccountID, in database: Database) throws {
        guard try Self.account("id = ?", [account], in: database)?.hasSecondFactor == true else { return }
        try takeCode(typed, of: account, in: database)
    }

    /// Takes a code, each once. Called within ``guessingCode(_:of:from:_:)`` alone, which counts the wrong ones.
    func takeCode(_ typed: String?, of account: AccountID, in database: Database) throws {
        guard let typed, !typed.isEmpty else { throw AccountError.codeNeeded(wasWrong: false) }
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT totp, totpStep FROM accounts WHERE id = ?"), arguments: [account])
        guard let row, let key: Data = row["totp"] else { return }
        if let step = OneTimeCode(key: Array(key)).step(of: typed, at: now(), after: row["totpStep"]) {
            try database.cachedStatement(sql: "UPDATE accounts SET totpStep = ? WHERE id = ?").execute(arguments: [
                step, account,
            ])
            return
        }
        try database.cachedStatement(sql: "DELETE FROM recoveryCodes WHERE account = ? AND digest = ?").execute(
            arguments: [account, Self.digest(ofRecoveryCode: typed)])
        guard database.changesCount > 0 else { throw AccountError.codeNeeded(wasWrong: true) }
    }

    /// 60 random bits need no slow hash, since a guess is counted (``GuessLimits``).
    private static func digest(ofRecoveryCode typed: String) -> Data {
        Data(SHA256.hash(data: Data(typed.lowercased().filter { !$0.isWhitespace && $0 != "-" }.utf8)))
    }
}
