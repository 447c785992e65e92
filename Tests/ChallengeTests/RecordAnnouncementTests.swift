import ChirpBoards
import ChirpCommunity
import ChirpNumbers
import ChirpRecords
import ChirpTestKit
import HubHousehold
import Testing

/// Who hears of a broken record, and in which words.
@Suite struct RecordAnnouncementTests {
    @Test func `a broken record is announced once to who watches, and no longer than it is one`() async throws {
        let cast = try await ChallengeCast()
        let challenge = try await cast.challenge()
        try await cast.library.mark(challenge, .watch, isOn: true, by: cast.vic)
        try await cast.verified("50", at: challenge, by: cast.ann)
        let orders = Mutexed<[BoardAnnouncing.Order]>([])
        let announcements = RecordAnnouncements(
            library: cast.library, publicURL: "https://hub.example",
            announcing: BoardAnnouncing { order in
                orders.change { $0.append(order) }
                return [1]
            }, takeClip: { _, _, owner in try await cast.clip(of: owner) })
        #expect(try await announcements.announce(at: cast.house.now) == 0)
        let record = try await cast.verified("60", at: challenge, by: cast.bob)
        for _ in 0..<3 { try await announcements.announce(at: cast.house.now) }
        #expect(orders.value.count == 1 && orders.value.first?.words.contains("60") == true)
        let home = try await cast.library.seen(by: .member(cast.vic)).homeStream(after: 0, limit: 10)
        #expect(home.count == 1 && home.first?.clip != nil && home.first?.author.id == cast.bob)
        #expect(home.first?.link == "https://hub.example/challenges/attempts/\(record)")
        #expect(try await cast.library.seen(by: .member(cast.cem)).homeStream(after: 0, limit: 10).isEmpty)
        let list = try await cast.library.seen(by: .member(cast.vic)).posts(.home, limit: 10)
        #expect(list.map(\.id) == home.map(\.id))
        #expect(try await cast.library.seen(by: .member(cast.cem)).posts(.home, limit: 10).isEmpty)
        #expect(try await cast.library.streamedPosts(after: 0, limit: 10).map(\.watchers) == [[cast.vic]])
        // Of a challenge that is hidden nothing is heard.
        let clip = try #require(home.first?.clip?.id)
        func hears() async throws -> Bool {
            if case .clip = try await cast.library.seen(by: .visitor).clip(clip) { return true }
            return false
        }
        #expect(try await hears())
        try await cast.house.change("UPDATE items SET hidden = 1 WHERE id = '\(challenge)'")
        #expect(try await !hears())
        try await cast.house.change("UPDATE items SET hidden = 0 WHERE id = '\(challenge)'")
        try await cast.attempts.decide(record, .reject(why: "No"), by: cast.mod)
        #expect(try await cast.library.seen(by: .member(cast.vic)).homeStream(after: 0, limit: 10).isEmpty)
        #expect(try await announcements.announce(at: cast.house.now) == 0)
    }

    @Test func `who broke a record removes its announcement, and the clip goes with it`() async throws {
        let cast = try await ChallengeCast()
        let challenge = try await cast.challenge()
        try await cast.library.mark(challenge, .watch, isOn: true, by: cast.vic)
        try await cast.verified("50", at: challenge, by: cast.ann)
        let announcements = RecordAnnouncements(
            library: cast.library, publicURL: "https://hub.example", announcing: BoardAnnouncing { _ in [1] },
            takeClip: { _, _, owner in try await cast.clip(of: owner) })
        try await announcements.announce(at: cast.house.now)
        try await cast.verified("60", at: challenge, by: cast.bob)
        try await announcements.announce(at: cast.house.now)
        let home = try await cast.library.seen(by: .member(cast.vic)).homeStream(after: 0, limit: 10)
        let (post, clip) = (try #require(home.first), try #require(home.first?.clip?.id))
        #expect(try await cast.library.removePost(post.sequence, by: cast.bob))
        #expect(try await cast.library.unfilteredClip(clip) == nil)
        #expect(try await cast.library.seen(by: .visitor).clip(clip) == .gone)
    }

    @Test func `a title speaks to nobody in the name of whoever breaks the record`() async throws {
        let cast = try await ChallengeCast()
        let title = "I hate @cem (@ann) see http://evil.example/ #scam"
        let challenge = try await cast.challenge(title: title)
        try await cast.library.mark(challenge, .watch, isOn: true, by: cast.vic)
        try await cast.verified("50", at: challenge, by: cast.ann)
        let announcements = RecordAnnouncements(
            library: cast.library, publicURL: "https://hub.example", announcing: BoardAnnouncing { _ in [1] },
            takeClip: { _, _, owner in try await cast.clip(of: owner) })
        try await cast.verified("60", at: challenge, by: cast.bob)
        #expect(try await announcements.announce(at: cast.house.now) == 1)
        let home = try await cast.library.seen(by: .member(cast.vic)).homeStream(after: 0, limit: 10)
        let text = try #require(home.first?.text)
        #expect(text.contains("I hate @\u{2060}cem") && PostText.mentions(in: text).isEmpty)
        #expect(PostText.tags(in: text) == ["chirp"], "the hub's own")
        #expect(!PostText.parts(of: text).contains { if case .link = $0 { true } else { false } })
        for named in [cast.cem, cast.ann] {
            #expect(
                try await !cast.library.seen(by: .member(named)).notices(limit: 10).contains { $0.kind == .mention })
        }
    }
}
