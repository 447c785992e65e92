import ChirpAccounts
import ChirpCommunity
import ChirpCore
import Foundation
import HubHousehold
import Testing

/// Somebody elsewhere has moved: who follows her there, and who does not (hub.md 8).
@Suite struct RemoteMoveTests {
    /// Somebody here who may follow people elsewhere.
    private func member(_ world: FederationWorld, _ handle: String) async throws -> AccountID {
        let account = try await world.house.person(handle)
        try await world.library.federate(account, key: Secret("a key"))
        return account
    }

    private func followed(_ world: FederationWorld, by account: AccountID) async throws -> [String] {
        try await world.library.seen(by: .member(account)).people(.followed(by: account), limit: 9).map(\.author.handle)
    }

    @Test func `followers go along within their limits, and blocks hold there too`() async throws {
        let world = try await FederationWorld()
        let old = try await world.stranger("bob", at: "one.example")
        let new = try await world.stranger("bob", at: "two.example")
        let (from, to) = (
            try #require(try await world.library.introduce(old)).id,
            try #require(try await world.library.introduce(new)).id
        )
        let names = ["cid", "dan", "eve", "fay", "gil"]
        var people: [String: AccountID] = ["ann": world.ann]
        for name in names { people[name] = try await member(world, name) }
        func id(_ name: String) throws -> AccountID { try #require(people[name]) }
        for name in ["ann", "cid", "dan", "eve"] { try await world.library.follow(from, by: try id(name)) }
        // Cid has begun to follow as many today as he may; Dan has blocked the new one, Fay the old one, and Gil, too, who follows the new one.
        let cids = try #require(try await world.library.federationActor(of: try id("cid"))).id
        try await world.house.change(
            """
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(HubLibrary.mostFollowsADay))
            INSERT INTO federationActivities (actor, kind, target, created)
            SELECT '\(cids)', 'follow', \(old.id), created FROM numbers, remoteFollows WHERE account = '\(world.ann.rawValue)'
            """)
        try await world.library.block(to, by: try id("dan"))
        try await world.library.follow(to, by: try id("gil"))
        for name in ["fay", "gil"] { try await world.library.block(from, by: try id(name)) }
        _ = try await world.waiting()

        for number in 1...2 {
            try await world.library.apply(.move(to: new.id), by: old, activity: "https://one.example/\(number)")
        }
        let (one, two) = ("bob@one.example", "bob@two.example")
        for (name, expected) in [
            ("ann", [one, two]), ("cid", [one]), ("dan", [one]), ("eve", [one, two]), ("fay", []), ("gil", [two]),
        ] {
            #expect(try await followed(world, by: try id(name)) == expected, "\(name)")
        }
        #expect(try await world.waiting() == ["two.example": [.follow, .follow]])
        // Cid is told, so that he can follow there tomorrow.
        for (name, count) in [("ann", 1), ("cid", 1), ("dan", 0), ("fay", 0), ("gil", 0)] {
            let told = try await world.library.seen(by: .member(try id(name))).notices(limit: 9)
            #expect(told.map { $0.remote?.deed } == Array(repeating: .move(from: one), count: count), "\(name)")
        }
        let blocks = try await world.library.seen(by: .member(try id("fay"))).relationships(to: [to]).first
        #expect(blocks?.isBlocking == true)
        let gils = try await world.library.seen(by: .member(try id("gil"))).relationships(to: [to]).first
        #expect(gils?.isBlocking == false && gils?.isFollowing == true)
    }

    @Test func `who has moved away from a block follows under neither name`() async throws {
        let world = try await FederationWorld()
        let old = try await world.follower("zed", at: "one.example")
        let new = try await world.follower("zed", at: "two.example")
        let from = try #require(try await world.library.introduce(old)).id
        try await world.library.block(from, by: world.ann)
        #expect(try await world.library.remoteFollowerCount(of: world.ann) == 1)
        try await world.library.apply(.move(to: new.id), by: old, activity: "https://one.example/1")
        #expect(try await world.library.remoteFollowerCount(of: world.ann) == 0)
        _ = try await world.waiting()
        for (number, person) in [old, new].enumerated() {
            try await world.library.apply(
                .follow(world.actor), by: person, activity: "https://\(person.facts.host)/again/\(number)")
        }
        #expect(try await world.waiting() == ["one.example": [.reject], "two.example": [.reject]])
        #expect(try await world.library.remoteFollowerCount(of: world.ann) == 0)
        #expect(try await world.notices().isEmpty)
    }

    @Test func `a move goes on where it was killed, and the old place may go`() async throws {
        let world = try await FederationWorld()
        let old = try await world.stranger("bob", at: "one.example")
        let new = try await world.stranger("bob", at: "two.example")
        let from = try #require(try await world.library.introduce(old)).id
        try await world.library.follow(from, by: world.ann)
        #expect(try await world.library.awaitsMove(of: old, activity: "https://one.example/1"))
        try await world.library.apply(.move(to: new.id), by: old, activity: "https://one.example/1")
        #expect(try await !world.library.awaitsMove(of: old, activity: "https://one.example/1"))
        #expect(try await !world.library.awaitsMove(of: old, activity: "https://one.example/2"))
        try await world.library.apply(.leave, by: old, activity: "https://one.example/3")
        #expect(try await followed(world, by: world.ann) == ["bob@two.example"])
        #expect(try await world.notices().first?.remote?.deed == .move(from: "bob@one.example"))
    }
}
