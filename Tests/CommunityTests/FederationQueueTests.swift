import ChirpAccounts
import ChirpCommunity
import ChirpCore
import Foundation
import HubHousehold
import Testing

/// What goes out to other servers is written down with the act that it tells of (hub.md 8).
@Suite struct FederationQueueTests {
    @Test func `a clip goes once to each inbox, and a shared one counts as one`() async throws {
        let world = try await FederationWorld()
        for name in ["bob", "cid", "dan"] { try await world.follower(name, at: "one.example") }
        for name in ["eve", "fay"] { try await world.follower(name, at: "two.example", isShared: false) }
        _ = try await world.waiting()
        let post = try await world.clip("Blackbird")
        let one = try await world.delivered(to: "one.example")
        #expect(one.map(\.inbox) == ["https://one.example/inbox"])
        #expect(one.first?.kind == .create && one.first?.object == post.id && one.first?.actor.id == world.actor)
        let two = try await world.delivered(to: "two.example")
        #expect(
            Set(two.map(\.inbox)) == ["https://two.example/users/eve/inbox", "https://two.example/users/fay/inbox"])
        #expect(Set((one + two).map(\.activityID)).count == 1, "it is one activity")
    }

    @Test(arguments: HubPost.Visibility.allCases) func `only what is public goes out`(
        visibility: HubPost.Visibility
    ) async throws {
        let world = try await FederationWorld()
        try await world.follower("bob", at: "one.example")
        _ = try await world.waiting()
        try await world.clip("Blackbird", visibility)
        #expect(try await world.waiting() == (visibility == .published ? ["one.example": [.create]] : [:]))
    }

    @Test func `words without a clip, what waits for a look, and clips of others do not go out`() async throws {
        let world = try await FederationWorld()
        try await world.follower("bob", at: "one.example")
        _ = try await world.waiting()
        _ = try await world.library.post(PostDraft(author: world.ann, text: "words", key: "words"))
        try await world.clip("Held", isHeld: true)
        try await world.house.publish(title: "The owner's")
        #expect(try await world.waiting().isEmpty)
        try await world.house.change("UPDATE posts SET state = 'shown' WHERE state = 'held'")
        #expect(try await world.waiting() == ["one.example": [.create]])
    }

    @Test func `what is hidden, deleted or renamed is told in the order in which it was done`() async throws {
        let world = try await FederationWorld()
        try await world.follower("bob", at: "one.example")
        _ = try await world.waiting()
        let post = try await world.clip("Blackbird")
        try await world.house.change("UPDATE posts SET state = 'hidden' WHERE id = '\(post.id)'")
        try await world.house.change("UPDATE posts SET state = 'shown' WHERE id = '\(post.id)'")
        try await world.library.accounts().setProfile(of: world.ann, name: "Ann B", bio: "")
        #expect(try await world.library.removePost(post.sequence, by: world.ann))
        #expect(try await world.waiting() == ["one.example": [.create, .delete, .create, .profile, .delete]])
    }

    @Test func `who switches it off says farewell to all followers, and has none any more`() async throws {
        let world = try await FederationWorld()
        try await world.follower("bob", at: "one.example")
        _ = try await world.waiting()
        try await world.library.endFederation(of: world.ann)
        try await world.library.endFederation(of: world.ann)
        #expect(try await world.waiting() == ["one.example": [.farewell]])
        #expect(try await world.library.remoteFollowerCount(of: world.ann) == 0)
        try await world.clip("Blackbird")
        #expect(try await world.waiting().isEmpty)
        // Once more it is the same actor.
        try await world.library.federate(world.ann, key: .init("another"))
        let again = try await world.library.federationActor(of: world.ann)
        #expect(again?.id == world.actor && again?.isOn == true && again?.key.reveal() == "a key of hers")
    }

    @Test func `an erased account leaves its farewell, which names nobody, and nothing once that is delivered`()
        async throws
    {
        let world = try await FederationWorld()
        try await world.follower("bob", at: "one.example")
        try await world.clip("Blackbird")
        _ = try await world.waiting()
        _ = try await world.library.accounts().delete(world.ann)
        let told = try await world.delivered(to: "one.example")
        #expect(told.map(\.kind) == [.farewell] && told.first?.actor.author == nil)
        #expect(told.first?.actor.key.reveal() == "a key of hers", "it is signed")
        #expect(try await world.house.traces(of: ["id-ann"]).isEmpty)
        world.house.wait(HubLibrary.deliveryAge + 1)
        _ = try await world.library.sweep(at: world.house.now)
        #expect(try await world.library.federationActor(world.actor) == nil)
    }

    @Test func `a server that fails is left alone until its time, and rests after seven days`() async throws {
        let world = try await FederationWorld()
        try await world.follower("bob", at: "one.example")
        _ = try await world.waiting()
        try await world.clip("Blackbird")
        for day in 1...7 {
            let delivery = try #require(try await world.library.nextDelivery(to: "one.example"), "day \(day)")
            #expect(try await world.library.dueHosts(most: 9) == ["one.example"])
            let next = world.house.now.addingTimeInterval(3600)
            #expect(
                try await world.library.deliveryFailed(delivery, next: next, reason: "it answers 500") == (day == 7))
            #expect(try await world.library.dueHosts(most: 9).isEmpty)
            if day < 7 { #expect(try await world.library.nextDelivery() == next) }
            world.house.wait(24 * 3600)
        }
        let queues = try await world.library.federationQueues()
        #expect(queues.waiting == 0 && queues.queues.map(\.host) == ["one.example"])
        #expect(queues.queues.first?.rests == true && queues.queues.first?.reason == "it answers 500")
        try await world.clip("Nobody waits for it")
        #expect(try await world.library.nextDelivery() == nil)
        // It speaks: it is there again.
        let bob = try #require(try await world.library.remotePerson(at: "https://one.example/users/bob"))
        try await world.library.apply(.unblock(world.actor), by: bob, activity: "https://one.example/1")
        try await world.clip("Robin")
        #expect(try await world.waiting() == ["one.example": [.create]])
    }

    @Test func `seven failures on one day are one day`() async throws {
        let world = try await FederationWorld()
        try await world.follower("bob", at: "one.example")
        let delivery = try #require(try await world.library.nextDelivery(to: "one.example"))
        for _ in 1...9 {
            #expect(try await !world.library.deliveryFailed(delivery, next: world.house.now, reason: "slow"))
        }
        // One answer, and all is forgotten.
        try await world.library.deliveryEnded(delivery, wasSent: true)
        #expect(try await world.library.federationQueues().queues.isEmpty)
    }

    @Test func `an inbox that is gone has no followers`() async throws {
        let world = try await FederationWorld()
        try await world.follower("bob", at: "one.example")
        try await world.follower("cid", at: "two.example")
        _ = try await world.waiting()
        try await world.clip("Blackbird")
        try await world.library.inboxGone(try #require(try await world.library.nextDelivery(to: "one.example")))
        #expect(try await world.waiting() == ["two.example": [.create]])
        #expect(try await world.library.remoteFollowerCount(of: world.ann) == 1)
    }
}
