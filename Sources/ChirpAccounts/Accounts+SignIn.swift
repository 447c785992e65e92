package import ChirpCore
internal import FoundationEssentials
internal import GRDB

extension Accounts {
    /// Signs in by name or mail address, password and, where it is switched on, a code.
    ///
    /// Where there is no such account the answer is that of a wrong password and takes as long.
    ///
    /// - Parameters:
    ///   - name: a handle, with or without `@`, or a mail address.
    ///   - code: of the authenticator, or a recovery code, which is used up.
    ///   - agent: the browser, as it calls itself.
    /// - Throws: ``AccountError/wrongCredentials``, ``AccountError/codeNeeded(wasWrong:)``, ``AccountError/busy``.
    package func signIn(
        name: String, password: Secret, code: String? = nil, agent: String
    ) async throws(AccountError) -> Session {
        guard case .signedIn(let session) = try await enter(name: name, password: password, code: code, agent: agent)
        else { throw .wrongCredentials }
        return session
    }

    /// What becomes of somebody who has shown who she is.
    package enum Entry: Sendable {
        case signedIn(Session)
        /// The account is closed. The link lets her appeal and nothing else.
        case closed(AccountID, AccountLink)
    }

    /// The same as ``signIn(name:password:code:agent:)``, and tells people of closed accounts so, who would otherwise not learn why.
    ///
    /// - Throws: also ``AccountError/tooOften(seconds:)``, see ``GuessLimits``; with the right password too, of which an account has 60 an hour.
    package func enter(
        name: String, password: Secret, code: String? = nil, agent: String, from origin: SignInOrigin = .inside
    ) async throws(AccountError) -> Entry {
        let name = SignInName(typed: name)
        let found = try await credentials(of: name)
        let browser = found.flatMap { origin.knownBrowser($0.id, $0.epoch) }
        let buckets = GuessLimits.passwords(name, in: browser)
        let renewed = try await guessing(
            browser == nil ? buckets + GuessLimits.strangers(from: origin) : buckets,
            isWrong: { $0 == .wrongCredentials }
        ) { () async throws(AccountError) -> PasswordHash? in
            let (isRight, renewed) = try await desk.check(
                password, against: found?.hash, for: origin.network.map { .network($0) })
            guard isRight else { throw .wrongCredentials }
            return renewed
        }
        guard let found else { throw .wrongCredentials }
        try await limits?.consume([GuessLimits.right(found.id, in: browser)])
        return try await guessingCode(code, of: found.id, from: origin) { () async throws(AccountError) in
            try await begin(found, renewed, code: code, agent: agent)
        }
    }

    /// The password was right.
    private func begin(
        _ found: (id: AccountID, hash: PasswordHash, epoch: Int64), _ renewed: PasswordHash?, code: String?,
        agent: String
    ) async throws(AccountError) -> Entry {
        try await write { database in
            // Gone or given another password meanwhile.
            guard let account = try Self.account("id = ? AND password = ?", [found.id, found.hash.text], in: database)
            else { throw AccountError.wrongCredentials }
            if account.hasSecondFactor { try takeCode(code, of: account.id, in: database) }
            guard account.state != .closed else {
                return .closed(account.id, try link(.appeal, account: account.id, in: database))
            }
            if let renewed {
                try database.cachedStatement(sql: "UPDATE accounts SET password = ? WHERE id = ?").execute(arguments: [
                    renewed.text, account.id,
                ])
            }
            return .signedIn(try begin(account.id, agent: agent, in: database))
        }
    }

    /// Whether this is the account's password: asked again before what cannot be undone. Failures count for the account, so that a stolen
    /// session cannot try passwords.
    ///
    /// - Returns: what the act is to be bound to by ``confirmed(by:)``.
    /// - Throws: ``AccountError/wrongCredentials``, ``AccountError/busy``, ``AccountError/tooOften(seconds:)``.
    @discardableResult
    package func check(_ password: Secret, of account: AccountID) async throws(AccountError) -> AccountProof {
        let proof = try await proof(of: account)
        try await guessing(
            GuessLimits.passwords(again: account, of: shown?.0.digestOfProgram != nil),
            isWrong: { $0 == .wrongCredentials }
        ) { () async throws(AccountError) in
            guard try await desk.check(password, against: proof.password, for: .account(account)).isRight else {
                throw .wrongCredentials
            }
        }
        return proof
    }

