import ChirpAccounts
import ChirpCommunity
import ChirpCore
import Foundation
import HubHousehold
import Testing

/// People here follow people at other servers (hub.md 8, decision 1902).
@Suite struct RemoteFollowTests {
    /// Bob elsewhere, as an account by which he is followed.
    private func bob(_ world: FederationWorld) async throws -> (person: RemotePerson, account: AccountID) {
        let person = try await world.stranger("Bob", at: "one.example")
        return (person, try #require(try await world.library.introduce(person)).id)
    }

    private func stands(_ world: FederationWorld, to account: AccountID) async throws -> Relationship {
        try #require(
            try await world.library.seen(by: .member(world.ann)).relationships(to: [account]).first)
    }

    @Test func `a follow is asked for once, and what takes it back names it`() async throws {
        let world = try await FederationWorld()
        let (person, account) = try await bob(world)
        for _ in 1...3 { try await world.library.follow(account, by: world.ann) }
        let asked = try await world.delivered(to: "one.example")
        #expect(asked.map(\.kind) == [.follow] && asked.first?.target == person.facts.address)
        #expect(asked.first?.inbox == person.facts.inbox)
        #expect(try await stands(world, to: account).isAsked)
        let id = try #require(asked.first?.activityID)

        // Nobody else accepts it, and nothing else is accepted.
        let eve = try await world.stranger("eve", at: "two.example")
        try await world.library.apply(.accept(activity: id), by: eve, activity: "https://two.example/1")
        try await world.library.apply(.accept(activity: "other"), by: person, activity: "https://one.example/1")
        #expect(try await stands(world, to: account).isAsked)
        try await world.library.apply(.accept(activity: id), by: person, activity: "https://one.example/2")
        let stands = try await stands(world, to: account)
        #expect(!stands.isAsked && stands.isFollowing)

        try await world.library.unfollow(account, by: world.ann)
        let undone = try await world.delivered(to: "one.example")
        #expect(undone.map(\.kind) == [.unfollow] && undone.first?.object == id)
        #expect(try await self.stands(world, to: account).isFollowing == false)
    }

    @Test func `who is refused follows no more, and says nothing of it`() async throws {
        let world = try await FederationWorld()
        let (person, account) = try await bob(world)
        try await world.library.follow(account, by: world.ann)
        let id = try #require(try await world.delivered(to: "one.example").first?.activityID)
        let eve = try await world.stranger("eve", at: "two.example")
        try await world.library.apply(.reject(activity: id), by: eve, activity: "https://two.example/1")
        #expect(try await stands(world, to: account).isFollowing)
        try await world.library.apply(.reject(activity: id), by: person, activity: "https://one.example/1")
        #expect(try await self.stands(world, to: account).isFollowing == false)
        #expect(try await world.waiting().isEmpty)
    }

    @Test(arguments: [true, false]) func `a follow is answered by what asked, or by who did, and by nobody else`(
        isAccepted: Bool
    ) async throws {
        let world = try await FederationWorld()
        let (person, account) = try await bob(world)
        let cid = try await world.house.person("cid")
        try await world.library.federate(cid, key: Secret("a key of his"))
        let cidsActor = try #require(try await world.library.federationActor(of: cid)).id
        try await world.library.follow(account, by: world.ann)
        try await world.library.follow(account, by: cid)
        let id = try #require(try await world.delivered(to: "one.example").first?.activityID)
        let eve = try await world.stranger("eve", at: "two.example")
        var number = 0
        func answer(_ activity: String?, _ follower: String?, by person: RemotePerson) async throws {
            number += 1
            try await world.library.apply(
                isAccepted
                    ? .accept(activity: activity, follower: follower) : .reject(activity: activity, follower: follower),
                by: person, activity: "https://\(person.facts.host)/answers/\(number)")
        }
        for (activity, follower) in [
            (nil, nil), ("other", nil), ("other", world.actor), (id, cidsActor), (nil, "nobody"), (id, "nobody"),
        ] as [(String?, String?)] {
            try await answer(activity, follower, by: person)
        }
        try await answer(nil, world.actor, by: eve)
        #expect(try await stands(world, to: account).isAsked, "nothing of that is an answer to hers")
        try await answer(nil, world.actor, by: person)
        let stands = try await stands(world, to: account)
        #expect(!stands.isAsked && stands.isFollowing == isAccepted)
        let others = try await world.house.texts("SELECT state FROM remoteFollows WHERE account = '\(cid.rawValue)'")
        #expect(others == ["asked"])
    }

    @Test func `a refusal is told once, and of each follow anew`() async throws {
        let world = try await FederationWorld()
        let (person, account) = try await bob(world)
        for number in 1...2 {
            try await world.library.follow(account, by: world.ann)
            for twice in 1...2 {
                try await world.library.apply(
                    .reject(follower: world.actor), by: person, activity: "https://one.example/\(number)/\(twice)")
            }
            let told = try await world.notices().map(\.remote)
            #expect(told.count == number)
            #expect(told.first??.deed == .refusal && told.first??.handle == "Bob@one.example")
        }
    }

