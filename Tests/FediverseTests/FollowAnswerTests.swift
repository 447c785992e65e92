import ChirpAccounts
import ChirpCommunity
import ChirpFederation
import ChirpFediverse
import Foundation
import HubHousehold
import Testing

/// What answers a follow of somebody here, in all the forms that servers have for it (hub.md 8).
@Suite struct FollowAnswerTests {
    private let bob = "https://one.example/users/bob"

    /// Ann has asked Bob, and her follow is the one that is given.
    private func asked() async throws -> (world: FediverseWorld, follow: FederationDelivery, account: AccountID) {
        let world = try await FediverseWorld()
        let account = try await world.ask()
        let follow = try #require(try await world.house.library.nextDelivery(to: "one.example"))
        #expect(follow.kind == .follow)
        return (world, follow, account)
    }

    private func state(_ world: FediverseWorld) async throws -> [String] {
        try await world.house.texts("SELECT state FROM remoteFollows")
    }

    /// What stands in an answer as its object.
    enum Form: CaseIterable { case id, whole, withoutID, withoutKind, otherID, followerAlone }

    @Test(arguments: Form.allCases, ["Accept", "Reject"]) func `a follow is known in every form`(
        form: Form, answer: String
    ) async throws {
        let (world, follow, account) = try await asked()
        let id = world.fediverse.links.activity(follow.activityID).text
        let (ann, bob): (DocumentValue, DocumentValue) = (.text(world.actor.text), .text(bob))
        let object: DocumentValue =
            switch form {
            case .id: .text(id)
            case .whole: ["id": .text(id), "type": "Follow", "actor": ann, "object": bob]
            case .withoutID: ["type": "Follow", "actor": ann, "object": bob]
            case .withoutKind: ["id": .text(id), "actor": ann, "object": bob]
            case .otherID: ["id": "https://one.example/follows/7", "type": "Follow", "actor": ann, "object": bob]
            case .followerAlone: ["type": "Follow", "actor": ann]
            }
        for _ in 1...2 {
            #expect(try await world.send(world.activity(answer, ["object": object]).bytes) == .accepted)
        }
        let stands = try await world.house.library.seen(by: .member(world.ann)).relationships(to: [account]).first
        let notices = try await world.house.library.seen(by: .member(world.ann)).notices(limit: 9)
        if answer == "Accept" {
            #expect(try await state(world) == ["accepted"])
            #expect(stands?.isFollowing == true && notices.isEmpty)
        } else {
            #expect(try await state(world).isEmpty)
            #expect(stands?.isFollowing == false && notices.map { $0.remote?.deed } == [.refusal])
            let said = try await world.house.texts("SELECT kind FROM federationActivities")
            #expect(said == ["follow"], "nothing is said back")
        }
    }

    @Test(arguments: ["Accept", "Reject"]) func `nobody answers for another, nor what was not asked`(
        answer: String
    ) async throws {
        let (world, follow, _) = try await asked()
        let id = world.fediverse.links.activity(follow.activityID).text
        let (ann, bob): (DocumentValue, DocumentValue) = (.text(world.actor.text), .text(bob))
        // Eve is at his server, and says what she could know.
        for object: DocumentValue in [
            .text(id), ["type": "Follow", "actor": ann], ["id": .text(id), "type": "Follow", "actor": ann],
        ] {
            let said = world.activity(answer, by: "eve", ["object": object])
            #expect(try await world.send(said.bytes, by: "eve", key: 2) == .accepted)
        }
        for by in ["bob", "eve"] {
            let eve: DocumentValue = "https://one.example/users/eve"
            for object: DocumentValue in [
                // A follow of another, or of somebody else.
                ["id": .text(id), "type": "Follow", "actor": ann, "object": by == "bob" ? eve : bob],
                ["type": "Follow", "object": by == "bob" ? bob : eve], ["type": "Follow"],
            ] {
                let said = world.activity(answer, by: by, ["object": object])
                #expect(try await world.send(said.bytes, by: by, key: by == "bob" ? 1 : 2).isRefusal, "\(object)")
            }
        }
        for object: DocumentValue in [
            ["type": "Follow", "actor": "https://two.example/users/ann", "object": bob],
            ["id": .text(id), "type": "Follow", "actor": "https://two.example/users/ann", "object": bob],
            .text(world.fediverse.links.activity("another").text), "https://one.example/follows/7",
            ["id": .text(id), "type": "Like", "actor": ann, "object": bob],
        ] {
            #expect(try await world.send(world.activity(answer, ["object": object]).bytes) == .accepted)
        }
        #expect(try await state(world) == ["asked"])
        #expect(try await world.house.library.seen(by: .member(world.ann)).notices(limit: 9).isEmpty)
    }
}