    /// The same for an account that has no password, of which nothing can be asked.
    ///
    /// - Throws: ``AccountError/wrongCredentials`` where it has one by now.
    package func checkNoPassword(of account: AccountID) async throws(AccountError) -> AccountProof {
        let proof = try await proof(of: account)
        guard proof.password == nil else { throw .wrongCredentials }
        return proof
    }

    /// Gives an account another password and ends its other sessions, so that who had the old one is out.
    ///
    /// - Returns: a new session for the browser that asked, and the letter that was written down.
    /// - Throws: ``AccountError/refused(_:_:)`` for the password, ``AccountError/busy``.
    package func changePassword(
        of account: AccountID, to password: Secret, agent: String
    ) async throws(AccountError) -> (Session, AccountLetter?) {
        let found = try await self.account(account)
        let hash = try await hash(password, handle: found?.handle, mail: found?.mail)
        return try await write { database in
            let mail = try replacePassword(of: account, by: hash, .newPassword, in: database)
            let letter = try mail.map {
                try put(.changed($0, what: AccountChange.password.rawValue), for: account, in: database)
            }
            return (try begin(account, agent: agent, in: database), letter)
        }
    }

    /// Asks for a link that sets a new password.
    ///
    /// - Throws: ``AccountError/tooOften(seconds:)``, see ``LetterLimits``.
    /// - Returns: the letter that was written down; nil for an address without an account, of which the one who asks learns nothing.
    package func requestReset(_ mail: MailAddress) async throws(AccountError) -> AccountLetter? {
        try await write { database in
            guard let account = try Self.account("mail = ? AND state <> 'closed'", [mail.text], in: database)
            else {
                try putNothing(.reset, to: mail, in: database)
                return nil
            }
            // Addresses are compared without case, and the mailbox of another spelling may be another person's.
            return try putLink(.reset, account: account.id, mail: account.mail ?? mail, in: database)
        }
    }

    /// Sets a new password by a link, which is used up, and ends all that whoever had the account may have left in it
    /// (``AccountEvent/reset``).
    ///
    /// - Returns: whose it is, and the letter that was written down.
    /// - Throws: ``AccountError/deadLink``, ``AccountError/refused(_:_:)`` for the password; the link works on then.
    package func reset(
        _ token: OpaqueToken, password: Secret
    ) async throws(AccountError) -> (account: AccountID, letter: AccountLetter?) {
        guard let owner = try await account(of: token, as: .reset) else { throw .deadLink }
        let found = try await account(owner)
        let hash = try await hash(password, handle: found?.handle, mail: found?.mail)
        return try await write { database in
            guard let account = try useUp(token, as: .reset, in: database).account else {
                throw AccountError.deadLink
            }
            // Whoever reads the mail of this address has just shown it.
            try database.cachedStatement(
                sql: "UPDATE accounts SET state = 'active' WHERE id = ? AND state = 'unconfirmed'"
            ).execute(arguments: [account])
            if database.changesCount > 0 { try credentials.carryOut(.unconfirmed, on: account, in: database) }
            let letter = try replacePassword(of: account, by: hash, .reset, in: database).map {
                try putUncounted(.changed($0, what: AccountChange.password.rawValue), for: account, in: database)
            }
            return (account, letter)
        }
    }

    private func replacePassword(
        of account: AccountID, by hash: PasswordHash, _ event: AccountEvent, in database: Database
    ) throws -> MailAddress? {
        try database.cachedStatement(sql: "UPDATE accounts SET password = ? WHERE id = ?").execute(arguments: [
            hash.text, account,
        ])
        try credentials.carryOut(event, on: account, in: database)
        return try Self.account("id = ?", [account], in: database)?.mail
    }

    private func credentials(of name: SignInName) async throws(AccountError) -> (
        id: AccountID, hash: PasswordHash, epoch: Int64
    )? {
        let condition: String
        let key: String
        if let handle = name.handle {
            (condition, key) = ("handle = ?", handle.text)
        } else if let mail = name.mail {
            (condition, key) = ("mail = ?", mail.text)
        } else {
            return nil
        }
        return try await read { database in
            try Row.fetchOne(
                database.cachedStatement(
                    sql: "SELECT id, password, epoch FROM accounts WHERE \(condition) AND password IS NOT NULL"),
                arguments: [key]
            ).map { ($0["id"], PasswordHash(stored: $0["password"]), $0["epoch"]) }
        }
    }
}
