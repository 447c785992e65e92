import ChirpAccounts
import ChirpCommunity
import Foundation
import HubHousehold
import Testing

/// Which feeds a WebSub hub is to be told of is written down with the act that changes them (CH-12).
@Suite struct ChangedFeedTests {
    private let house: HubHousehold
    private let ann: AccountID
    private static let everybodys = ["/feed.json", "/feed.xml"]
    private static let all = ["/@ann/feed.json", "/@ann/feed.xml"] + everybodys

    private var library: HubLibrary { house.library }

    init() async throws {
        house = try HubHousehold()
        ann = try await house.person("ann")
        try await library.announceFeeds(true)
    }

    /// Takes out of the queue what waits, as sorted paths.
    private func waiting() async throws -> [String] {
        var found: [String] = []
        try await library.scheduleChangedFeeds(after: 0)
        while let feed = try await library.dueChangedFeed() {
            found.append(feed.address(HubLinks(publicURL: "")))
            try await library.changedFeedTold(feed)
        }
        #expect(try await library.nextChangedFeed() == nil)
        return found.sorted()
    }

    private func draft(_ text: String, _ visibility: HubPost.Visibility = .published) -> PostDraft {
        var draft = PostDraft(author: ann, text: text, key: text)
        draft.visibility = visibility
        return draft
    }

    /// A clip of hers, posted.
    private func clip() async throws -> (id: String, post: HubPost) {
        let id = try await house.save(title: "Blackbird")
        try await house.change("UPDATE clips SET owner = '\(ann.rawValue)' WHERE id = '\(id)'")
        var draft = draft("A clip")
        draft.clip = HubID(id)
        return (id, try await library.post(draft))
    }

    @Test(arguments: HubPost.Visibility.allCases) func `only what is public changes a feed`(
        visibility: HubPost.Visibility
    ) async throws {
        let post = try await library.post(draft("@me one", visibility))
        let expected = visibility == .published ? Self.all : []
        #expect(try await waiting() == expected)
        #expect(try await library.removePost(post.sequence, by: ann))
        #expect(try await waiting() == expected)
    }

    @Test func `a feed waits once however often it changes, and a post that is sent twice changes it once`()
        async throws
    {
        for text in ["one", "two", "two"] { _ = try await library.post(draft(text)) }
        #expect(try await waiting() == Self.all)
        _ = try await library.post(draft("two"))
        #expect(try await waiting().isEmpty)
    }

    @Test func `a clip that nobody has posted, and a post that waits for a look, change nothing until they are shown`()
        async throws
    {
        let id = try await house.save(title: "Blackbird")
        try await house.change("UPDATE clips SET title = 'Robin' WHERE id = '\(id)'")
        #expect(try await waiting().isEmpty)
        var held = draft("held")
        held.isHeld = true
        _ = try await library.post(held)
        #expect(try await waiting().isEmpty)
        try await house.change("UPDATE posts SET state = 'shown' WHERE state = 'held'")
        #expect(try await waiting() == Self.all)
        try await house.change("UPDATE posts SET state = 'hidden'")
        #expect(try await waiting() == Self.all)
        // What nobody sees may change and go.
        try await house.change("UPDATE posts SET text = 'other'; DELETE FROM posts")
        #expect(try await waiting().isEmpty)
    }

    @Test func `a clip's title changes every feed that has it, and what is said in it RSS alone`() async throws {
        let clip = try await clip()
        #expect(try await waiting() == Self.all)
        try await house.change("UPDATE clips SET title = 'Robin' WHERE id = '\(clip.id)'")
        #expect(try await waiting() == Self.all)
        try await house.change(
            """
            INSERT INTO transcripts (clip, language, form, text, source, changed)
            VALUES ('\(clip.id)', 'en', 'words', 'Tweet', 'own', 0)
            """)
        #expect(try await waiting() == ["/@ann/feed.xml", "/feed.xml"])
        // The feed has its link alone.
        try await house.change("UPDATE transcripts SET form = 'words', language = 'en', text = 'Chirp'")
        #expect(try await waiting().isEmpty)
        try await house.change("DELETE FROM clips WHERE id = '\(clip.id)'")
        #expect(try await waiting() == Self.all)
    }

    @Test func `a name changes the feeds of who has posted, and who is closed or erased has none`() async throws {
        try await library.accounts().setProfile(of: ann, name: "Ann A", bio: "")
        #expect(try await waiting().isEmpty)
        _ = try await library.post(draft("one"))
        #expect(try await waiting() == Self.all)
        try await library.accounts().setProfile(of: ann, name: "Ann B", bio: "")
        #expect(try await waiting() == Self.all)
        _ = try await library.post(draft("two"))
        try await house.change("UPDATE accounts SET state = 'closed' WHERE id = '\(ann.rawValue)'")
        #expect(try await waiting() == Self.everybodys)
        try await house.change("UPDATE accounts SET state = 'active' WHERE id = '\(ann.rawValue)'")
        #expect(try await waiting() == Self.all)
        _ = try await library.post(draft("three"))
        _ = try await clip()
        _ = try await library.accounts().delete(ann)
        #expect(try await waiting() == Self.everybodys)
    }

    @Test func `what changes while the hub is told is told again, and what was not marked is still there`() async throws
    {
        _ = try await library.post(draft("one"))
        try await library.scheduleChangedFeeds(after: 0)
        let feed = try #require(try await library.dueChangedFeed())
        // As after a kill.
        #expect(try await library.dueChangedFeed() == feed)
        _ = try await library.post(draft("two"))
        try await library.changedFeedTold(feed)
        #expect(try await waiting() == Self.all)
    }

    @Test func `nothing is written down while no hub is told, and what waits is forgotten then`() async throws {
        _ = try await library.post(draft("one"))
        try await library.announceFeeds(false)
        #expect(try await waiting().isEmpty)
        _ = try await library.post(draft("two"))
        #expect(try await waiting().isEmpty)
        try await library.announceFeeds(true)
        try await library.announceFeeds(true)
        #expect(try await waiting().isEmpty)
        _ = try await library.post(draft("three"))
        #expect(try await waiting() == Self.all)
    }
}
