package import ChirpAccounts
internal import FoundationEssentials
internal import GRDB

extension HubLibrary {
    /// Makes a member a moderator, or a moderator a member. Her sessions end, since a session never gains or loses rights; role, log
    /// and notice are one transaction.
    ///
    /// - Throws: ``CaseError/notAllowed`` for everybody but the owner, and for a change of the owner's role;
    ///   ``CaseError/notFound`` for who is not active; ``CaseError/changedMeanwhile`` when she is that already.
    package func setRole(
        of account: AccountID, to role: HubAccount.Role, by owner: AccountID
    ) async throws(CaseError) {
        guard role != .owner, account != owner else { throw .notAllowed }
        let now = Self.milliseconds(now())
        try await act { database in
            try Self.checkOwner(owner, at: now, in: database)
            let before = try String.fetchOne(
                database.cachedStatement(sql: "SELECT role FROM accounts WHERE id = ?"), arguments: [account])
            guard let before, try Self.isActive(account, at: now, in: database) else { throw CaseError.notFound }
            guard before != "owner" else { throw CaseError.notAllowed }
            try database.cachedStatement(sql: "UPDATE accounts SET role = ? WHERE id = ? AND role <> ?").execute(
                arguments: [role.rawValue, account, role.rawValue])
            guard database.changesCount == 1 else { throw CaseError.changedMeanwhile }
            try Self.credentialRows.carryOut(.newRole, on: account, in: database)
            let decision = try Self.log(
                "role", case: nil, by: owner, account: account, why: "\(before) -> \(role.rawValue)", at: now,
                in: database)
            try Self.tell(
                account, about: .account(account), cause: "decision:\(decision)", decision: decision, at: now,
                in: database)
        }
    }

    /// - Throws: ``CaseError/notAllowed`` for everybody but the owner.
    static func checkOwner(_ account: AccountID, at now: Int64, in database: Database) throws {
        guard try rank(of: account, at: now, in: database) == .owner else { throw CaseError.notAllowed }
    }
}
