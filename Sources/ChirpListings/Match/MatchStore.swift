package import ChirpAccounts
package import ChirpCommunity
internal import ChirpPlaces
internal import FoundationEssentials
internal import GRDB
internal import Glibc

/// Another listing that may be the other side of one, as that one's author sees it.
package struct Match: Hashable, Sendable {
    package let other: Listing
    package let score: Double
    package let reasons: [MatchScore.Reason]
    /// She has not looked at it yet.
    package let isNew: Bool
}

/// What may belong together, in the library.
package struct MatchStore: Sendable {
    package let library: HubLibrary

    package init(library: HubLibrary) { self.library = library }

    /// How many are kept.
    private static let mostKept = 10

    /// Compares a listing with those of the other side, and writes down what is likely. What its authors have said to a pair stays.
    ///
    /// - Returns: whose listings may belong together.
    @discardableResult
    package func compare(_ listing: Listing) async throws -> Set<AccountID> {
        let pairs = try await library.reading { try Self.pairs(of: listing, in: $0) }
        let now = Accounts.milliseconds(library.now())
        try await library.transact { try Self.write(pairs, of: listing.id, at: now, in: $0) }
        return Set(pairs.flatMap { [$0.lost.owner, $0.found.owner] })
    }

    /// The likeliest that are likely enough, the likeliest first.
    private static func pairs(of listing: Listing, in database: Database) throws -> [Pair] {
        let item = listing.item
        guard let own = try Items.likenesses(of: [item.sequence], in: database).first else { return [] }
        let words = MatchWords(own.text)
        let rarity = try Items.rarity(
            of: Dictionary(uniqueKeysWithValues: words.stems.map { ($0, MatchWords.forms(of: $0)) }), in: database)
        let (candidates, near) = try Items.alike(
            Items.Sought(
                board: ListingStore.board, kind: listing.side.other.rawValue, category: item.category,
                point: own.shown, words: asked(rarity, everywhere: own.shown == nil ? item.sequence : 0)), in: database)
        let prints = try Items.prints(of: [item.sequence], in: database)[item.sequence] ?? []
        let others = try prints.isEmpty ? [:] : Items.prints(of: candidates, in: database)
        let found = try Items.likenesses(of: candidates, in: database).filter { $0.account != item.author.id }
        let times = try times(of: found, in: database)
        var side = MatchScore.Side(
            words: words, category: item.category, shown: own.shown, from: listing.happenedFrom,
            to: listing.happenedTo)
        side.prints = prints
        let scored = found.map { other -> (ItemLikeness, MatchScore) in
            let time = times[other.id.text]
            var against = MatchScore.Side(
                words: MatchWords(other.text), category: other.category, shown: other.shown, from: time?.from,
                to: time?.to)
            against.prints = others[other.sequence] ?? []
            let (lost, found) = listing.side == .lost ? (side, against) : (against, side)
            return (other, MatchScore(lost: lost, found: found, rivals: near) { rarity[$0] ?? 0 })
        }
        return try scored.filter { $0.1.value >= MatchScore.least }.sorted { $0.1.value > $1.1.value }
            .prefix(mostKept).map { try Pair(listing, $0, $1) }
    }

    /// Which words are looked for, the rarest first.
    ///
    /// - Parameter everywhere: how many items there are, where no place limits what words find; otherwise 0.
    private static func asked(_ rarity: [String: Double], everywhere: Int64) -> [[String]] {
        rarity.filter { $0.value > 0.9 && Double(everywhere) * exp(-$0.value) <= mostSaying }
            .sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }.map { MatchWords.forms(of: $0.key) }
    }

    /// How many items a word is said in that is looked for everywhere.
    private static let mostSaying = 20_000.0

    private static func times(
        of items: [ItemLikeness], in database: Database
    ) throws -> [String: (from: Date?, to: Date?)] {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT item, happenedFrom, happenedTo FROM json_each(?) AS list
                    CROSS JOIN listings ON listings.item = list.value
                    """), arguments: [items.map(\.id.text).statementList()])
        return Dictionary(
            rows.map { row in
                (row[0], ((row[1] as Int64?).map(Accounts.date), (row[2] as Int64?).map(Accounts.date)))
            }, uniquingKeysWith: { first, _ in first })
    }

    private struct Pair: Sendable {
        let lost, found: (id: HubID, owner: AccountID)
        let score: Double
        let why: String

        init(_ listing: Listing, _ other: ItemLikeness, _ score: MatchScore) throws {
            let one = (id: listing.id, owner: listing.item.author.id)
            let two = (id: other.id, owner: other.account)
            lost = listing.side == .lost ? one : two
            found = listing.side == .lost ? two : one
            self.score = score.value
            why = String(decoding: try JSONEncoder().encode(score.reasons), as: UTF8.self)
        }
    }

    private static func write(_ pairs: [Pair], of listing: HubID, at now: Int64, in database: Database) throws {
        let kept = try pairs.flatMap { [$0.lost.id.text, $0.found.id.text] }.statementList()
        // It was changed: what it no longer resembles goes.
        try database.cachedStatement(
            sql: """
                DELETE FROM matches WHERE (lost = :id OR found = :id)
                    AND NOT (lost IN (SELECT value FROM json_each(:kept)) AND found IN (SELECT value FROM json_each(:kept)))
                """
        ).execute(arguments: ["id": listing.text, "kept": kept])
        for pair in pairs {
            try database.cachedStatement(
                sql: """
                    INSERT INTO matches (lost, found, score, why, created, lostOwner, foundOwner, lostTold, foundTold)
                    SELECT :lost, :found, :score, :why, :now, :lostOwner, :foundOwner, :score < :told, :score < :told
                    WHERE (SELECT COUNT(*) FROM listings WHERE item IN (:lost, :found)) = 2
                    ON CONFLICT (lost, found) DO UPDATE SET score = excluded.score, why = excluded.why,
                        lostTold = lostTold AND NOT (lostSeen = 'new' AND score < :told AND excluded.score >= :told),
                        foundTold = foundTold AND NOT (foundSeen = 'new' AND score < :told AND excluded.score >= :told)
                    """
            ).execute(arguments: [
                "lost": pair.lost.id.text, "found": pair.found.id.text, "score": pair.score, "why": pair.why,
                "now": now, "lostOwner": pair.lost.owner, "foundOwner": pair.found.owner,
                "told": MatchScore.leastTold,
            ])
        }
    }

    /// What may be the other side of somebody's own listing, the likeliest first; what she has put aside, what has ended and what she
    /// does not see is not among them.
    package func matches(of listing: Listing, limit: Int = 5) async throws -> [Match] {
        let (mine, theirs) = Self.columns(listing.side)
        let rows = try await library.reading { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT \(theirs) AS other, score, why, \(mine)Seen = 'new' AS isNew FROM matches
                        WHERE \(mine) = ? AND \(mine)Seen <> 'dismissed'
                            AND EXISTS (SELECT 1 FROM listings WHERE item = matches.\(theirs) AND isOpen = 1)
                        ORDER BY score DESC LIMIT ?
                        """), arguments: [listing.id.text, limit * 4]
            ).map { row -> (id: String, score: Double, why: String, isNew: Bool) in
                (row["other"], row["score"], row["why"], row["isNew"])
            }
        }
        let viewer = Viewer.member(listing.item.author.id)
        let others = try await ListingStore(library: library).listings(rows.compactMap { HubID($0.id) }, for: viewer)
        return others.filter { $0.item.state == .open }.compactMap { other in
            guard let row = rows.first(where: { $0.id == other.id.text }) else { return nil }
            let reasons = try? JSONDecoder().decode([MatchScore.Reason].self, from: Data(row.why.utf8))
            return Match(other: other, score: row.score, reasons: reasons ?? [], isNew: row.isNew)
        }.prefix(limit).map { $0 }
    }

    /// What somebody says to what may be the other side of her listing.
    package enum Answer: String, Sendable { case seen, dismissed }

    /// - Parameter other: nil: to all of them.
    /// - Returns: false when there is none.
    @discardableResult
    package func answer(_ answer: Answer, to other: HubID?, of listing: Listing) async throws -> Bool {
        let (mine, theirs) = Self.columns(listing.side)
        return try await library.transact { database in
            try database.cachedStatement(
                sql: """
                    UPDATE matches SET \(mine)Seen = :answer, \(mine)Told = 1
                    WHERE \(mine) = :id AND \(mine)Seen <> 'dismissed' AND (:other IS NULL OR \(theirs) = :other)
                    """
            ).execute(arguments: ["answer": answer.rawValue, "id": listing.id.text, "other": other?.text])
            return database.changesCount > 0
        }
    }

    private static func columns(_ side: Listing.Side) -> (mine: String, theirs: String) {
        side == .lost ? ("lost", "found") : ("found", "lost")
    }
}

