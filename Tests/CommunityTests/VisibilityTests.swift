import ChirpAccounts
import ChirpCommunity
import ChirpNumbers
import Foundation
import HubHousehold
import Testing

/// Who sees what (hub.md 4, decision 0701): ann writes, the others look.
@Suite struct VisibilityTests {
    private let house: HubHousehold
    private let ann: AccountID
    /// Follows her.
    private let bob: AccountID
    /// Is named in her post to somebody.
    private let dan: AccountID
    /// Nothing to her.
    private let eve: AccountID
    /// She has blocked him, though he followed.
    private let kit: AccountID

    init() async throws {
        house = try HubHousehold()
        ann = try await house.person("ann")
        bob = try await house.person("bob")
        dan = try await house.person("dan")
        eve = try await house.person("eve")
        kit = try await house.person("kit")
        try await house.library.follow(ann, by: bob)
        try await house.library.follow(ann, by: kit)
        try await house.library.block(kit, by: ann)
    }

    private func post(
        _ text: String, _ visibility: HubPost.Visibility = .published, by author: AccountID? = nil, isHeld: Bool = false
    ) async throws -> Int64 {
        var draft = PostDraft(author: author ?? ann, text: text, key: UUID().uuidString)
        draft.visibility = visibility
        draft.isHeld = isHeld
        return try await house.library.post(draft).sequence
    }

    private func reader(_ account: AccountID?) -> HubReader {
        house.library.seen(by: account.map { .member($0) } ?? .visitor)
    }

    @Test func `each sees what is for her, by list and by address`() async throws {
        let (open, unlisted) = (try await post("a"), try await post("b", .unlisted))
        let followers = try await post("c", .followers)
        let direct = try await post("d @dan", .direct)
        let held = try await post("e", isHeld: true)
        let all = [open, unlisted, followers, direct, held]
        let table: [(AccountID?, Set<Int64>)] = [
            (nil, [open, unlisted]), (eve, [open, unlisted]), (bob, [open, unlisted, followers]),
            (dan, [open, unlisted, direct]), (kit, []), (ann, Set(all)),
        ]
        for (viewer, expected) in table {
            let reader = reader(viewer)
            var found: Set<Int64> = []
            for place in all where try await reader.post(place) != nil { found.insert(place) }
            #expect(found == expected, "\(viewer?.rawValue ?? "visitor")")
            let listed = Set(try await reader.posts(.by(ann), limit: 20).map(\.sequence))
            #expect(listed == expected.subtracting([direct]), "\(viewer?.rawValue ?? "visitor")")
        }
        #expect(try await reader(bob).posts(.local, limit: 20).map(\.sequence) == [open])
        #expect(try await reader(bob).posts(.home, limit: 20).map(\.sequence) == [followers, unlisted, open])
        #expect(try await reader(eve).posts(.home, limit: 20).isEmpty)
        #expect(try await reader(dan).posts(.direct, limit: 20).map(\.sequence) == [direct])
        #expect(try await reader(nil).posts(.home, limit: 20).isEmpty)
        #expect(try await reader(nil).posts(.published(ann), limit: 20).map(\.sequence) == [open])
    }

    @Test func `what changes between people holds at the next look`() async throws {
        let followers = try await post("c", .followers)
        #expect(try await reader(eve).post(followers) == nil)
        try await house.library.follow(ann, by: eve)
        #expect(try await reader(eve).post(followers) != nil)
        try await house.library.unfollow(ann, by: eve)
        #expect(try await reader(eve).post(followers) == nil)
        // Who is blocked cannot follow.
        try await house.library.follow(ann, by: kit)
        #expect(try await reader(kit).relationships(to: [ann]).first?.isFollowing == false)
        try await house.library.unblock(kit, by: ann)
        try await house.library.follow(ann, by: kit)
        #expect(try await reader(kit).post(followers) != nil)
    }

