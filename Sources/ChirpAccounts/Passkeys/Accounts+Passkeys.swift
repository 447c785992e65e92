package import ChirpCore
internal import Crypto
package import FoundationEssentials
internal import GRDB

/// A passkey as its owner sees it in a list.
package struct PasskeyEntry: Hashable, Sendable, Identifiable {
    /// By which it is taken away; no secret.
    package let id: String
    /// As its owner has called it; plain text.
    package let name: String
    /// Whether it is kept by a service that has it on several devices.
    package let isSynced: Bool
    package let created: Date
    /// Nil: never yet.
    package let used: Date?
}

/// What a page asks an authenticator with (Web Authentication, level 2, section 5.4).
package struct PasskeyChallenge: Sendable {
    /// 256 random bits, base64url.
    package let challenge: Secret
    /// The authenticator's name for the person: 32 bytes, base64url; they say nothing about the person.
    package let userHandle: String
    /// What an authenticator is not to make a second one beside, base64url.
    package let known: [String]
    /// The algorithms of COSE that are taken, the best first.
    package let algorithms: [Int]
}

extension Accounts {
    /// The most of one account.
    package static let mostPasskeys = 20
    /// How long a challenge may take to be answered, in seconds.
    package static let longestChallenge = 5.0 * 60
    private static let longestPasskeyName = 60

