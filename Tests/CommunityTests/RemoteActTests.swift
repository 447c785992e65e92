import ChirpAccounts
import ChirpCommunity
import ChirpCore
import Foundation
import HubHousehold
import Testing

/// What people at other servers do here: once, and to nobody who has not switched it on (hub.md 8).
@Suite struct RemoteActTests {
    @Test func `a follow is done, answered and told once, however often it comes`() async throws {
        let world = try await FederationWorld()
        let bob = try await world.stranger("bob", at: "one.example")
        let id = "https://one.example/follows/1"
        #expect(try await world.library.apply(.follow(world.actor), by: bob, activity: id))
        for _ in 1...3 { #expect(try await !world.library.apply(.follow(world.actor), by: bob, activity: id)) }
        let told = try await world.delivered(to: "one.example")
        #expect(told.map(\.kind) == [.accept] && told.first?.object == id)
        #expect(told.first?.inbox == "https://one.example/users/bob/inbox" && told.first?.target == bob.facts.address)
        let notice = try #require(try await world.notices().first)
        #expect(notice.kind == .follow && notice.actor == nil && notice.remote?.handle == "bob@one.example")
        let page = try await world.library.seen(by: .visitor).people(.named("ann"), limit: 1)
        #expect(page.first?.followers == 1)
    }

    @Test func `who follows again and again, each time anew, has two answers waiting at most, the newest last`()
        async throws
    {
        let world = try await FederationWorld()
        let bob = try await world.stranger("bob", at: "one.example")
        let eve = try await world.stranger("eve", at: "one.example")
        for number in 1...50 {
            let id = "https://one.example/follows/\(number)"
            #expect(try await world.library.apply(.follow(world.actor), by: bob, activity: id))
        }
        try await world.library.apply(.follow(world.actor), by: eve, activity: "https://one.example/hers")
        let told = try await world.delivered(to: "one.example")
        #expect(told.allSatisfy { $0.kind == .accept })
        #expect(
            told.map(\.object) == ["1", "50"].map { "https://one.example/follows/\($0)" } + ["https://one.example/hers"]
        )
        // Once it is delivered, who asks again is told again.
        try await world.library.apply(.follow(world.actor), by: bob, activity: "https://one.example/follows/51")
        #expect(try await world.delivered(to: "one.example").map(\.object) == ["https://one.example/follows/51"])
        // Who takes each at once is told ten times an hour.
        var answers = 3
        for number in 52...90 {
            try await world.library.apply(
                .follow(world.actor), by: bob, activity: "https://one.example/follows/\(number)")
            answers += try await world.delivered(to: "one.example").count
        }
        #expect(answers == 10)
        world.house.wait(3600)
        try await world.library.apply(.follow(world.actor), by: bob, activity: "https://one.example/follows/91")
        #expect(try await world.delivered(to: "one.example").count == 1)
    }

    @Test func `who has not switched it on cannot be followed`() async throws {
        let world = try await FederationWorld()
        let bob = try await world.stranger("bob", at: "one.example")
        try await world.library.endFederation(of: world.ann)
        try await world.library.apply(.follow(world.actor), by: bob, activity: "https://one.example/1")
        try await world.library.apply(.follow("nobody"), by: bob, activity: "https://one.example/2")
        #expect(try await world.library.remoteFollowerCount(of: world.ann) == 0)
        #expect(try await world.waiting().isEmpty)
        #expect(try await world.notices().isEmpty)
    }

