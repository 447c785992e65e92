internal import ChirpCore
internal import FoundationEssentials
internal import GRDB

/// Signing in and up by what a service elsewhere says.
extension Accounts {
    /// What became of somebody who has signed in elsewhere.
    package enum Reception: Sendable {
        case signedIn(Session)
        /// The account asks for a code of the authenticator.
        case codeNeeded
        /// Nobody here is that person yet.
        case nameNeeded
        /// The account is closed. The link lets her appeal and nothing else.
        case closed(AccountID, AccountLink)
    }

    /// Lets somebody in who has signed in elsewhere, or writes down what is missing.
    ///
    /// Accounts are never found by a mail address: who can have a service say any address would be in.
    package func receive(
        _ arrival: IdentityArrival, browser: OpaqueToken, agent: String
    ) async throws(AccountError) -> Reception {
        try await write { database in
            guard let account = try holder(of: arrival.identity, in: database) else {
                try keep(arrival, in: browser, in: database)
                return .nameNeeded
            }
            guard account.state != .closed else {
                return .closed(account.id, try link(.appeal, account: account.id, in: database))
            }
            guard account.hasSecondFactor else {
                try forget(arrivalIn: browser, in: database)
                return .signedIn(try begin(account.id, agent: agent, in: database))
            }
            let waiting = IdentityArrival(
                identity: arrival.identity, handle: arrival.handle, mail: nil, way: arrival.way, account: account.id)
            try keep(waiting, in: browser, in: database)
            return .codeNeeded
        }
    }

    /// Signs somebody in who has come back and now shows a code of the authenticator.
    ///
    /// - Throws: ``AccountError/deadLink``, ``AccountError/codeNeeded(wasWrong:)``, ``AccountError/tooOften(seconds:)``.
    package func signIn(
        arrivedIn browser: OpaqueToken, code: String, agent: String, from origin: SignInOrigin = .inside
    ) async throws(AccountError) -> Session {
        guard let account = try await arrival(in: browser)?.account else { throw .deadLink }
        return try await guessingCode(code, of: account, from: origin) { () async throws(AccountError) in
            try await begin(arrivedIn: browser, as: account, code: code, agent: agent)
        }
    }

    private func begin(
        arrivedIn browser: OpaqueToken, as expected: AccountID, code: String, agent: String
    ) async throws(AccountError) -> Session {
        try await write { database in
            guard let arrival = try arrival(in: browser, in: database), let waiting = arrival.account,
                waiting == expected,
                // Unlinked or closed meanwhile.
                let account = try holder(of: arrival.identity, in: database), account.id == waiting,
                account.state != .closed
            else { throw AccountError.deadLink }
            if account.hasSecondFactor { try takeCode(code, of: account.id, in: database) }
            try forget(arrivalIn: browser, in: database)
            return try begin(account.id, agent: agent, in: database)
        }
    }

    /// Makes an account for somebody who has come back, without a password.
    ///
    /// Its mail address is the one that the service has verified, if nobody here has it.
    ///
    /// - Throws: ``AccountError/refused(_:_:)``, ``AccountError/registrationClosed(invitesOnly:)``, ``AccountError/deadLink``.
    package func signUp(
        arrivedIn browser: OpaqueToken, handle: Handle, registration: Registration, invitation: OpaqueToken? = nil,
        agent: String
    ) async throws(AccountError) -> Session {
        guard registration != .closed else { throw .registrationClosed(invitesOnly: false) }
        guard registration == .open || invitation != nil else { throw .registrationClosed(invitesOnly: true) }
        return try await write { database in
            guard let arrival = try arrival(in: browser, in: database), arrival.account == nil,
                try holder(of: arrival.identity, in: database) == nil
            else { throw AccountError.deadLink }
            try removeUnconfirmed(in: database)
            try Self.requireFree(handle, in: database)
            if registration == .invite, let invitation { _ = try useUp(invitation, as: .invite, in: database) }
            if let mail = arrival.mail, try isBanned(mail, database) {
                throw AccountError.registrationClosed(invitesOnly: false)
            }
            let mail = try arrival.mail.flatMap { try Self.known($0, in: database) == nil ? $0 : nil }
            let id = AccountID(rawValue: "\(RandomName(length: 20))")
            // The first one in an empty hub runs it.
            let isFirst = try Int.fetchOne(database.cachedStatement(sql: "SELECT COUNT(*) FROM accounts")) == 0
            try database.cachedStatement(
                sql: """
                    INSERT INTO accounts (id, handle, skeleton, name, mail, role, state, created)
                    VALUES (?, ?, ?, ?, ?, ?, 'active', ?)
                    """
            ).execute(arguments: [
                id, handle.text, handle.skeleton, handle.text, mail?.text,
                (isFirst ? HubAccount.Role.owner : .member).rawValue, Self.milliseconds(now()),
            ])
            try write(arrival.identity, of: id, in: database)
            try forget(arrivalIn: browser, in: database)
            return try begin(id, agent: agent, in: database)
        }
    }

    private func holder(of identity: OutsideIdentity, in database: Database) throws -> HubAccount? {
        try Self.account(
            "id = (SELECT account FROM identities WHERE provider = ? AND subject = ?)",
            [identity.provider, identity.subject], in: database)
    }
}
