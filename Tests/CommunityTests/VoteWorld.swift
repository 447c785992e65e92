import ChirpAccounts
import ChirpCommunity
import Foundation
import GRDB
import HubHousehold
import Testing

/// A household whose board `attic` has votes.
struct VoteWorld {
    static let tables = BoardTables(name: ItemWorld.board, steps: [BoardTables.votes(on: ItemWorld.board)])
    let items: ItemWorld

    init() async throws { items = try await ItemWorld(boards: [Self.tables]) }

    var house: HubHousehold { items.house }
    var library: HubLibrary { items.library }

    /// People with accounts that are so old, in days.
    func people(_ many: Int, _ name: String = "p", days: Double = 2) async throws -> [AccountID] {
        let created = Int64((house.now.timeIntervalSince1970 - days * 24 * 3600) * 1000)
        try await house.change(
            """
            WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < \(many))
            INSERT INTO accounts (id, handle, skeleton, name, role, state, created)
            SELECT '\(name)-' || n, '\(name)' || n, '\(name)' || n, 'P', 'member', 'active', \(created) FROM number
            """)
        return (0..<many).map { AccountID(rawValue: "\(name)-\($0)") }
    }

    func vote(
        _ vote: ItemVote?, on id: HubID, by account: AccountID, from address: String? = nil
    ) async throws(VoteRefusal) {
        try await library.vote(vote, on: id, board: ItemWorld.board, by: account, from: address)
    }

    func sweep() async throws { _ = try await library.sweep(at: house.now) }

    func popular(_ change: (inout ItemQuery) -> Void = { _ in }, for viewer: AccountID? = nil) async throws -> [String]
    {
        try await items.titles(
            items.query {
                $0.order = .popular; change(&$0)
            }, for: viewer)
    }

    func standing(_ id: HubID, for viewer: AccountID? = nil) async throws -> VoteStanding {
        try #require(try await items.reader(viewer).votes(on: [id])[id])
    }

    /// Whether tallies, sums and ranks say what the rows of votes say, added up here anew.
    func check(areRanked: Bool = true, _ location: SourceLocation = #_sourceLocation) async throws {
        try await items.checkIndexes(location)
        try await library.reading { database in
            let votes = try Row.fetchAll(
                database,
                sql: "SELECT item, kind = 'up' AS isUp, counted, block FROM itemMarks WHERE kind IN ('up', 'down')"
            ).map { Vote($0) }
            let scores = try Row.fetchAll(
                database,
                sql: """
                    SELECT itemScores.*, itemTallies.ups AS many, itemTallies.downs AS few FROM itemScores
                    LEFT JOIN itemTallies USING (item)
                    """)
            let byItem = Dictionary(grouping: votes, by: \.item)
            for score in scores {
                let own = byItem[score["item"] as Int64] ?? []
                let (many, few): (Int?, Int?) = (score["many"], score["few"])
                let (pro, con) = (own.filter(\.isUp).count, own.filter { !$0.isUp }.count)
                #expect(pro == many ?? 0 && con == few ?? 0, sourceLocation: location)
                let (ups, downs) = Self.sum(own.filter(\.isCounted))
                let (keptUps, keptDowns): (Int, Int) = (score["ups"], score["downs"])
                #expect(keptUps == ups && keptDowns == downs, sourceLocation: location)
                guard areRanked else { continue }
                let bound = Ranking.bound(ups: ups, downs: downs)
                let (rank, isSunk, isStale): (Double, Bool, Bool) = (score["rank"], score["sunk"], score["stale"])
                #expect(rank == Ranking.rank(bound: bound, appeared: score["appeared"]), sourceLocation: location)
                #expect(isSunk == (bound < Ranking.leastBound) && !isStale, sourceLocation: location)
            }
            let wrong = try [
                "SELECT COUNT(*) FROM openItems LEFT JOIN itemScores USING (item) WHERE itemScores.listed IS NOT 1",
                "SELECT COUNT(*) FROM itemScores WHERE listed AND item NOT IN (SELECT item FROM openItems)",
                "SELECT COUNT(*) FROM voteSums WHERE ups + downs < 1 OR ups < 0 OR downs < 0",
                """
                SELECT COUNT(*) FROM itemScores JOIN items ON sequence = item
                WHERE itemScores.kind <> items.kind OR itemScores.category <> items.category
                """,
            ].filter { try Int.fetchOne(database, sql: $0) != 0 }
            #expect(wrong.isEmpty, sourceLocation: location)
        }
    }

    private struct Vote {
        let item: Int64
        let isUp, isCounted: Bool
        let block: Int64?

        init(_ row: Row) {
            item = row["item"]
            isUp = row["isUp"]
            isCounted = row["counted"]
            block = row["block"]
        }
    }

    /// What votes that count come to, in thousandths.
    private static func sum(_ votes: [Vote]) -> (ups: Int, downs: Int) {
        var (ups, downs) = (0, 0)
        for (block, own) in Dictionary(grouping: votes, by: \.block) {
            let (pro, con) = (own.filter(\.isUp).count, own.filter { !$0.isUp }.count)
            let isCapped = block != nil
            let part = Ranking.capped(ups: pro, downs: con)
            ups += isCapped ? part.ups : pro * 1000
            downs += isCapped ? part.downs : con * 1000
        }
        return (ups, downs)
    }
}
