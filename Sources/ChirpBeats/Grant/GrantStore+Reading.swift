package import ChirpAccounts
package import ChirpCommunity
package import FoundationEssentials
package import GRDB

extension GrantStore {
    /// A grant as it stands: what the page at its address shows.
    package func grant(_ id: HubID) async throws(GrantRefusal) -> Grant {
        try await reading { database in
            guard let found = try Self.grant(id, in: database) else { throw GrantRefusal.noSuchGrant }
            return found
        }
    }

    /// That of an order; nil before it was delivered.
    package func grant(ofOrder order: HubID) async throws(GrantRefusal) -> Grant? {
        try await reading { try Self.grants("buyOrder = ?", [order.text], in: $0).first }
    }

    /// That whose paper has a hash, for who has the file and not its address; nil for none.
    ///
    /// - Parameter digest: SHA-256 in hexadecimal.
    package func grant(ofFileWith digest: String) async throws(GrantRefusal) -> Grant? {
        let digest = digest.lowercased()
        guard KeptFile.isDigest(digest) else { return nil }
        return try await reading { try Self.grants("sha256 = ?", [digest], in: $0).first }
    }

    /// The paper, byte for byte as it was issued.
    package func paper(of id: HubID) async throws(GrantRefusal) -> [UInt8] {
        try await reading { database in
            guard let found = try Self.paper(of: id, in: database) else { throw GrantRefusal.noSuchGrant }
            return found
        }
    }

    static func paper(of id: HubID, in database: Database) throws -> [UInt8]? {
        try Data.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT pdf FROM grantPapers JOIN grants ON grants.sequence = grantPapers.grantID WHERE id = ?
                    """), arguments: [id.text]
        ).map { Array($0) }
    }

    /// Every key that has ever signed here, by its public part.
    package func keys() async throws(GrantRefusal) -> [GrantPublicKey] {
        try await reading { database in
            try Data.fetchAll(database.cachedStatement(sql: "SELECT bytes FROM grantKeys ORDER BY since, id"))
                .compactMap { GrantPublicKey(Array($0)) }
        }
    }

    /// What the page at a grant's address says of a file.
    ///
    /// - Parameter digest: of the file, SHA-256 in hexadecimal; nil checks what the library has, its stored paper included.
    package func verdict(
        on id: HubID, fileWith digest: String? = nil
    ) async throws(GrantRefusal) -> (grant: Grant, verdict: GrantDocument.Verdict) {
        let (grant, keys) = (try await grant(id), try await keys())
        if let digest { return (grant, grant.document.verdict(ofFileWith: digest, keys: keys)) }
        return (grant, grant.document.verdict(of: try await paper(of: id), keys: keys))
    }

    /// Licences of a work that are in force, the oldest first: what a buyer of an exclusive one is shown before paying (AR-17).
    package func standing(_ work: HubID) async throws(GrantRefusal) -> [EarlierGrant] {
        try await reading { try Self.standing(work, at: library.now(), in: $0) }
    }

    /// What somebody has bought, or sold, newest first.
    ///
    /// - Parameters:
    ///   - role: on which side of the contract.
    ///   - most: how many.
    package func grants(of account: AccountID, as role: Role, most: Int = 100) async throws(GrantRefusal) -> [Grant] {
        try await reading { database in
            try Self.grants(
                "\(role.rawValue) = ? ORDER BY sequence DESC LIMIT ?", [account, max(0, most)], in: database)
        }
    }

    /// The files of all licences that somebody holds and that were not taken back: what buyers fetch, and backups take along.
    package static func keptFiles(in database: Database) throws -> [KeptFile] {
        guard try database.tableExists("grants") else { return [] }
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: "SELECT statement FROM grants WHERE ended IS NULL AND licensee IS NOT NULL ORDER BY sequence"))
        var files: [KeptFile] = []
        while let row = try rows.next() {
            let statement: Data = row["statement"]
            guard let says = GrantStatement(Array(statement)) else { continue }
            files += says.files.compactMap { KeptFile(sha256: $0.sha256, bytes: $0.bytes) }
        }
        return files
    }

    package enum Role: String, Hashable, Sendable, CaseIterable { case licensor, licensee }

    /// The exclusive licence of a work that is in force; for those who sell within a transaction of their own.
    package static func exclusive(of work: HubID, at instant: Date, in database: Database) throws -> HubID? {
        try standing(work, at: instant, in: database).first { $0.terms.kind == .exclusive }?.id
    }

    static func standing(_ work: HubID, at instant: Date, in database: Database) throws -> [EarlierGrant] {
        try grants(
            "work = ? AND ended IS NULL AND (expires IS NULL OR expires > ?) ORDER BY sequence",
            [work.text, Accounts.milliseconds(instant)], in: database
        ).map(EarlierGrant.init)
    }

    static func grant(_ id: HubID, in database: Database) throws -> Grant? {
        try grants("id = ?", [id.text], in: database).first
    }

    /// - Parameter condition: SQL of this type, never from outside.
    static func grants(_ condition: String, _ arguments: StatementArguments, in database: Database) throws -> [Grant] {
        try Row.fetchAll(
            database.cachedStatement(sql: "SELECT \(Grant.columns) FROM grants WHERE \(condition)"),
            arguments: arguments
        ).map(Grant.init)
    }

    func reading<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws(GrantRefusal) -> T {
        do { return try await library.reading(body) } catch { throw GrantRefusal(error) }
    }

    func transact<T: Sendable>(_ body: @Sendable (Database) throws -> T) async throws(GrantRefusal) -> T {
        do { return try await library.transact(body) } catch { throw GrantRefusal(error) }
    }
}
