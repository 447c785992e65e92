import ChirpAccounts
import ChirpCommunity
import Foundation
import GRDB
import HubHousehold
import Testing

/// An attic where people say something about what is listed.
struct CommentWorld {
    let world: ItemWorld
    let item: HubID
    var ann: AccountID { world.ann }
    var bob: AccountID { world.bob }
    var library: HubLibrary { world.library }

    /// Ann has listed something.
    init() async throws {
        world = try await ItemWorld()
        item = try await world.list("A bell")
    }

    func draft(
        _ text: String, by account: AccountID, clip: HubID? = nil, answers: HubID? = nil,
        key: String = UUID().uuidString
    ) -> CommentDraft {
        CommentDraft(
            board: ItemWorld.board, item: item, author: account, key: key, text: text, clip: clip, answers: answers)
    }

    @discardableResult
    func say(
        _ text: String, by account: AccountID, clip: HubID? = nil, answers: HubID? = nil,
        key: String = UUID().uuidString
    ) async throws -> HubID {
        try await library.comment(draft(text, by: account, clip: clip, answers: answers, key: key))
    }

    func query(_ order: CommentQuery.Order = .oldest, answersTo above: HubID? = nil, limit: Int = 100) -> CommentQuery {
        var query = CommentQuery(board: ItemWorld.board, item: item)
        (query.order, query.answersTo, query.limit) = (order, above, limit)
        return query
    }

    /// What somebody reads on the item: each comment with its answers in brackets.
    func read(by account: AccountID? = nil, _ order: CommentQuery.Order = .oldest) async throws -> [String] {
        let page = try #require(try await world.reader(account).comments(query(order)))
        return page.comments.map { comment in
            let answers = comment.answers.map(Self.text).joined(separator: ", ")
            return Self.text(comment) + (answers.isEmpty ? "" : " [\(answers)]")
        }
    }

    private static func text(_ comment: ItemComment) -> String {
        switch comment.state {
        case .shown: comment.text
        case .hidden: "hidden: \(comment.text)"
        case .removed: "-"
        }
    }

    /// What a call is refused with; nil when it is not.
    func refusal<T>(_ body: () async throws(CommentRefusal) -> T) async -> CommentRefusal? {
        do throws(CommentRefusal) {
            _ = try await body()
            return nil
        } catch { return error }
    }

    /// A clip of somebody's that nobody else hears.
    func clip(of owner: AccountID, expires: Date? = nil, shared: Bool = false) async throws -> HubID {
        let id = HubID()
        var clip = HubClip(
            id: id, title: "Ding", fileName: "ding.mp3", contentType: "audio/mpeg", bytes: 1, sha256: "",
            sound: HubSound(seconds: 1, peaks: [1]), created: world.house.now, expires: expires, shared: shared)
        clip.owner = owner
        #expect(try await library.insert(clip) == nil)
        return id
    }

    func isHeard(_ clip: HubID, by account: AccountID? = nil) async throws -> Bool {
        if case .clip = try await world.reader(account).clip(clip) { true } else { false }
    }

    /// The number that is kept with the item, after it was compared with the rows.
    func count(_ location: SourceLocation = #_sourceLocation) async throws -> Int {
        try await library.reading { [item] database in
            let wrong = try Int.fetchOne(
                database,
                sql: """
                    SELECT COUNT(*) FROM items LEFT JOIN itemTallies ON itemTallies.item = items.sequence
                    WHERE COALESCE(itemTallies.comments, 0) <> (SELECT COUNT(*) FROM comments
                        WHERE comments.item = items.sequence AND state = 'shown' AND shut = 0)
                    """)
            #expect(wrong == 0, sourceLocation: location)
            let stray = try Int.fetchOne(
                database,
                sql: """
                    SELECT COUNT(*) FROM comments WHERE (state = 'removed') <> (account IS NULL)
                        OR state = 'removed' AND (text <> '' OR clip IS NOT NULL OR key <> '' OR NOT EXISTS (
                            SELECT 1 FROM comments AS answer WHERE answer.answers = comments.sequence))
                        OR state <> 'removed' AND text = '' AND clip IS NULL
                    """)
            #expect(
                stray == 0, "comments without words, or places of what nobody has answered", sourceLocation: location)
            return try Int.fetchOne(
                database,
                sql: "SELECT comments FROM itemTallies JOIN items ON items.sequence = item WHERE items.id = ?",
                arguments: [item.text]) ?? 0
        }
    }
}