    /// Those of an account, the oldest first.
    package func passkeys(of account: AccountID) async throws(AccountError) -> [PasskeyEntry] {
        try await read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT id, name, synced, created, used FROM passkeys WHERE account = ? ORDER BY created, id"),
                arguments: [account]
            ).map {
                PasskeyEntry(
                    id: $0["id"], name: $0["name"], isSynced: $0["synced"], created: Self.date($0["created"]),
                    used: ($0["used"] as Int64?).map { Self.date($0) })
            }
        }
    }

    /// Begins: something that only the authenticator which is asked now can answer, once.
    ///
    /// - Parameter account: who adds a passkey; nil for a sign-in.
    /// - Throws: ``AccountError/unconfirmed``.
    package func passkeyChallenge(for account: AccountID?) async throws(AccountError) -> PasskeyChallenge {
        let (token, now) = (OpaqueToken(), Self.milliseconds(now()))
        let handle = account.map { userHandle(of: $0) } ?? ""
        let known = try await write { database in
            if let account { try Self.require(.passkeyChallenge, for: account, in: database) }
            try database.cachedStatement(sql: "DELETE FROM passkeyChallenges WHERE expires <= ?").execute(arguments: [
                now
            ])
            try database.cachedStatement(
                sql: "INSERT INTO passkeyChallenges (digest, account, expires) VALUES (?, ?, ?)"
            ).execute(arguments: [Data(token.digest), account, now + Int64(clamping: Self.longestChallenge * 1000)])
            guard let account else { return [Data]() }
            return try Data.fetchAll(
                database.cachedStatement(sql: "SELECT credential FROM passkeys WHERE account = ?"),
                arguments: [account])
        }
        return PasskeyChallenge(
            challenge: token.secret, userHandle: handle, known: known.map(\.base64URL),
            algorithms: PasskeyPublicKey.algorithms)
    }

    /// Adds a passkey. The password was asked for again before.
    ///
    /// - Parameters:
    ///   - name: as its owner calls it; one that is empty becomes "Passkey".
    ///   - challenge: as ``passkeyChallenge(for:)`` gave it to this account.
    /// - Throws: ``AccountError/deadLink`` for a challenge that is over, ``AccountError/wrongCredentials`` for an answer that is none,
    ///   ``AccountError/identityTaken`` for a passkey that is somebody's already, ``AccountError/tooOften(seconds:)`` for too many.
    package func add(
        _ answer: PasskeyAnswer.Registration, challenge: OpaqueToken, name: String, to account: AccountID,
        at party: PasskeyParty
    ) async throws(AccountError) {
        let name = PlainText(name, limit: Self.longestPasskeyName).value
        let read: PasskeyParty.Facts? = {
            guard let (object, count) = CBORValue.read(answer.attestation[...]), count == answer.attestation.count,
                let data = object["authData"]?.bytes,
                party.accepts(answer.clientData, type: "webauthn.create", challenge: challenge.secret.reveal())
            else { return nil }
            return party.facts(data)
        }()
        // What the attestation says of the maker is not asked for, and not believed: any authenticator is taken.
        guard let facts = read, facts.isVerified, let credential = facts.credential else { throw .wrongCredentials }
        try await write { database in
            try Self.require(.passkey, for: account, in: database)
            try useUp(challenge, for: account, in: database)
            let count =
                try Int.fetchOne(
                    database.cachedStatement(sql: "SELECT COUNT(*) FROM passkeys WHERE account = ?"),
                    arguments: [account]) ?? 0
            guard count < Self.mostPasskeys else { throw AccountError.tooOften(seconds: 3600) }
            try database.cachedStatement(
                sql: """
                    INSERT INTO passkeys (credential, id, account, key, count, name, synced, created)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                    """
            ).execute(arguments: [
                Data(credential.id), "\(RandomName(length: 16))", account, Data(credential.key.encoded),
                Int64(facts.count), name.isEmpty ? "Passkey" : name, facts.isBackedUp, Self.milliseconds(now()),
            ])
            guard database.changesCount > 0 else { throw AccountError.identityTaken }
            try tellOfPasskeys(account, in: database)
        }
    }

    /// Takes one away, by the id in the list. There may be none. The password was asked for again before.
    ///
    /// - Throws: ``AccountError/lastWay`` when nothing else would sign the account in.
    package func removePasskey(_ id: PasskeyEntry.ID, of account: AccountID) async throws(AccountError) {
        try await write { database in
            try database.cachedStatement(sql: "DELETE FROM passkeys WHERE id = ? AND account = ?").execute(arguments: [
                id, account,
            ])
            guard database.changesCount > 0 else { return }
            let hasAnother = try Bool.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT password IS NOT NULL OR EXISTS (SELECT 1 FROM identities WHERE account = accounts.id)
                            OR EXISTS (SELECT 1 FROM passkeys WHERE account = accounts.id)
                        FROM accounts WHERE id = ?
                        """), arguments: [account])
            guard hasAnother == true else { throw AccountError.lastWay }
            try tellOfPasskeys(account, in: database)
        }
    }

    /// Signs in by a passkey that knows its owner: it asked for a finger, a face or a number, so it is both factors.
    ///
    /// - Parameters:
    ///   - challenge: as ``passkeyChallenge(for:)`` gave it.
    ///   - agent: the browser, as it calls itself.
    ///   - origin: whose failures are counted.
    /// - Throws: ``AccountError/wrongCredentials`` for whatever is not right, ``AccountError/deadLink`` for a challenge that is over,
    ///   ``AccountError/tooOften(seconds:)``.
    package func enter(
        by answer: PasskeyAnswer.Assertion, challenge: OpaqueToken, at party: PasskeyParty, agent: String,
        from origin: SignInOrigin = .inside
    ) async throws(AccountError) -> Entry {
        try await guessing(
            GuessLimits.strangers(from: origin), isWrong: { $0 == .wrongCredentials }
        ) { () async throws(AccountError) in
            try await begin(by: answer, challenge: challenge, at: party, agent: agent)
        }
    }

    private func begin(
        by answer: PasskeyAnswer.Assertion, challenge: OpaqueToken, at party: PasskeyParty, agent: String
    ) async throws(AccountError) -> Entry {
        try await write { database in
            try useUp(challenge, for: nil, in: database)
            let owner = try check(answer, challenge: challenge, at: party, in: database)
            guard let account = try Self.account("id = ?", [owner], in: database) else {
                throw AccountError.wrongCredentials
            }
            guard account.state != .closed else {
                return .closed(account.id, try link(.appeal, account: account.id, in: database))
            }
            return .signedIn(try begin(account.id, agent: agent, in: database))
        }
    }

    /// Checks a passkey that is shown (section 7.2), and counts its use.
    ///
    /// - Returns: whose it is.
    private func check(
        _ answer: PasskeyAnswer.Assertion, challenge: OpaqueToken, at party: PasskeyParty, in database: Database
    ) throws -> AccountID {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT account, key, count FROM passkeys WHERE credential = ?"),
            arguments: [Data(answer.credential)])
        guard let row, let key = PasskeyPublicKey(row["key"] as Data),
            party.accepts(answer.clientData, type: "webauthn.get", challenge: challenge.secret.reveal()),
            let facts = party.facts(answer.authenticatorData), facts.isVerified,
            key.verifies(answer.signature, of: answer.authenticatorData + SHA256.hash(data: answer.clientData))
        else { throw AccountError.wrongCredentials }
        let account: AccountID = row["account"]
        if let handle = answer.userHandle, handle.base64URL != userHandle(of: account) {
            throw AccountError.wrongCredentials
        }
        // One that counts and does not count on has a twin (section 6.1.1).
        let before: Int64 = row["count"]
        guard before == 0 && facts.count == 0 || Int64(facts.count) > before else {
            throw AccountError.wrongCredentials
        }
        try database.cachedStatement(sql: "UPDATE passkeys SET count = ?, synced = ?, used = ? WHERE credential = ?")
            .execute(arguments: [
                Int64(facts.count), facts.isBackedUp, Self.milliseconds(now()), Data(answer.credential),
            ])
        return account
    }

    /// A challenge works once, and for whoever it was made for.
    private func useUp(_ challenge: OpaqueToken, for account: AccountID?, in database: Database) throws {
        try database.cachedStatement(
            sql: "DELETE FROM passkeyChallenges WHERE digest = ? AND account IS ? AND expires > ?"
        ).execute(arguments: [Data(challenge.digest), account, Self.milliseconds(now())])
        guard database.changesCount > 0 else { throw AccountError.deadLink }
    }

    /// The same for all passkeys of an account, and nobody else can tell whose it is: authenticators show it to whoever holds them.
    private func userHandle(of account: AccountID) -> String { key.passkeyHandle(of: account) }

    private func tellOfPasskeys(_ account: AccountID, in database: Database) throws {
        guard let mail = try Self.account("id = ?", [account], in: database)?.mail else { return }
        try put(.changed(mail, what: AccountChange.passkeys.rawValue), for: account, in: database)
    }
}