extension MatchStore {
    /// In ms.
    private static let day: Int64 = 24 * 3_600_000

    /// Tells people of what may be the other side of what is theirs: all of it at once, at most once a day. What comes in between is told
    /// the next time.
    ///
    /// - Parameter accounts: whose listings were just compared; nil: all, of whom there may be very many.
    package func tell(_ accounts: Set<AccountID>? = nil) async throws {
        let library = library
        let now = Accounts.milliseconds(library.now())
        let due = try await library.reading { database in
            try AccountID.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT list.value FROM json_each(COALESCE(:accounts, (SELECT json_group_array(account) FROM (
                            SELECT lostOwner AS account FROM matches WHERE lostTold = 0
                            UNION SELECT foundOwner FROM matches WHERE foundTold = 0)))) AS list
                        WHERE NOT EXISTS (SELECT 1 FROM matchesTold WHERE account = list.value AND at > :day)
                            AND (EXISTS (SELECT 1 FROM matches WHERE lostOwner = list.value AND lostTold = 0)
                                OR EXISTS (SELECT 1 FROM matches WHERE foundOwner = list.value AND foundTold = 0))
                        LIMIT 10000
                        """),
                arguments: ["accounts": try accounts?.statementList(), "day": now - Self.day])
        }
        for account in due {
            try await library.transact { try Self.tell(account, by: library, at: now, in: $0) }
        }
    }

    private static func tell(_ account: AccountID, by library: HubLibrary, at now: Int64, in database: Database) throws
    {
        let pairs = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT lost AS mine, found AS theirs, score FROM matches WHERE lostOwner = :me AND lostTold = 0
                    UNION ALL SELECT found, lost, score FROM matches WHERE foundOwner = :me AND foundTold = 0
                    ORDER BY score DESC LIMIT 20
                    """), arguments: ["me": account]
        ).map { row -> (mine: String, theirs: String) in (row["mine"], row["theirs"]) }
        // The likeliest that she sees and that is open; her own may have ended meanwhile too.
        let told = try pairs.first { pair in
            try [pair.mine, pair.theirs].allSatisfy { text in
                guard let id = HubID(text) else { return false }
                let viewer = Viewer.member(account)
                return try Items.item(id, board: ListingStore.board, for: viewer, library: library, in: database)?.state
                    == .open
            }
        }
        try database.cachedStatement(sql: "UPDATE matches SET lostTold = 1 WHERE lostOwner = ? AND lostTold = 0")
            .execute(arguments: [account])
        try database.cachedStatement(sql: "UPDATE matches SET foundTold = 1 WHERE foundOwner = ? AND foundTold = 0")
            .execute(arguments: [account])
        guard let told else { return }
        try Notice.add(
            Notice.Draft(account: account, kind: .match, item: HubID(told.mine), cause: "match:\(now)"),
            at: now, in: database)
        try database.cachedStatement(
            sql:
                "INSERT INTO matchesTold (account, at) VALUES (?, ?) ON CONFLICT (account) DO UPDATE SET at = excluded.at"
        ).execute(arguments: [account, now])
    }
}