    @Test func `likes, shares and answers come back as notices, and can be taken back`() async throws {
        let world = try await FederationWorld()
        let bob = try await world.stranger("bob", at: "one.example")
        let post = try await world.clip("Blackbird")
        try await world.library.apply(.mark(post.id, .like), by: bob, activity: "https://one.example/1")
        try await world.library.apply(.mark(post.id, .announce), by: bob, activity: "https://one.example/2")
        let reply = RemoteReply(address: "https://one.example/n/3", text: "Lovely", page: "https://one.example/@bob/3")
        try await world.library.apply(.reply(to: post.id, reply), by: bob, activity: "https://one.example/3")
        let notices = try await world.notices()
        #expect(notices.map(\.kind) == [.mention, .favourite, .favourite])
        #expect(notices.map { $0.remote?.deed } == [.usual, .share, .usual])
        #expect(notices.first?.remote?.reply?.text == "Lovely" && notices.first?.post == post.sequence)

        try await world.library.apply(
            .undo(activity: "https://one.example/1"), by: bob, activity: "https://one.example/4")
        try await world.library.apply(
            .edit(address: reply.address, text: "Very lovely"), by: bob, activity: "https://one.example/5")
        #expect(try await world.notices().first?.remote?.reply?.text == "Very lovely")
        // Nobody takes back what is another's.
        let eve = try await world.stranger("eve", at: "two.example")
        try await world.library.apply(.remove(address: reply.address), by: eve, activity: "https://two.example/1")
        #expect(try await world.notices().count == 3)
        try await world.library.apply(.remove(address: reply.address), by: bob, activity: "https://one.example/6")
        #expect(try await world.notices().map(\.kind) == [.favourite, .favourite])
        try await world.library.apply(.leave, by: bob, activity: "https://one.example/7")
        #expect(try await world.notices().isEmpty)
    }

    @Test func `posts that are not public cannot be liked or answered, whoever knows their ids`() async throws {
        let world = try await FederationWorld()
        let bob = try await world.stranger("bob", at: "one.example")
        for visibility in [HubPost.Visibility.unlisted, .followers, .direct] {
            let post = try await world.clip("Blackbird", visibility)
            try await world.library.apply(.mark(post.id, .like), by: bob, activity: "https://one.example/\(post.id)")
            let reply = RemoteReply(address: "https://one.example/n\(post.id)", text: "Ha", page: "")
            try await world.library.apply(
                .reply(to: post.id, reply), by: bob, activity: "https://one.example/r\(post.id)")
        }
        #expect(try await world.notices().isEmpty)
    }

    @Test func `one stranger's answers are bounded`() async throws {
        let world = try await FederationWorld()
        let bob = try await world.stranger("bob", at: "one.example")
        let post = try await world.clip("Blackbird")
        for number in 0..<120 {
            let reply = RemoteReply(address: "https://one.example/n/\(number)", text: "\(number)", page: "")
            try await world.library.apply(
                .reply(to: post.id, reply), by: bob, activity: "https://one.example/a/\(number)")
        }
        #expect(try await world.library.seen(by: .member(world.ann)).notices(limit: 200).count == 100)
    }

    @Test func `who blocks somebody follows no more`() async throws {
        let world = try await FederationWorld()
        let bob = try await world.follower("bob", at: "one.example")
        try await world.library.apply(.block(world.actor), by: bob, activity: "https://one.example/1")
        #expect(try await world.library.remoteFollowerCount(of: world.ann) == 0)
    }

    @Test func `who is blocked by somebody here is refused, and nothing of theirs is kept or told any more`()
        async throws
    {
        let world = try await FederationWorld()
        let zed = try await world.follower("zed", at: "one.example")
        try await world.follower("bob", at: "two.example")
        let post = try await world.clip("Blackbird")
        func act(_ name: String) async throws {
            let reply = RemoteReply(address: "https://one.example/n/\(name)", text: "You there", page: "")
            for (number, act) in [
                RemoteAct.follow(world.actor), .mark(post.id, .like), .mark(post.id, .announce),
                .reply(to: post.id, reply), .edit(address: reply.address, text: "You"),
            ].enumerated() {
                try await world.library.apply(act, by: zed, activity: "https://one.example/\(name)/\(number)")
            }
        }
        try await act("before")
        #expect(try await world.notices().filter { $0.remote?.handle == "zed@one.example" }.count == 4)
        _ = try await world.waiting()

        let here = try #require(try await world.library.introduce(zed)).id
        try await world.library.block(here, by: world.ann)
        let refused = try await world.delivered(to: "one.example")
        #expect(refused.map(\.kind) == [.reject] && refused.first?.object == "https://one.example/before/0")
        try await act("after")
        let again = try await world.delivered(to: "one.example")
        #expect(again.map(\.kind) == [.reject] && again.first?.object == "https://one.example/after/0")
        #expect(try await world.notices().map { $0.remote?.handle } == ["bob@two.example"])
        #expect(try await world.library.remoteFollowerCount(of: world.ann) == 1)
        try await world.clip("Wren")
        #expect(try await world.waiting() == ["two.example": [.create]])

        // However long ago; and only for who has blocked them.
        world.house.wait(HubLibrary.deliveryAge * 3)
        _ = try await world.library.sweep(at: world.house.now)
        try await act("later")
        #expect(try await world.delivered(to: "one.example").map(\.kind) == [.reject])
        let cid = try await world.house.person("cid")
        try await world.library.federate(cid, key: Secret("a key"))
        let cids = try #require(try await world.library.federationActor(of: cid)).id
        try await world.library.apply(.follow(cids), by: zed, activity: "https://one.example/cid")
        #expect(try await world.delivered(to: "one.example").map(\.kind) == [.accept])
        try await world.library.unblock(here, by: world.ann)
        try await world.library.apply(.follow(world.actor), by: zed, activity: "https://one.example/at-last")
        #expect(try await world.delivered(to: "one.example").map(\.kind) == [.accept])
        #expect(try await world.library.remoteFollowerCount(of: world.ann) == 2)
    }