    @Test func `who has not switched it on follows nobody elsewhere`() async throws {
        let world = try await FederationWorld()
        let (_, account) = try await bob(world)
        let cid = try await world.house.person("cid")
        try await world.library.follow(account, by: cid)
        #expect(try await world.library.mayFollowElsewhere(cid) == .notOn)
        #expect(try await world.library.seen(by: .member(cid)).relationships(to: [account]).first?.isFollowing == false)
        #expect(try await world.waiting().isEmpty)
    }

    @Test func `who follows and unfollows all day is held back`() async throws {
        let world = try await FederationWorld()
        let (_, account) = try await bob(world)
        for _ in 0..<HubLibrary.mostFollowsADay {
            try await world.library.follow(account, by: world.ann)
            try await world.library.unfollow(account, by: world.ann)
        }
        #expect(try await world.library.mayFollowElsewhere(world.ann) == .tooOften)
        try await world.library.follow(account, by: world.ann)
        #expect(try await self.stands(world, to: account).isFollowing == false)
        world.house.wait(86_401)
        #expect(try await world.library.mayFollowElsewhere(world.ann) == nil)
    }

    @Test func `who switches it off, or is erased, takes all back and says farewell there too`() async throws {
        for isErased in [false, true] {
            let world = try await FederationWorld()
            let (_, account) = try await bob(world)
            try await world.library.follow(account, by: world.ann)
            let id = try #require(try await world.delivered(to: "one.example").first?.activityID)
            if isErased {
                _ = try await world.library.accounts().delete(world.ann)
            } else {
                try await world.library.endFederation(of: world.ann)
            }
            let told = try await world.delivered(to: "one.example")
            #expect(told.map(\.kind) == [.unfollow, .farewell] && told.first?.object == id)
            #expect(told.last?.inbox == "https://one.example/inbox")
            #expect(
                try await world.library.seen(by: .member(world.ann)).people(.followed(by: world.ann), limit: 9).isEmpty)
        }
    }

    @Test func `a blocked server takes those with it whom people here follow`() async throws {
        let world = try await FederationWorld()
        let (_, account) = try await bob(world)
        try await world.library.follow(account, by: world.ann)
        try await world.library.set(.blocked, for: "one.example", why: "Spam", by: world.library.owner.id)
        #expect(try await world.library.seen(by: .member(world.ann)).people(.these([account]), limit: 1).isEmpty)
        #expect(try await world.waiting().isEmpty)
    }

    @Test func `people elsewhere are found by members, and by no visitor, and count for none of this hub`() async throws
    {
        let world = try await FederationWorld()
        let before = try await world.library.federationFigures().people
        let (person, account) = try await bob(world)
        let (member, visitor) = (world.library.seen(by: .member(world.ann)), world.library.seen(by: .visitor))
        #expect(try await member.people(.named("Bob@One.example"), limit: 1).first?.author.id == account)
        #expect(try await visitor.people(.named("bob@one.example"), limit: 1).isEmpty)
        #expect(try await visitor.people(.matching("bob"), limit: 9).isEmpty)
        #expect(try await visitor.person(named: "bob@one.example") == nil)
        #expect(try await !visitor.accounts().contains { $0.isElsewhere })
        #expect(try await world.library.federationFigures().people == before)
        // He is one, also when he is found again under another name.
        var facts = person.facts
        facts.handle = "bobby@one.example"
        facts.name = "Bobby"
        #expect(try await world.library.introduce(try await world.library.keep(facts))?.id == account)
        #expect(try await member.people(.named("bobby@one.example"), limit: 1).first?.author.name == "Bobby")
        // Somebody else at his server who says he is called so is not he.
        facts.address = "https://one.example/users/other"
        #expect(try await world.library.introduce(try await world.library.keep(facts)) == nil)
    }

    @Test func `nobody acts by the account of somebody elsewhere`() async throws {
        let world = try await FederationWorld()
        let (_, account) = try await bob(world)
        await #expect(throws: CaseError.notFound) {
            try await world.library.setRole(of: account, to: .moderator, by: world.library.owner.id)
        }
        await #expect(throws: PostingRefusal.self) {
            try await world.library.post(
                PostDraft(author: account, text: "words", key: "one"), under: PostingPolicy())
        }
        #expect(try await world.house.texts("SELECT COUNT(*) FROM posts") == ["0"])
    }

    @Test func `whom nobody follows is forgotten after a week`() async throws {
        let world = try await FederationWorld()
        let (_, account) = try await bob(world)
        let member = world.library.seen(by: .member(world.ann))
        try await world.library.follow(account, by: world.ann)
        world.house.wait(8 * 86_400)
        _ = try await world.library.sweep(at: world.house.now)
        #expect(try await member.people(.these([account]), limit: 1).count == 1)
        try await world.library.unfollow(account, by: world.ann)
        _ = try await world.library.sweep(at: world.house.now)
        #expect(try await member.people(.these([account]), limit: 1).isEmpty)
    }
}
