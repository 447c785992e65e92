package import ChirpCore
internal import FoundationEssentials
internal import GRDB

/// Who may sign up at a hub.
public enum Registration: String, Hashable, Sendable, CaseIterable {
    /// Nobody.
    case closed
    /// Those who have an invitation.
    case invite
    /// Anybody.
    case open
}

extension Accounts {
    /// Makes an account that waits for its mail address to be confirmed.
    ///
    /// An address that has an account already is no error: the answer is the same and takes as long, so that nobody learns who is
    /// here. A name that is taken is one, since names are public. Whatever else can be wrong is looked at before the address, and an
    /// invitation is used up either way.
    ///
    /// - Parameters:
    ///   - invitation: used up, where ``Registration/invite`` asks for one.
    /// - Returns: the letter that was written down; none to an address that is banned, of which the one who typed it learns nothing.
    /// - Throws: ``AccountError/refused(_:_:)``, ``AccountError/registrationClosed(invitesOnly:)``, ``AccountError/deadLink``,
    ///   ``AccountError/busy``.
    package func signUp(
        handle: Handle, mail: MailAddress, password: Secret, registration: Registration,
        invitation: OpaqueToken? = nil
    ) async throws(AccountError) -> AccountLetter? {
        guard registration != .closed else { throw .registrationClosed(invitesOnly: false) }
        guard registration == .open || invitation != nil else { throw .registrationClosed(invitesOnly: true) }
        let hash = try await hash(password, handle: handle, mail: mail)
        let now = Self.milliseconds(now())
        return try await write { database in
            try removeUnconfirmed(in: database)
            try Self.requireFree(handle, in: database)
            if registration == .invite, let invitation { _ = try useUp(invitation, as: .invite, in: database) }
            // From here on nothing that is answered depends on the address.
            if try isBanned(mail, database) {
                try putNothing(.address, to: mail, in: database)
                return nil
            }
            if let known = try Self.known(mail, in: database) {
                return try put(.alreadyHere(known), for: nil, in: database)
            }
            let id = AccountID(rawValue: "\(RandomName(length: 20))")
            // The first one in an empty hub runs it.
            let isFirst = try Int.fetchOne(database.cachedStatement(sql: "SELECT COUNT(*) FROM accounts")) == 0
            try database.cachedStatement(
                sql: """
                    INSERT INTO accounts (id, handle, skeleton, name, mail, password, role, state, language, created)
                    VALUES (?, ?, ?, ?, ?, ?, ?, 'unconfirmed', ?, ?)
                    """
            ).execute(arguments: [
                id, handle.text, handle.skeleton, handle.text, mail.text, hash.text,
                (isFirst ? HubAccount.Role.owner : .member).rawValue, language, now,
            ])
            return try putLink(.confirm, account: id, mail: mail, in: database)
        }
    }

    /// Confirms an address by the link that was sent there, which is used up. A change of address happens now.
    ///
    /// - Returns: the letter to the address that was left, if there was one.
    /// - Throws: ``AccountError/deadLink``, ``AccountError/refused(_:_:)`` when somebody else has confirmed the address meanwhile.
    package func confirm(_ token: OpaqueToken) async throws(AccountError) -> AccountLetter? {
        try await write { try confirm(token, in: $0).letter }
    }

    /// The same in the browser that signed up: it is signed in then. A link that changes an address signs nobody in.
    ///
    /// - Returns: the letter, and a session for an account that has just become active.
    package func confirm(
        _ token: OpaqueToken, signingIn agent: String
    ) async throws(AccountError) -> (letter: AccountLetter?, session: Session?) {
        try await write { database in
            let (letter, account, isNew) = try confirm(token, in: database)
            return (letter, isNew ? try begin(account, agent: agent, in: database) : nil)
        }
    }

    private func confirm(
        _ token: OpaqueToken, in database: Database
    ) throws -> (letter: AccountLetter?, account: AccountID, isNew: Bool) {
        let (id, mail) = try useUp(token, as: .confirm, in: database)
        guard let id, let mail, let account = try Self.account("id = ?", [id], in: database) else {
            throw AccountError.deadLink
        }
        let isTaken = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM accounts WHERE mail = ? AND id <> ?"),
            arguments: [mail.text, id])
        guard isTaken != true else { throw AccountError.deadLink }
        try database.cachedStatement(
            sql: """
                UPDATE accounts SET mail = ?, state = CASE state WHEN 'unconfirmed' THEN 'active' ELSE state END
                WHERE id = ?
                """
        ).execute(arguments: [mail.text, id])
        let isNew = account.state == .unconfirmed
        if isNew { try credentials.carryOut(.unconfirmed, on: id, in: database) }
        if account.mail != mail { try credentials.carryOut(.newAddress, on: id, in: database) }
        guard let before = account.mail, before != mail else { return (nil, id, isNew) }
        let letter = try putUncounted(.changed(before, what: AccountChange.mail.rawValue), for: id, in: database)
        return (letter, id, isNew)
    }

    /// Asks for another mail address, which counts once it is confirmed. The password was asked for again before.
    ///
    /// - Throws: ``AccountError/tooOften(seconds:)``, see ``LetterLimits``.
    /// - Returns: the letter that was written down, none to an address that is banned; the same answer for an address that has an account.
    package func changeMail(of account: AccountID, to mail: MailAddress) async throws(AccountError) -> AccountLetter? {
        try await write { database in
            if try isBanned(mail, database) {
                try putNothing(.address, to: mail, by: account, in: database)
                return nil
            }
            if let known = try Self.known(mail, in: database) {
                return try put(.alreadyHere(known), for: nil, by: account, in: database)
            }
            return try putLink(.confirm, account: account, mail: mail, by: account, in: database)
        }
    }

    /// An address as the account that has it wrote it; nil where none has it. Letters go there: addresses are compared without case, and the
    /// mailbox of another spelling may be another person's.
    static func known(_ mail: MailAddress, in database: Database) throws -> MailAddress? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT mail FROM accounts WHERE mail = ?"), arguments: [mail.text]
        ).map(MailAddress.init(stored:))
    }
}
