package import ChirpAccounts
internal import ChirpCore
package import FoundationEssentials
internal import GRDB

/// With which servers this hub has to do.
package struct ServerRules: Hashable, Sendable {
    /// With those alone that are allowed; otherwise with all that are not blocked.
    package var isAllowList = false
    package var domains: [Domain] = []

    /// What was set for a domain and all below it.
    package struct Domain: Hashable, Sendable, Identifiable {
        package let name: String
        package let rule: Rule
        package let why: String
        package let created: Date
        package var id: String { name }

        package enum Rule: String, Hashable, Sendable, CaseIterable { case blocked, allowed }
    }

    /// The most domains that have a rule.
    package static let most = 10_000

    /// - Parameter host: with or without a port, in lower case. A dot at its end makes no other server of it: for DNS both are one name
    ///   (RFC 1034, section 3.1).
    package func lets(_ host: String) -> Bool {
        var name = host.hasPrefix("[") ? host[...] : host.prefix { $0 != ":" }
        while name.last == "." { name.removeLast() }
        let rules = domains.filter { name == $0.name || name.hasSuffix(".\($0.name)") }.map(\.rule)
        if rules.contains(.blocked) { return false }
        return !isAllowList || rules.contains(.allowed)
    }

    /// A domain as it is kept; nil for what is none.
    package static func domain(typed text: String) -> String? {
        let name = PlainText(text, limit: 300).value.lowercased()
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let isDomain = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count)
                && label.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
        }
        return isDomain && name.utf8.count <= 253 ? name : nil
    }

    static func read(in database: Database) throws -> ServerRules {
        let isAllowList = try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM hubSettings WHERE name = 'federation.allowList' AND value = 'on')"))
        let rows = try Row.fetchAll(
            database.cachedStatement(sql: "SELECT * FROM federationDomains ORDER BY rule, domain"))
        return ServerRules(
            isAllowList: isAllowList ?? false,
            domains: rows.map { row in
                Domain(
                    name: row["domain"], rule: Domain.Rule(rawValue: row["rule"]) ?? .blocked, why: row["why"],
                    created: HubLibrary.date(row["created"]))
            })
    }
}

extension HubLibrary {
    /// With which servers this hub has to do.
    package func serverRules() async throws(LibraryError) -> ServerRules {
        try await read { try ServerRules.read(in: $0) }
    }

    /// Sets what holds for a domain, in place of what held before. What is not let any more is cut off in the same transaction: who follows
    /// from there, whom people here follow there, and what waits to be delivered.
    ///
    /// - Parameter domain: as ``ServerRules/domain(typed:)`` gives it.
    /// - Throws: ``CaseError/notAllowed``, ``CaseError/refused(field:_:)``.
    package func set(
        _ rule: ServerRules.Domain.Rule, for domain: String, why: String, by moderator: AccountID
    ) async throws(CaseError) {
        let why = try Verdict.text(why, field: "why", .decisionWithoutReason)
        let now = Self.milliseconds(now())
        try await act { database in
            _ = try Self.rank(of: moderator, at: now, in: database)
            let count = try Int.fetchOne(database.cachedStatement(sql: "SELECT COUNT(*) FROM federationDomains")) ?? 0
            guard count < ServerRules.most else { throw CaseError.refused(field: "domain", .tooManyBlocks) }
            try database.cachedStatement(
                sql: """
                    INSERT INTO federationDomains (domain, rule, why, created) VALUES (?, ?, ?, ?)
                    ON CONFLICT (domain) DO UPDATE SET rule = excluded.rule, why = excluded.why
                    """
            ).execute(arguments: [domain, rule.rawValue, why, now])
            try Self.log("domain-\(rule.rawValue)", domain, why, by: moderator, at: now, in: database)
            try Self.cutOff(in: database)
        }
    }

    /// Nothing particular holds for a domain any more.
    package func forget(domain: String, by moderator: AccountID) async throws(CaseError) {
        let now = Self.milliseconds(now())
        try await act { database in
            _ = try Self.rank(of: moderator, at: now, in: database)
            try database.cachedStatement(sql: "DELETE FROM federationDomains WHERE domain = ?").execute(arguments: [
                domain
            ])
            guard database.changesCount == 1 else { throw CaseError.changedMeanwhile }
            try Self.log("domain-free", domain, nil, by: moderator, at: now, in: database)
            try Self.cutOff(in: database)
        }
    }

    /// Whether this hub has to do with allowed servers alone.
    package func setAllowList(_ isOn: Bool, by owner: AccountID) async throws(CaseError) {
        let now = Self.milliseconds(now())
        try await act { database in
            try Self.checkOwner(owner, at: now, in: database)
            try database.cachedStatement(
                sql: """
                    INSERT INTO hubSettings (name, value) VALUES ('federation.allowList', :value)
                    ON CONFLICT (name) DO UPDATE SET value = :value
                    """
            ).execute(arguments: ["value": isOn ? "on" : "off"])
            try Self.log("allow-list", isOn ? "on" : "off", nil, by: owner, at: now, in: database)
            try Self.cutOff(in: database)
        }
    }

    private static func log(
        _ what: String, _ about: String, _ why: String?, by moderator: AccountID, at now: Int64, in database: Database
    ) throws {
        _ = try log(
            what, case: nil, by: moderator, account: nil, why: why.map { "\(about): \($0)" } ?? about, at: now,
            in: database)
    }

    private static func cutOff(in database: Database) throws {
        let rules = try ServerRules.read(in: database)
        let hosts = try String.fetchAll(
            database, sql: "SELECT host FROM remoteActors UNION SELECT host FROM federationDeliveries")
        for host in hosts where !rules.lets(host) {
            try database.cachedStatement(
                sql: "UPDATE federationDeliveries SET state = 'dropped' WHERE host = ? AND state = 'waiting'"
            ).execute(arguments: [host])
            // With them go followers, marks, answers and notices of theirs.
            try database.cachedStatement(sql: "DELETE FROM remoteActors WHERE host = ?").execute(arguments: [host])
        }
    }
}