    @Test func `a home list is the same whether it is walked or asked for by author`() async throws {
        // Ann's few posts lie below more posts of a stranger than the walk looks at.
        var own: [Int64] = []
        for number in 0..<5 { own.append(try await post("old \(number)", number == 2 ? .followers : .published)) }
        // One is a stranger's, and tells of something that Bob watches.
        let library = house.library
        let draft = ItemDraft(
            board: "attic", kind: "thing", author: eve, key: "k", title: "A thing", text: "", category: "other")
        let item = try await library.transact { try Items.create(draft, by: library, in: $0) }
        try await library.mark(item, .watch, isOn: true, by: bob)
        let told = try await post("told", by: eve)
        try await library.transact { try ItemMedia.tell(told, of: item, in: $0) }
        own.append(told)
        try await house.change(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2100)
            INSERT INTO posts (id, key, account, text, link, created)
            SELECT 'x' || i, 'x' || i, 'id-eve', 'noise', '', 1 FROM n
            """)
        let new = try await post("new")
        let reader = reader(bob)
        #expect(try await reader.posts(.home, limit: 20).map(\.sequence) == [new] + own.reversed())
        #expect(try await reader.posts(.home, limit: 3).map(\.sequence) == [new, told, own[4]])
        #expect(try await reader.posts(before: PageCursor(new), .home, limit: 2).map(\.sequence) == [told, own[4]])
        #expect(
            try await reader.posts(after: PageCursor(own[3]), .home, limit: 20).map(\.sequence) == [own[4], told, new])
        #expect(try await reader.posts(after: 0, .home, limit: 2).map(\.sequence) == [own[0], own[1]])
    }

    @Test func `one post for a key, its people told once, and notices of what one may not see are not shown`()
        async throws
    {
        var draft = PostDraft(author: ann, text: "Hello @dan and @Dan, not me@example.org #One #one", key: "k")
        draft.visibility = .direct
        let first = try await house.library.post(draft)
        #expect(try await house.library.post(draft).sequence == first.sequence)
        let notices = try await reader(dan).notices(limit: 10)
        #expect(notices.map(\.kind) == [.mention] && notices.first?.post == first.sequence)
        #expect(try await reader(dan).unreadNotices() == 1)
        try await house.library.readNotices(of: dan, to: .end)
        #expect(try await reader(dan).unreadNotices() == 0)
        try await house.library.block(ann, by: dan)
        #expect(try await reader(dan).notices(limit: 10).isEmpty)
    }

    @Test func `marks count once, and answers as far as they are seen`() async throws {
        let place = try await post("a")
        let post = try #require(try await reader(eve).post(place))
        for _ in 0..<2 { try await house.library.mark(post, .favourite, by: eve) }
        try await house.library.mark(post, .bookmark, by: eve)
        var answer = PostDraft(author: bob, text: "yes", key: "1")
        answer.replyTo = place
        _ = try await house.library.post(answer)
        answer.key = "2"
        answer.visibility = .followers
        _ = try await house.library.post(answer)
        let seen = try #require(try await reader(eve).figures(of: [place])[place])
        #expect(seen.favourites == 1 && seen.replies == 1 && seen.marks == [.favourite, .bookmark])
        #expect(try await reader(bob).figures(of: [place])[place]?.replies == 2)
        #expect(try await reader(eve).posts(.marked(.bookmark), limit: 5).map(\.sequence) == [place])
        try await house.library.unmark(place, .bookmark, by: eve)
        #expect(try await reader(eve).posts(.marked(.bookmark), limit: 5).isEmpty)
        #expect(try await reader(ann).notices(kinds: [.favourite], limit: 5).count == 1)
        let answers = try await reader(bob).posts(below: place)
        #expect(answers.map(\.text) == ["yes", "yes"])
        #expect(try await reader(bob).posts(above: #require(answers.last).sequence).map(\.sequence) == [place])
    }

    @Test func `the sound of a post is for all who have its address, the page for those who see the post`() async throws
    {
        let id = try #require(HubID(try await house.save()))
        try await house.change("UPDATE clips SET owner = 'id-ann'")
        var draft = PostDraft(author: ann, text: "listen", key: "1")
        draft.clip = id
        draft.visibility = .followers
        let place = try await house.library.post(draft).sequence
        let isSound = if case .clip = try await reader(nil).sound(at: id) { true } else { false }
        #expect(isSound)
        #expect(try await reader(nil).page(of: id).found == .nothing)
        #expect(try await reader(bob).page(of: id).post?.sequence == place)
        // Taken from sight, nobody but its author hears it.
        try await house.change("UPDATE posts SET state = 'hidden'")
        #expect(try await reader(nil).clip(id) == .nothing)
        #expect(try await reader(ann).page(of: id).post?.sequence == place)
        // Nobody posts about a stranger's clip as about an own one.
        var foreign = PostDraft(author: eve, text: "mine", link: "\(HubHousehold.publicURL)/c/\(id)", key: "1")
        #expect(try await house.library.post(foreign).clip == nil)
        foreign.clip = id
        foreign.key = "2"
        #expect(try await house.library.post(foreign).clip == nil)
        #expect(try await house.library.removePost(place, by: eve) == false)
        #expect(try await house.library.removePost(place, by: ann))
        #expect(try await reader(nil).clip(id) == .gone)
    }

    @Test func `an account that goes takes its clips along, whose links say gone`() async throws {
        let id = try #require(HubID(try await house.save()))
        try await house.change("UPDATE clips SET owner = 'id-ann'")
        let place = try await post("a", by: bob)
        try await house.library.mark(try #require(try await reader(ann).post(place)), .favourite, by: ann)
        _ = try await house.library.accounts().delete(ann)
        #expect(try await reader(nil).clip(id) == .gone)
        #expect(try await reader(bob).figures(of: [place])[place] == nil)
        #expect(try await reader(bob).people(.followed(by: bob), limit: 5).isEmpty)
        #expect(
            try await reader(bob).people(.matching(""), limit: 9).map(\.author.handle) == [
                "bob", "dan", "eve", "kit", "me",
            ])
    }
}
