internal import ChirpAccounts
package import ChirpCommunity
internal import FoundationEssentials
internal import GRDB

extension ChallengeStore {
    /// The most of a page.
    package static let mostOnPage = 100

    /// A page of a list as a viewer sees it. Nothing is repeated on the next page, and nothing left out that is there throughout.
    ///
    /// - Parameters:
    ///   - category: nil: of all.
    ///   - after: where the page before ended, as it said itself; what is not one begins anew.
    package func feed(
        _ feed: ChallengeFeed, category: Challenge.Category? = nil, after: String? = nil, limit: Int, for viewer: Viewer
    ) async throws -> ChallengePage {
        let limit = min(limit, Self.mostOnPage)
        guard limit > 0 else { return ChallengePage() }
        guard var query = feed.query else {
            return try await events(feed == .coming, category, after: after, limit: limit, for: viewer)
        }
        query.category = category?.rawValue
        (query.after, query.limit) = (after, limit)
        let page = try await library.seen(by: viewer).items(query)
        return ChallengePage(found: try await whole(page.items), next: page.next)
    }

    /// By when they end or begin, which does not change while somebody pages through them.
    private func events(
        _ isComing: Bool, _ category: Challenge.Category?, after: String?, limit: Int, for viewer: Viewer
    ) async throws -> ChallengePage {
        let reader = library.seen(by: viewer)
        let now = Accounts.milliseconds(reader.now)
        let listed = reader.listsItem("rules.challenge", category: category?.rawValue)
        let (key, index) = isComing ? ("begins", "rulesByBegin") : ("ends", "rulesByEnd")
        let cursor = after.flatMap(EventCursor.init) ?? EventCursor(instant: now, rule: .max)
        // Whoever looked an hour ago goes on behind what has ended, or begun, since.
        let first = cursor.instant < now ? EventCursor(instant: now, rule: .max) : cursor
        let rows = try await library.reading { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT challenge, \(key) AS instant, sequence FROM rules INDEXED BY \(index)
                        WHERE \(key) >= ? AND (\(key), sequence) > (?, ?) \(isComing ? "" : "AND begins <= ?")
                            AND NOT EXISTS (SELECT 1 FROM rules AS later
                                WHERE later.challenge = rules.challenge AND later.version > rules.version)
                            AND \(listed.sql)
                        ORDER BY \(key), sequence LIMIT \(limit + 1)
                        """),
                arguments: [first.instant, first.instant, first.rule] + (isComing ? [] : [now]) + listed.arguments
            ).map {
                (
                    challenge: $0["challenge"] as String,
                    cursor: EventCursor(instant: $0["instant"], rule: $0["sequence"])
                )
            }
        }
        let page = rows.prefix(limit)
        return ChallengePage(
            found: try await challenges(page.compactMap { HubID($0.challenge) }, for: viewer),
            next: rows.count > limit ? page.last?.cursor.text : nil)
    }
}

/// Where a page of events ended.
private struct EventCursor: Sendable {
    /// In ms.
    let instant: Int64
    let rule: Int64

    init(instant: Int64, rule: Int64) { (self.instant, self.rule) = (instant, rule) }

    init?(_ text: String) {
        let parts = text.split(separator: "-")
        guard text.utf8.count <= 64, text.first == "e", parts.count == 2,
            let instant = parts[0].dropFirst().safeInteger,
            let rule = parts[1].safeInteger
        else { return nil }
        self.init(instant: instant, rule: rule)
    }

    var text: String { "e\(instant)-\(rule)" }
}
