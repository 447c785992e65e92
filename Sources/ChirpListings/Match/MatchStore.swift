internal import ChirpAccounts
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

    /// Metres around a listing in which the other side is looked for, and how many are compared and kept.
    private static let reach = 30_000.0
    private static let mostCompared = 60
    private static let mostKept = 10
    /// How many words ask the index.
    private static let mostWords = 12

    /// Compares a listing with those of the other side, and writes down what is likely. What its authors have said to a pair stays.
    package func compare(_ listing: Listing) async throws {
        let (library, item) = (library, listing.item)
        var side = MatchScore.Side(listing)
        let words = side.words
        let (rarity, candidates) = try await library.reading { database in
            let rarity = try Items.rarity(of: words, in: database)
            let asked = words.filter { (rarity[$0] ?? 0) > 0.7 }.sorted {
                (rarity[$0] ?? 0, $1) > (rarity[$1] ?? 0, $0)
            }
            let found = try Items.alike(
                board: ListingStore.board, kind: listing.side.other.rawValue, words: asked.prefix(Self.mostWords),
                near: item.place?.shown, within: Self.reach, without: item.author.id, most: Self.mostCompared,
                in: database)
            return (rarity, found)
        }
        let others = try await ListingStore(library: library).listings(candidates, for: .visitor)
        let prints = try await library.reading { database in
            try ([listing] + others).map { try Items.prints(of: $0.item.pictures, in: database) }
        }
        side.prints = prints[0]
        let sides = others.map(MatchScore.Side.init)
        // What only the others say was not counted: there it is rare when few of them say it.
        let said = sides.flatMap(\.words).reduce(into: [:]) { $0[$1, default: 0.0] += 1 }
        let all = Double(sides.count) + 20
        let scored = zip(zip(others, sides), prints.dropFirst()).map { pair, prints -> (Listing, MatchScore) in
            var against = pair.1
            against.prints = prints
            let (lost, found) = listing.side == .lost ? (side, against) : (against, side)
            return (
                pair.0,
                MatchScore(lost: lost, found: found) { rarity[$0] ?? max(0, log(all / ((said[$0] ?? 0) + 0.5))) }
            )
        }
        let kept = scored.filter { $0.1.value >= MatchScore.least }.sorted { $0.1.value > $1.1.value }
            .prefix(Self.mostKept)
        let rows = try kept.map { other, score in
            Pair(listing, other, score.value, String(decoding: try JSONEncoder().encode(score.reasons), as: UTF8.self))
        }
        let now = Accounts.milliseconds(library.now())
        try await library.transact { try Self.write(rows, of: listing.id, at: now, in: $0) }
    }

    private struct Pair: Sendable {
        let lost, found: Item
        let score: Double
        let why: String

        init(_ one: Listing, _ other: Listing, _ score: Double, _ why: String) {
            (lost, found) = one.side == .lost ? (one.item, other.item) : (other.item, one.item)
            self.score = score
            self.why = why
        }
    }

    private static func write(_ pairs: [Pair], of listing: HubID, at now: Int64, in database: Database) throws {
        let kept = String(
            decoding: try JSONEncoder().encode(pairs.flatMap { [$0.lost.id.text, $0.found.id.text] }), as: UTF8.self)
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
                    INSERT INTO matches (lost, found, score, why, created, lostOwner, foundOwner)
                    SELECT ?, ?, ?, ?, ?, ?, ? WHERE (SELECT COUNT(*) FROM listings WHERE item IN (?, ?)) = 2
                    ON CONFLICT (lost, found) DO UPDATE SET score = excluded.score, why = excluded.why
                    """
            ).execute(arguments: [
                pair.lost.id.text, pair.found.id.text, pair.score, pair.why, now, pair.lost.author.id,
                pair.found.author.id, pair.lost.id.text, pair.found.id.text,
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
                            AND \(theirs) IN (SELECT item FROM listings WHERE isOpen = 1)
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
    package func tell() async throws {
        let library = library
        let now = Accounts.milliseconds(library.now())
        let due = try await library.reading { database in
            try AccountID.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT account FROM (SELECT lostOwner AS account FROM matches WHERE lostTold = 0
                            UNION SELECT foundOwner FROM matches WHERE foundTold = 0)
                        WHERE account NOT IN (SELECT account FROM matchesTold WHERE at > ?) LIMIT 10000
                        """), arguments: [now - Self.day])
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