    @Test func `a report from elsewhere is a case, once for each server, and hides nothing by itself`() async throws {
        let world = try await FederationWorld()
        let hub = try await world.stranger("instance", at: "one.example")
        let post = try await world.clip("Blackbird")
        for number in 1...3 {
            try await world.library.apply(
                .report(actors: [world.actor], posts: [post.id], text: "Too loud \(number)"), by: hub,
                activity: "https://one.example/flags/\(number)")
        }
        let moderator = try await world.house.person("max", role: "moderator")
        let cases = try await world.library.cases(waiting: true, for: moderator)
        #expect(cases.map(\.subject) == [.post(post.sequence)] && cases.first?.hides == false)
        #expect(cases.first?.reports.map(\.text) == ["Too loud 1"])
        #expect(cases.first?.reports.first?.server == "one.example" && cases.first?.reports.first?.reporter == nil)
    }

    @Test func `a server that is blocked is cut off at once with all below it`() async throws {
        let world = try await FederationWorld()
        try await world.follower("bob", at: "one.example")
        try await world.follower("cid", at: "social.one.example")
        try await world.follower("dan", at: "notone.example")
        _ = try await world.waiting()
        try await world.clip("Blackbird")
        let moderator = try await world.house.person("max", role: "moderator")
        try await world.library.set(.blocked, for: "one.example", why: "Spam", by: moderator)
        #expect(try await world.waiting() == ["notone.example": [.create]])
        #expect(try await world.library.remoteFollowerCount(of: world.ann) == 1)
        let rules = try await world.library.serverRules()
        #expect(!rules.lets("one.example") && !rules.lets("a.one.example:8080") && rules.lets("notone.example"))
        // For DNS that is the same name.
        for host in ["one.example.", "one.example.:8080", "a.one.example.", "one.example.."] {
            #expect(!rules.lets(host), "\(host)")
        }
        await #expect(throws: CaseError.notAllowed) {
            try await world.library.set(.allowed, for: "one.example", why: "Mine", by: world.ann)
        }
    }

    @Test func `with the list of allowed servers everybody else is cut off`() async throws {
        let world = try await FederationWorld()
        try await world.follower("bob", at: "one.example")
        try await world.follower("cid", at: "two.example:3000")
        _ = try await world.waiting()
        let owner = world.library.owner.id
        try await world.library.set(.allowed, for: "two.example", why: "Friends", by: owner)
        #expect(try await world.library.remoteFollowerCount(of: world.ann) == 2)
        try await world.library.setAllowList(true, by: owner)
        #expect(try await world.library.remoteFollowerCount(of: world.ann) == 1)
        let rules = try await world.library.serverRules()
        #expect(!rules.lets("one.example") && rules.lets("two.example:3000"))
    }

    @Test(arguments: [
        ("Example.ORG", "example.org"), ("a-b.example", "a-b.example"), ("", nil), ("a..b", nil), ("a b", nil),
        ("https://example.org", nil), ("exämple.org", nil),
    ]) func `a domain is typed in any case and kept in one`(typed: String, kept: String?) {
        #expect(ServerRules.domain(typed: typed) == kept)
    }
}
