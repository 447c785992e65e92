package import ChirpAccounts
package import ChirpCommunity
internal import ChirpCore
internal import FoundationEssentials
internal import GRDB

/// Claims in the library.
package struct ClaimStore: Sendable {
    package let library: HubLibrary

    package init(library: HubLibrary) { self.library = library }

    /// In ms.
    private static let day: Int64 = 24 * 3_600_000

    /// Whether somebody may claim a listing now, before what she sends is decoded.
    ///
    /// - Throws: ``ClaimRefusal``.
    package func check(_ listing: Listing, by account: AccountID) async throws {
        try await checkTies(listing, account)
        let now = Accounts.milliseconds(library.now())
        let owner = listing.item.author.id
        try await library.reading { database in
            try Self.check(listing.id, by: account, at: now, in: database)
            if let seconds = try StrangerLetters.wait(for: owner, by: account, at: now, in: database) {
                throw ClaimRefusal.strangers(seconds: seconds)
            }
        }
    }

    /// Claims a listing, with words, a clip or both. The clip is her own and becomes one that she and the author hear, and nobody else.
    ///
    /// - Parameter listing: as she sees it: the question is kept as it was asked.
    /// - Throws: ``ClaimRefusal``; the author is told in the same transaction.
    package func claim(
        _ listing: Listing, by account: AccountID, answer: String, clip: HubID?
    ) async throws -> HubID {
        try await checkTies(listing, account)
        let answer = PlainText.lines(answer, limit: Claim.longestAnswer + 1)
        guard !answer.isEmpty || clip != nil else { throw ClaimRefusal.empty }
        guard answer.isWithin(Claim.longestAnswer) else { throw ClaimRefusal.tooLong }
        let now = Accounts.milliseconds(library.now())
        let (id, owner) = (HubID(), listing.item.author.id)
        try await library.transact { [library] database in
            let item = try Items.item(
                listing.id, board: ListingStore.board, for: .member(account), library: library, in: database)
            guard let item else { throw ClaimRefusal.notFound }
            guard item.state == .open else { throw ClaimRefusal.ended(item.state, since: item.ended) }
            try Self.check(listing.id, by: account, at: now, in: database)
            if let seconds = try StrangerLetters.admit(owner, by: account, at: now, in: database) {
                throw ClaimRefusal.strangers(seconds: seconds)
            }
            if let clip {
                guard try ClipHearers.add(owner, to: clip, of: account, in: database) else {
                    throw ClaimRefusal.notYours
                }
            }
            try database.cachedStatement(
                sql: """
                    INSERT INTO claims (id, listing, owner, claimant, kind, question, answer, clip, created)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                id.text, listing.id.text, owner, account, Claim.Kind(to: listing.side).rawValue, listing.question,
                answer, clip?.text, now,
            ])
            try Notice.add(
                Notice.Draft(account: owner, kind: .claim, actor: account, item: listing.id, cause: "claim:\(id)"),
                at: now, in: database)
        }
        return id
    }

    /// Neither is one's own listing claimed, nor one across a block, nor one that has ended.
    private func checkTies(_ listing: Listing, _ account: AccountID) async throws {
        let (item, reader) = (listing.item, library.seen(by: .member(account)))
        guard item.author.id != account else { throw ClaimRefusal.own }
        guard item.state == .open else { throw ClaimRefusal.ended(item.state, since: item.ended) }
        let isThere = try await reader.people(.these([item.author.id]), limit: 1).count == 1
        let isBlocking = try await reader.relationships(to: [item.author.id]).contains(where: \.isBlocking)
        guard isThere, !isBlocking else { throw ClaimRefusal.notFound }
    }

    /// How many somebody has made, within the transaction that makes another.
    private static func check(
        _ listing: HubID, by account: AccountID, at now: Int64, in database: Database
    ) throws {
        let here = try String.fetchAll(
            database.cachedStatement(sql: "SELECT state FROM claims WHERE listing = ? AND claimant = ?"),
            arguments: [listing.text, account])
        guard !here.contains(Claim.State.open.rawValue), !here.contains(Claim.State.accepted.rawValue) else {
            throw ClaimRefusal.already
        }
        guard here.count < Claim.mostPerListing else { throw ClaimRefusal.enough }
        let oldest = try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT created FROM claims WHERE claimant = ? AND created > ?
                    ORDER BY created DESC LIMIT 1 OFFSET \(Claim.mostPerDay - 1)
                    """), arguments: [account, now - day])
        if let oldest {
            throw ClaimRefusal.tooOften(seconds: max(1, Int(min(oldest + day - now + 999, 2 * day) / 1000)))
        }
    }
}

extension ClaimStore {
    /// The claims at a listing that somebody may see: its author all of them, anybody else her own. Newest first.
    package func claims(of listing: HubID, for account: AccountID) async throws -> [Claim] {
        try await claims("listing = :listing", ["listing": listing.text], for: account)
    }

    /// Somebody's own claims, and those at her listings. Newest first.
    package func claims(for account: AccountID) async throws -> [Claim] {
        try await claims("1", [:], for: account)
    }

    /// Nil for one that is neither her own nor at a listing of hers.
    package func claim(_ id: HubID, for account: AccountID) async throws -> Claim? {
        try await claims("id = :id", ["id": id.text], for: account).first
    }

    /// How many wait at somebody's listing.
    package func waiting(at listing: HubID, of owner: AccountID) async throws -> Int {
        try await library.reading { database in
            try Int.fetchOne(
                database.cachedStatement(
                    sql: "SELECT COUNT(*) FROM claims WHERE listing = ? AND owner = ? AND state = 'open'"),
                arguments: [listing.text, owner]) ?? 0
        }
    }

    private func claims(
        _ condition: String, _ arguments: [String: (any DatabaseValueConvertible)?], for account: AccountID
    ) async throws -> [Claim] {
        let arguments = StatementArguments(arguments.merging(["me": account]) { given, _ in given })
        let rows = try await library.reading { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT * FROM claims WHERE \(condition) AND (claimant = :me OR owner = :me)
                        ORDER BY sequence DESC LIMIT 200
                        """), arguments: arguments
            ).map(ClaimRow.init)
        }
        var people: [AccountID: PostAuthor] = [:]
        for id in Set(rows.map(\.claimant)) { people[id] = try await library.author(id) }
        return rows.compactMap { row in people[row.claimant].flatMap(row.claim) }
    }
}

/// A row of the table, which may leave the database's queue.
private struct ClaimRow: Sendable {
    let id, listing, kind, question, answer, state: String
    let claimant: AccountID
    let clip: String?
    let created: Int64
    let decided: Int64?

    init(_ row: Row) {
        (id, listing, kind, state) = (row["id"], row["listing"], row["kind"], row["state"])
        (question, answer, clip) = (row["question"], row["answer"], row["clip"])
        (claimant, created, decided) = (row["claimant"], row["created"], row["decided"])
    }

    func claim(by person: PostAuthor) -> Claim? {
        guard let id = HubID(id), let listing = HubID(listing), let kind = Claim.Kind(rawValue: kind),
            let state = Claim.State(rawValue: state)
        else { return nil }
        return Claim(
            id: id, listing: listing, claimant: person, kind: kind, question: question, answer: answer,
            clip: clip.flatMap { HubID($0) }, state: state, created: Accounts.date(created),
            decided: decided.map(Accounts.date))
    }
}
